"""The report in a real browser, opened from disk on a phone and on a desk."""

import io
import json
import struct
import zlib

import numpy as np
import pytest
import soundfile

pytest.importorskip("playwright.sync_api", reason="needs playwright")
from sonolake.releases import Line, ReportSample, Track

PHONE, DESK = (390, 844), (1280, 900)


def picture():
    """A PNG of one pixel and a WAV of silence stand for the spectrogram and the sound."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(b"\0\0"))
        + chunk(b"IEND", b"")
    )


@pytest.fixture(scope="module")
def report(make_release):
    sound = io.BytesIO()
    soundfile.write(sound, np.zeros((8000, 1)), 8000, format="MP3")
    tracks = (
        Track("voice A", "Hello there", 0.1, 0.5, "speech"),
        Track("sounds", "shared/dog_bark", 0.4, 0.9, "pivot"),
    )
    sample = ReportSample(
        "scene-train-000",
        "cares",
        "train",
        "A dog",
        sound.getvalue(),
        picture(),
        1.0,
        tracks,
        (Line("A", "Hello", 0.1),),
    )
    return make_release(samples=(sample,)) / "report.html"


@pytest.fixture
def opened(context, report):
    """Opens the report, and says what it complained of and what it asked the network for."""

    def enter(size, **emulated):
        page = context.new_page()
        page.complaints, page.asked = [], []
        page.on(
            "console",
            lambda message: (
                page.complaints.append(message.text) if message.type in ("error", "warning") else None
            ),
        )
        page.on("request", lambda request: page.asked.append(request.url.split(":")[0]))
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.emulate_media(**emulated)
        page.goto(report.as_uri())
        return page

    return enter


@pytest.mark.parametrize("size", [PHONE, DESK])
def test_it_opens_from_disk_and_fits(opened, size):
    page = opened(size)
    assert page.complaints == [] and set(page.asked) <= {"file", "data"}
    assert page.evaluate("document.documentElement.scrollWidth") == size[0]
    for fold in page.query_selector_all("summary"):
        fold.click()
    assert page.evaluate("document.documentElement.scrollWidth") == size[0]


@pytest.mark.parametrize(("size", "edges"), [(PHONE, 2), (DESK, 2)])
def test_what_an_item_is_made_from_is_drawn(opened, size, edges):
    page = opened(size)
    page.focus("#item")
    page.select_option("#item", "scene-train-001")
    graph = page.wait_for_selector("#graph svg")
    told = graph.get_attribute("aria-label")
    assert told == "scene-train-001 is made from take Dog [lib:dog-train]; template template-train"
    assert page.locator("#graph .node").count() == 3 and page.locator("#graph .edge").count() == edges
    assert page.locator("#graph .role").all_text_contents() == ["item", "take · CC0-1.0", "template"]
    assert graph.bounding_box()["width"] <= size[0]
    page.select_option("#item", "")
    assert page.locator("#graph svg").count() == 0


def test_an_item_that_is_in_no_list_is_drawn_by_its_id(context, make_release):
    """Of 163 items the list has every second; any is drawn by how its id begins, where that is one item's."""
    page = context.new_page()
    page.goto((make_release(counts={"train": 150, "test": 10}) / "report.html").as_uri())
    assert page.locator("#item option").count() < 121
    listed = page.locator("#item option").all_text_contents()
    item = next(f"scene-train-{n:03d}" for n in range(150) if f"scene-train-{n:03d}" not in listed)
    for typed, told in (
        (item, "take Dog"),
        (item[:-1], "Several items begin so."),
        ("nobody", "No item begins so."),
    ):
        page.fill("#find", typed)
        page.press("#find", "Enter")
        drawn = page.locator("#graph svg")
        assert told in (drawn.get_attribute("aria-label") if drawn.count() else page.text_content("#graph"))


def test_a_sample_leads_to_its_graph_and_a_mark_to_its_proof(opened):
    page = opened(PHONE)
    page.select_option("#item", "clip-train-000")
    page.click("[data-lineage]")
    assert page.input_value("#item") == "scene-train-000"
    page.click(".sample .proof")
    assert page.evaluate("location.hash") == "#proof-shown-cares"
    page.evaluate("location.hash = '#proof-counts-items'")
    page.wait_for_selector("#proof-counts-items details[open]")


def test_the_player_is_worked_by_keyboard(opened):
    page = opened(DESK)
    page.focus(".seek")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("document.querySelector('.clock').textContent.startsWith('0:01')")
    assert page.get_attribute(".play", "aria-label") == "Play A dog"


def test_dark_and_light_are_chosen_by_hand_too(opened):
    page = opened(PHONE, color_scheme="dark")
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.click("#theme")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != dark


def test_the_data_of_the_graph_is_small_and_says_no_more_than_it_draws(report):
    text = report.read_text()
    data = json.loads(text.partition('id="lineage-data">')[2].partition("</script>")[0])
    items = data["nodes"][data["items"] :]
    assert len(items) == 13 and items[0] == "scene-train-000"
    assert data["roles"] == ["take", "template"] and len(data["nodes"]) == 13 + 6
    assert [len(parents) for parents in data["parents"]] == [0] * 6 + [4] * 13

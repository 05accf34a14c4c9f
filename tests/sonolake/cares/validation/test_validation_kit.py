"""The rating kit: the page, what it saves, and what comes of it."""

import json
import re
import shutil

import pytest

from sonolake.cares.validation import Ratings, agreement, kit_page, read_ratings
from sonolake.errors import InvalidInput

PLACES = [("scene-a", "general/zip"), ("scene-a", "shared/dog_bark"), ("scene-b", "shared/dog_bark")]


@pytest.fixture
def scenes(by_hand):
    lines = ("A: One </script> two.", "*general/zip zip", "B: Three.", "*shared/dog_bark dog", "A: Four.")
    return [
        by_hand(*lines, name="scene-a", zip="behavioral", dog_bark="verbal"),
        by_hand("A: Five.", "*shared/dog_bark dog", "B: Six.", name="scene-b", dog_bark="pivot"),
        by_hand("A: Nothing.", "B: Is heard here.", name="scene-c"),
    ]


def kit_in(page):
    found = re.search(r'<script id="kit" type="application/json">(.*?)</script>', page, re.DOTALL)
    return json.loads(found.group(1))


def test_the_page_holds_the_transcripts_and_not_what_was_asked_for(scenes):
    page = kit_page(scenes)
    kit = kit_in(page)
    assert sorted(scene["scene_id"] for scene in kit["scenes"]) == ["scene-a", "scene-b"]
    shown = next(scene for scene in kit["scenes"] if scene["scene_id"] == "scene-a")
    assert shown["utterances"] == [["A", "One </script> two."], ["B", "Three."], ["A", "Four."]]
    assert shown["sounds"] == [
        {"event": "general/zip", "name": "zip", "before": 1},
        {"event": "shared/dog_bark", "name": "dog", "before": 2},
    ]
    assert set(kit["meanings"]) == {"pivot", "verbal", "behavioral", "ambient"}
    for scene in kit["scenes"]:
        assert not {"verbal", "behavioral", "pivot"} & set(json.dumps(scene).replace('"', " ").split())


def test_the_page_needs_no_server(scenes):
    page = kit_page(scenes)
    assert "default-src 'none'" in page
    assert not re.findall(r"(?:src|href)\s*=\s*[\"']|url\(|@import|fetch\(|XMLHttpRequest|https?://", page)


def test_the_same_scenes_are_the_same_kit_in_any_order(scenes):
    assert kit_page(scenes) == kit_page(scenes[::-1])
    assert kit_in(kit_page(scenes[:1]))["kit_id"] != kit_in(kit_page(scenes))["kit_id"]


def test_a_kit_without_sounds_is_refused(scenes):
    with pytest.raises(InvalidInput, match="one with a sound"):
        kit_page(scenes[2:])


def saved(tmp_path, scenes, rater, answers, changed=()):
    """A file as the page saves it."""
    kit = kit_in(kit_page(scenes))
    ratings = [
        {"scene_id": scene_id, "event": event, "reaction": reaction}
        for (scene_id, event), reaction in zip(PLACES, answers, strict=False)
    ]
    data = {
        "kit_id": kit["kit_id"],
        "scenes": [scene["scene_id"] for scene in kit["scenes"]],
        "rater": rater,
        "ratings": ratings,
    }
    path = tmp_path / f"ratings-{rater}.json"
    path.write_text(json.dumps(data | dict(changed)), encoding="utf-8")
    return path


def test_ratings_come_back(scenes, tmp_path):
    path = saved(tmp_path, scenes, "ann", ["behavioral", "verbal", "verbal"])
    ratings = read_ratings(path)
    assert (ratings.rater, set(ratings.scenes)) == ("ann", {"scene-a", "scene-b"})
    assert ratings.reactions == dict(zip(PLACES, ["behavioral", "verbal", "verbal"], strict=True))


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"scenes": ["scene-a"]}, "changed by hand"),
        ({"rater": ""}, "changed by hand"),
        ({"ratings": [{"scene_id": "scene-a"}]}, "rating kit saved"),
        ({"ratings": [{"scene_id": "scene-a", "event": "general/zip", "reaction": "loud"}]}, "reactions of"),
    ],
)
def test_other_files_are_refused(scenes, tmp_path, changed, said):
    with pytest.raises(InvalidInput, match=said):
        read_ratings(saved(tmp_path, scenes, "ann", ["verbal"], changed))


def test_a_file_that_is_not_there_or_no_json(tmp_path):
    (tmp_path / "page.json").write_text("<html>", encoding="utf-8")
    for name in ("page.json", "gone.json"):
        with pytest.raises(InvalidInput, match="rating kit saved"):
            read_ratings(tmp_path / name)


def test_agreement_of_raters_by_hand(scenes):
    """Asked: behavioral, verbal, pivot. Ann agrees on all. Bob takes the pivot for a verbal one: 2 of 3, by chance
    1/9 + 2/9 = 3/9, so (6 - 3) / (9 - 3) = 1/2. All three ratings: 5 of 6 with what was asked for."""
    ann = Ratings(
        "ann", ("scene-a", "scene-b"), dict(zip(PLACES, ["behavioral", "verbal", "pivot"], strict=True))
    )
    bob = Ratings(
        "bob", ("scene-a", "scene-b"), dict(zip(PLACES, ["behavioral", "verbal", "verbal"], strict=True))
    )
    found = agreement([ann, bob], scenes)
    assert found.with_right["ann"].value == pytest.approx(1.0)
    assert found.with_right["bob"].value == pytest.approx(0.5)
    assert found.between["ann", "bob"].value == pytest.approx(0.5)
    assert (found.pooled.n, found.pooled.observed) == (6, pytest.approx(5 / 6))
    # Fleiss: labels 2 behavioral, 3 verbal, 1 pivot of 6: by chance (4 + 9 + 1) / 36; agreement 2/3
    assert found.all_raters.value == pytest.approx((24 - 14) / (36 - 14))
    assert found.items == 3


def test_raters_who_rate_different_parts(scenes):
    ann = Ratings("ann", ("scene-a",), {PLACES[0]: "behavioral"})
    bob = Ratings("bob", ("scene-b",), {PLACES[2]: "pivot"})
    found = agreement([ann, bob], scenes)
    assert (found.between, found.all_raters, found.items) == ({}, None, 0)


def test_raters_need_names_of_their_own_and_sounds_of_these_scenes(scenes):
    ann = Ratings("ann", (), {PLACES[0]: "pivot"})
    with pytest.raises(InvalidInput, match="a name each"):
        agreement([ann, ann], scenes)
    with pytest.raises(InvalidInput, match="what these items have"):
        agreement([Ratings("bob", (), {("scene-z", "general/zip"): "pivot"})], scenes)


CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-headless-shell", "chromium-browser"))), None
)


@pytest.mark.skipif(CHROMIUM is None, reason="needs Debian's chromium: apt-get install chromium")
def test_a_person_rates_by_keyboard(scenes, tmp_path):
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    page_path = tmp_path / "kit.html"
    page_path.write_text(kit_page(scenes), encoding="utf-8")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(page_path.as_uri())
        for key in "321":
            page.keyboard.press(key)
        page.fill("#rater", "Ann")
        with page.expect_download() as download:
            page.click("#save")
        download.value.save_as(tmp_path / "saved.json")
        browser.close()
    ratings = read_ratings(tmp_path / "saved.json")
    assert ratings.rater == "Ann"
    assert sorted(ratings.reactions) == PLACES
    assert sorted(ratings.reactions.values()) == ["behavioral", "pivot", "verbal"]

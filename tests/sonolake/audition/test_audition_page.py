"""The audition page in a real browser, by keyboard."""

import pytest

pytest.importorskip("starlette", reason="needs the extra 'annotate'")
pytest.importorskip("playwright.sync_api", reason="needs playwright")
from playwright.sync_api import expect

from sonolake.audition.decisions import Decision, decisions_of
from sonolake.audition.server import Desk, application
from sonolake.cares.banks import default_banks

KETTLE = "home_indoor/kettle_whistle"


@pytest.fixture
def page(lake, takes, context, serving):
    desk = Desk(lake, default_banks(), KETTLE)
    port = serving(application(desk))
    made = context.new_page()
    made.goto(f"http://127.0.0.1:{port}/#key={desk.key}")
    made.fill("#rater", "ann")
    made.keyboard.press("Enter")
    made.wait_for_selector("#desk[data-ready=true]")
    return made


def at(page, asset_id):
    page.wait_for_selector(f"#desk[data-take='{asset_id}'][data-ready=true]")


def saved(page):
    expect(page.locator("#saved")).to_have_text("saved", timeout=30_000)


def test_takes_are_decided_by_keyboard(page, lake, takes):
    first, second = sorted((takes["low"], takes["high"]))
    at(page, first)
    assert page.url.endswith("/"), "the key is not kept in the address"
    page.keyboard.press("s")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("[")
    expect(page.locator("#state")).to_have_text("not decided, single source, 0.50 to 2.00 s of 2.00 s")
    page.keyboard.press("Space")
    assert page.get_attribute("#sound", "data-playing") == "0.500"
    page.keyboard.press("a")
    at(page, second)
    assert page.get_attribute("#sound", "data-playing") == "0.000", "the next one plays"
    page.keyboard.press("r")
    expect(page.locator("#notice")).to_have_text("Every candidate is decided.")
    expect(page.locator("#takes .accept")).to_have_count(1)
    page.keyboard.press("Control+z")
    expect(page.locator("#takes .reject")).to_have_count(0)
    saved(page)
    kept = decisions_of(lake)[KETTLE]
    assert (kept[first].decision, kept[first].seq) == (Decision("accept", True, (0.5, 2.0)), 3)
    assert (kept[second].decision, kept[second].seq) == (Decision(), 2)
    assert {one.rater for one in kept.values()} == {"ann"}


def test_coverage_and_the_way_to_another_identifier(page, takes):
    page.keyboard.press("c")
    row = page.locator(f"#coverage tr[data-event='{KETTLE}']")
    expect(row).to_have_text(f"{KETTLE}1/200/51/50000")
    page.locator("#coverage tr[data-event='home_indoor/doorbell']").click()
    page.wait_for_selector("#desk[data-event='home_indoor/doorbell'][data-ready=true]")
    at(page, takes["bell"])
    expect(page.locator("#coverage")).to_be_hidden()

"""The rating kit for pairs of questions: the page, what it saves, and what comes of it."""

import base64
import io
import json
import re
import shutil

import numpy as np
import pytest
import soundfile

from sonolake.audio.encode import quantise
from sonolake.audio.foa import encode
from sonolake.errors import InvalidInput
from sonolake.spatial.benchmark.kit import Judged, Pair, Ratings, chosen, kit_page, read_ratings, verified

RATE = 24_000


@pytest.fixture(scope="module")
def pairs(records):
    """A record a dimension; that of Source Localization asks for a direction."""
    return [Pair(one, 100.0 if one.dimension == "SL" else None) for one in records[:6]]


def clip(clip_id):
    tone = 0.2 * np.sin(2 * np.pi * 440 * np.arange(RATE // 4) / RATE)
    return quantise(encode(tone, 100.0, 0.0)), RATE


def kit_in(page):
    found = re.search(r'<script id="kit" type="application/json">(.*?)</script>', page, re.DOTALL)
    return json.loads(found.group(1))


def test_the_page_holds_sound_and_questions_and_not_the_key(pairs):
    kit = kit_in(kit_page(pairs, clip))
    assert sorted(one["record_id"] for one in kit["pairs"]) == sorted(p.record.record_id for p in pairs)
    assert [one["direction"] for one in kit["pairs"]].count(True) == 1
    for one in kit["pairs"]:
        assert set(one) == {"record_id", "stage_1", "stage_2", "direction", "flac"}
        assert set(one["stage_1"]) == set(one["stage_2"]) == {"question", "options"}
    samples, rate = soundfile.read(io.BytesIO(base64.b64decode(kit["pairs"][0]["flac"])), dtype="int16")
    assert rate == RATE
    assert np.array_equal(samples, clip("")[0][:, [0, 1, 3]])


def test_the_page_needs_no_server(pairs):
    page = kit_page(pairs, clip)
    assert "default-src 'none'" in page
    shell = page.replace(json.dumps(kit_in(page), ensure_ascii=False), "")
    assert not re.findall(r"(?:src|href)\s*=\s*[\"']|@import|fetch\(|XMLHttpRequest|https?://", shell)


def test_the_same_pairs_are_the_same_kit_in_any_order(pairs):
    assert kit_page(pairs, clip) == kit_page(pairs[::-1], clip)
    with pytest.raises(InvalidInput, match="one at least"):
        kit_page([], clip)


def test_the_dimensions_come_in_turn(records):
    many = [Pair(one) for one in records[:60]]
    first = chosen(many, 12)
    assert sorted(p.record.dimension for p in first) == sorted(2 * ["SC", "SL", "TD", "SR", "TR", "AP"])
    assert len(chosen(many, 1000)) == 60


def rated(pairs, rater, wrong=(), azimuth=None, doubt=()):
    judged = {}
    for pair in pairs:
        one = pair.record
        second = {"A": "B"}.get(one.stage_2.answer, "A") if one.record_id in wrong else one.stage_2.answer
        at = azimuth if pair.azimuth_deg is not None else None
        judged[one.record_id] = Judged(one.stage_1.answer, second, at, one.record_id in doubt)
    return Ratings(rater, tuple(p.record.record_id for p in pairs), judged)


def test_agreement_by_hand(pairs):
    """Ann gives the key and points 20 degrees too far left, Bob across the rear: 100 and -170 are 90 degrees apart."""
    ids = [p.record.record_id for p in pairs]
    ann, bob = rated(pairs, "ann", azimuth=120.0), rated(pairs, "bob", wrong=ids[:3], azimuth=-170.0)
    found = verified([ann, bob], pairs)
    assert found.answers.with_right["ann"].observed == 1.0
    assert found.answers.with_right["bob"].observed == pytest.approx(9 / 12)
    assert found.answers.between["ann", "bob"].observed == pytest.approx(9 / 12)
    assert found.answers.items == 12
    assert list(found.off_deg["ann"].values()) == [pytest.approx(20.0)]
    assert list(found.off_deg["bob"].values()) == [pytest.approx(90.0)]
    assert found.doubted == ()
    assert verified([bob], pairs).doubted == tuple(sorted(ids[:3]))
    assert verified([rated(pairs, "eve", doubt=ids[5:])], pairs).doubted == (ids[5],)


def test_other_records_and_two_of_one_name_are_refused(pairs):
    with pytest.raises(InvalidInput, match="records of these clips"):
        verified([rated(pairs, "ann")], pairs[:3])
    with pytest.raises(InvalidInput, match="a name each"):
        verified([rated(pairs, "ann"), rated(pairs, "ann")], pairs)


def saved(pairs, tmp_path, **changed):
    kit = kit_in(kit_page(pairs, clip))
    first = {"record_id": kit["pairs"][0]["record_id"], "stage_1": "A", "stage_2": None, "azimuth_deg": -30}
    data = {
        "kit_id": kit["kit_id"],
        "records": [one["record_id"] for one in kit["pairs"]],
        "rater": "Ann",
        "ratings": [{**first, "doubt": True, **changed}],
    }
    path = tmp_path / "saved.json"
    path.write_text(json.dumps(data))
    return path


def test_ratings_come_back(pairs, tmp_path):
    ratings = read_ratings(saved(pairs, tmp_path))
    assert ratings.rater == "Ann"
    assert list(ratings.judged.values()) == [Judged("A", None, -30.0, True)]


@pytest.mark.parametrize("changed", [{"stage_1": "E"}, {"azimuth_deg": "left"}, {"record_id": "r-none"}])
def test_other_ratings_are_refused(pairs, tmp_path, changed):
    with pytest.raises(InvalidInput, match=r"saved|records of the kit"):
        read_ratings(saved(pairs, tmp_path, **changed))


CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-headless-shell", "chromium-browser"))), None
)


@pytest.mark.skipif(CHROMIUM is None, reason="needs Debian's chromium: apt-get install chromium")
def test_a_person_answers_by_keyboard(pairs, tmp_path):
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    (tmp_path / "kit.html").write_text(kit_page(pairs, clip), encoding="utf-8")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        page.goto((tmp_path / "kit.html").as_uri())
        for _ in pairs:
            for key in ("b", "c", ",", ",", "ArrowRight"):
                page.keyboard.press(key)
        page.fill("#rater", "Ann")
        with page.expect_download() as download:
            page.click("#save")
        download.value.save_as(tmp_path / "saved.json")
        browser.close()
    judged = read_ratings(tmp_path / "saved.json").judged
    assert len(judged) == 6
    assert set(judged.values()) == {Judged("B", "C", 10.0, False)}

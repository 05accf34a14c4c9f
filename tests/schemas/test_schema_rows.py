"""Rows that break a rule are refused, with the table and the rule named."""

import pytest

from schemas import Candidates, ClipEvents, Clips, Questions, Scenes, Turns, Utterances, valid_rows
from sonolake.errors import ItemRefused

ASSET = "a" * 64

CLIP = {
    "clip_id": "c1", "split": "train", "room": "hall", "origin": "simulated", "asset_id": ASSET,
    "duration_s": 10.0, "licence": "CC0-1.0", "record": "{}",
}  # fmt: skip
EVENT = {
    "clip_id": "c1", "number": 0, "event": "dog bark", "onset_s": 1.0, "offset_s": 2.5, "azimuth_deg": -90.0,
    "elevation_deg": 0.0, "distance_m": 2.0, "moving": False, "cut_start": False, "cut_end": False,
}  # fmt: skip
QUESTION = {
    "question_id": "q1", "clip_id": "c1", "stage": 2, "dimension": "SL", "kind": "where", "arguments": "{}",
    "question": "Where is it?", "options": "{}", "claims": "{}", "answer": "B",
}  # fmt: skip
UTTERANCE = {
    "utterance_id": "u1", "asset_id": ASSET, "audio": ASSET, "start_s": 1.0, "end_s": 4.0,
    "language": None, "transcript": None,
}  # fmt: skip
CANDIDATE = {"utterance_id": "u1", "tag": "laughs", "query": "q", "rank": 1, "distance": 0.2, "onset_s": 0.0}
TURN = {"scene_id": "s1", "turn": 0, "speaker": "A", "text": "Hello.", "start_s": 0.0, "end_s": 0.5}


@pytest.mark.parametrize(
    ("schema", "row"),
    [
        (Clips, CLIP),
        (ClipEvents, EVENT),
        (Questions, QUESTION),
        (Utterances, UTTERANCE),
        (Candidates, CANDIDATE),
        (Turns, TURN),
    ],
    ids=lambda one: one.__name__ if isinstance(one, type) else "",
)
def test_rows_that_keep_the_rules_come_back_as_they_are(schema, row):
    assert valid_rows(schema, [row]) == [row]
    assert valid_rows(schema, []) == []


@pytest.mark.parametrize(
    ("schema", "row", "change", "named"),
    [
        (Clips, CLIP, {"split": "dev"}, r"clips: split\|regex \(1\)"),
        (Clips, CLIP, {"origin": "dreamt"}, r"clips: origin\|regex"),
        (Clips, CLIP, {"asset_id": "short"}, r"clips: asset_id\|min_length"),
        (Clips, CLIP, {"duration_s": 0.0}, r"clips: duration_s\|min_exclusive"),
        (Clips, CLIP, {"room": None}, r"clips: room\|nullability"),
        (Clips, CLIP, {"duration_s": float("nan")}, r"clips: duration_s\|nan"),
        (ClipEvents, EVENT, {"azimuth_deg": 180.5}, r"clip_events: azimuth_deg\|max"),
        (ClipEvents, EVENT, {"elevation_deg": -91.0}, r"clip_events: elevation_deg\|min"),
        (ClipEvents, EVENT, {"distance_m": 0.0}, r"clip_events: distance_m\|min_exclusive"),
        (Questions, QUESTION, {"answer": "E"}, r"questions: answer\|regex"),
        (Questions, QUESTION, {"stage": 3}, r"questions: stage\|max"),
        (Questions, QUESTION, {"dimension": "XX"}, r"questions: dimension\|regex"),
        (Utterances, UTTERANCE, {"end_s": 1.0}, r"utterances: ends_after_it_begins \(1\)"),
        (Candidates, CANDIDATE, {"rank": 0}, r"candidates: rank\|min"),
        (Turns, TURN, {"speaker": "C"}, r"turns: speaker\|regex"),
        (Turns, TURN, {"text": ""}, r"turns: text\|min_length"),
    ],
)
def test_a_value_out_of_range_is_refused(schema, row, change, named):
    with pytest.raises(ItemRefused, match=named) as refused:
        valid_rows(schema, [{**row, **change}])
    assert refused.value.reason == "breaks_schema"


def test_one_bad_row_among_good_ones_is_counted():
    rows = [CLIP, {**CLIP, "clip_id": "c2", "split": "dev"}, {**CLIP, "clip_id": "c3", "split": "dev"}]
    with pytest.raises(ItemRefused, match=r"clips: split\|regex \(2\)$"):
        valid_rows(Clips, rows)


def test_a_key_stands_once():
    with pytest.raises(ItemRefused, match=r"clips: primary_key \(2\)"):
        valid_rows(Clips, [CLIP, CLIP])


def test_a_scene_is_never_above_full_scale():
    row = {
        "scene_id": "s", "scenario_id": "o", "template_id": "t", "split": "test", "asset_id": ASSET,
        "duration_s": 40.0, "loudness_lufs": -23.0, "peak_dbfs": 0.1, "licence": "CC0-1.0", "location": "office",
        "true_peak_dbtp": 0.4, "record": "{}",
    }  # fmt: skip
    with pytest.raises(ItemRefused, match=r"scenes: peak_dbfs\|max"):
        valid_rows(Scenes, [row])

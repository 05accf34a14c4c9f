"""What a record says of its clip, and a release's records."""

import json
import math

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sonolake.errors import InvalidInput, NotFound
from sonolake.spatial.benchmark import Query, read_records
from sonolake.spatial.benchmark.records import farthest, most_at_once
from sonolake.spatial.records import ClipEvent


def event(onset_s, offset_s, distance_m=1.0):
    return ClipEvent("dog", onset_s, offset_s, 0.0, 0.0, distance_m)


def test_sources_at_once():
    assert most_at_once([]) == 0
    assert most_at_once([event(0, 1), event(1, 2)]) == 1
    assert most_at_once([event(0, 3), event(1, 2), event(2, 4), event(2.5, 5)]) == 3


def test_the_farthest_source():
    assert farthest([event(0, 1, 3.0), event(0, 1, 4.0)]) == 4.0
    assert farthest([]) is None
    assert farthest([event(0, 1), event(0, 1, math.nan)]) is None


def test_options_are_letters_and_the_answer_is_one_of_them():
    with pytest.raises(InvalidInput, match="options"):
        Query("q", "?", {"yes": "Yes", "no": "No"}, "yes")
    with pytest.raises(InvalidInput, match="answer"):
        Query("q", "?", {"A": "Yes", "B": "No"}, "C")


def row(name, stages=(1, 2)):
    options = json.dumps({letter: f"option {letter}" for letter in "ABCD"})
    questions = [
        {
            "question_id": f"{name}-{stage}",
            "stage": stage,
            "dimension": "S1" if stage == 1 else "SL",
            "question": "Where?",
            "options": options,
            "answer": "C",
        }
        for stage in stages
    ]
    place = {"event": "dog", "azimuth_deg": 0.0, "elevation_deg": 0.0, "moving": False}
    events = [
        {**place, "onset_s": 0.0, "offset_s": 2.0, "distance_m": 1.0},
        {**place, "onset_s": 1.0, "offset_s": 3.0, "distance_m": 4.5},
    ]
    return {"item_id": name, "origin": "stand-in", "events": events, "questions": questions}


def test_records_of_a_release(tmp_path):
    place = tmp_path / "data" / "rms-aqa"
    place.mkdir(parents=True)
    pq.write_table(
        pa.Table.from_pylist([row("clip-1"), row("clip-2")]), place / "test-00000-of-00001.parquet"
    )
    found = read_records(tmp_path)
    assert [r.record_id for r in found] == ["clip-1", "clip-2"]
    one = found[0]
    assert (one.dimension, one.origin, one.concurrent, one.farthest_m) == ("SL", "stand-in", 2, 4.5)
    assert (one.stage_2.question_id, one.stage_2.answer, one.distance) == ("clip-1-2", "C", "far")
    with pytest.raises(NotFound, match=r"no split train.*there: test"):
        read_records(tmp_path, "train")
    with pytest.raises(InvalidInput, match="one of train"):
        read_records(tmp_path, "dev")


def test_a_clip_with_one_question_is_refused(tmp_path):
    place = tmp_path / "data" / "rms-aqa"
    place.mkdir(parents=True)
    pq.write_table(pa.Table.from_pylist([row("clip-1", (1,))]), place / "test-00000-of-00001.parquet")
    with pytest.raises(InvalidInput, match="one of each stage"):
        read_records(tmp_path)

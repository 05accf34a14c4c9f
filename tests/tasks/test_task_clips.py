"""Clips: labels that fit the sound, questions whose answers follow from the labels."""

import dataclasses
import json

import pytest

from sonolake.audio.decode import decode
from sonolake.errors import ItemRefused
from sonolake.lake.step import Counts
from sonolake.spatial.answers import answer
from sonolake.spatial.questions import AskedClip
from sonolake.spatial.records import LETTERS, ClipEvent, Question
from tasks import clips
from tasks.clips import ask_clips, plan_clips, render_clips
from tasks.opening import lake_at


@pytest.fixture
def made(own_lake):
    return lake_at(str(own_lake))


def events_of(lake, clip_id):
    rows = lake.rows("SELECT * FROM clip_events WHERE clip_id = ? ORDER BY number", [clip_id])
    return [ClipEvent(**{k: v for k, v in row.items() if k not in ("clip_id", "number")}) for row in rows]


def questions_of(lake):
    for row in lake.rows("SELECT * FROM questions ORDER BY question_id"):
        parts = {name: json.loads(row[name]) for name in ("arguments", "options", "claims")}
        yield (
            row["question_id"],
            Question(
                **{n: row[n] for n in ("clip_id", "stage", "dimension", "kind", "question", "answer")},
                arguments=tuple(sorted(parts["arguments"].items())),
                options=tuple(parts["options"][letter] for letter in LETTERS),
                values=tuple(parts["claims"][letter] for letter in LETTERS),
            ),
        )


def test_every_clip_has_ten_seconds_of_four_channels_and_labels_inside_them(made):
    rows = made.rows("SELECT * FROM clips")
    assert len(rows) == 6
    for row in rows:
        decoded = decode(made.media.read(row["asset_id"]))
        assert decoded.samples.shape == (240_000, 4) and decoded.sample_rate == 24_000
        events = events_of(made, row["clip_id"])
        assert events and all(0.0 <= e.onset_s < e.offset_s <= 10.0 for e in events)


def test_rooms_are_apart_and_recordings_do_not_train(made):
    rows = made.rows("SELECT room, origin, list(DISTINCT split) AS splits FROM clips GROUP BY ALL")
    assert all(len(row["splits"]) == 1 for row in rows)
    splits = {row["origin"]: row["splits"][0] for row in rows if row["origin"] != "simulated"}
    assert set(splits) <= {"stand-in"} and "train" not in splits.values()


def test_answers_follow_from_the_labels(made):
    asked = list(questions_of(made))
    assert {q.stage for _, q in asked} == {1, 2}
    for question_id, question in asked:
        assert answer(question, events_of(made, question.clip_id)) == question.answer
        assert question.question_id == question_id


def test_a_wrong_answer_would_be_set_aside(made):
    pairs = {}
    for _, question in questions_of(made):
        pairs.setdefault(question.clip_id, {})[question.stage] = question
    clip_id, pair = sorted(pairs.items())[0]
    wrong = "ABCD"["ABCD".index(pair[2].answer) - 1]
    clip = AskedClip(clip_id, events_of(made, clip_id))
    assert clips._asked((clip, (pair[1], pair[2]))).made == 2
    with pytest.raises(ItemRefused, match=f"wrong_answer.*: {wrong}, recomputed {pair[2].answer}"):
        clips._asked((clip, (pair[1], dataclasses.replace(pair[2], answer=wrong))))


def test_labels_that_changed_make_the_answer_wrong(made):
    """A clip whose only sound is not where the question says it is."""
    for _, question in questions_of(made):
        events = events_of(made, question.clip_id)
        if question.kind == "sector_of":
            turned = [dataclasses.replace(e, azimuth_deg=(e.azimuth_deg + 360) % 360 - 180) for e in events]
            with pytest.raises(ItemRefused, match="wrong_answer"):
                clips._asked((AskedClip(question.clip_id, turned), (question, question)))


def test_rendered_again_with_two_workers_in_one_batch_the_bytes_are_the_same(made):
    root = str(made.root)
    query = "SELECT clip_id, asset_id, record FROM clips ORDER BY clip_id"
    before, labels = made.rows(query), made.sql("SELECT * FROM clip_events ORDER BY ALL")
    with made.transaction("forget") as tx:
        for table in ("clips", "clip_events"):
            tx.sql(f"DELETE FROM {table}")
        tx.sql("DELETE FROM assets WHERE kind = 'clip'")
    plans = plan_clips(root, 6)
    assert render_clips.fn(root, "run", plans, workers=2).done == 6
    assert made.rows(query) == before
    assert made.sql("SELECT * FROM clip_events ORDER BY ALL") == labels


def test_asked_again_nobody_is_asked(made):
    before = made.sql("SELECT * FROM questions ORDER BY ALL")
    counts = ask_clips.fn(str(made.root), "run")
    assert counts == Counts(taken=counts.taken, already=counts.taken) and counts.taken > 0
    assert made.sql("SELECT * FROM questions ORDER BY ALL") == before


def test_more_clips_begin_with_the_same_ones(made):
    root = str(made.root)
    fewer, more = ({p.clip_id for p in plan_clips(root, n)} for n in (6, 12))
    assert len(more) == 12 and len(fewer - more) == 0

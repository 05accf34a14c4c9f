"""Clips: labels that fit the sound, questions whose answers follow from the labels."""

import dataclasses
import io
import json

import numpy as np
import pytest
import soundfile

from sonolake.audio.decode import decode
from sonolake.errors import InvalidInput, ItemRefused, LimitReached
from sonolake.lake.step import Counts
from sonolake.rendering.clips import made_clip, source_of
from sonolake.spatial.answers import answer
from sonolake.spatial.labelfile import write
from sonolake.spatial.questions import AskedClip
from sonolake.spatial.recorded import LeftOut
from sonolake.spatial.records import LETTERS, ClipEvent, ClipRecipe, Question
from tasks import clips
from tasks.clip_plans import Planned, plan_clips, recording_windows
from tasks.clips import Wording, ask_clips, render_clips
from tasks.opening import lake_at
from tasks.sounds import sounds_of


@pytest.fixture
def made(own_lake):
    return lake_at(str(own_lake))


def events_of(lake, clip_id):
    rows = lake.rows("SELECT * FROM clip_events WHERE clip_id = ? ORDER BY number", [clip_id])
    return [
        ClipEvent.from_record({k: v for k, v in row.items() if k not in ("clip_id", "number")})
        for row in rows
    ]


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
    chosen = clips._Chosen(AskedClip(clip_id, events_of(made, clip_id)), "", (pair[1], pair[2]))
    assert clips._asked(chosen).made == 2
    lie = dataclasses.replace(chosen, pair=(pair[1], dataclasses.replace(pair[2], answer=wrong)))
    with pytest.raises(ItemRefused, match=f"wrong_answer.*: {wrong}, recomputed {pair[2].answer}"):
        clips._asked(lie)


def test_labels_that_changed_make_the_answer_wrong(made):
    """A clip whose only sound is not where the question says it is."""
    for _, question in questions_of(made):
        events = events_of(made, question.clip_id)
        if question.kind == "sector_of":
            turned = [dataclasses.replace(e, azimuth_deg=(e.azimuth_deg + 360) % 360 - 180) for e in events]
            with pytest.raises(ItemRefused, match="wrong_answer"):
                clips._asked(
                    clips._Chosen(AskedClip(question.clip_id, tuple(turned)), "", (question, question))
                )


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


def test_a_model_puts_new_questions_in_other_words_once(made, provider):
    """What it says is taken where it asks the same, its other answers leave our words, and nothing is asked twice."""
    before = {row["clip_id"]: row for row in made.rows("SELECT * FROM questions WHERE stage = 1")}
    ours = {"Which of these sounds are heard here?", "Which of these sounds are heard in these ten seconds?"}
    least, most = sorted(ours, key=len)
    provider.answer = lambda body: most if "ten seconds" in body["messages"][-1]["content"] else least
    theirs = Wording(f"openai:llama@{provider.url}", "CC0-1.0")
    for _ in range(2):
        with made.transaction("forget") as tx:
            tx.sql("DELETE FROM questions")
        assert ask_clips.fn(str(made.root), "run", theirs).done == len(before)
    after = made.rows("SELECT * FROM questions ORDER BY clip_id, stage")
    assert {row["question"] for row in after if row["stage"] == 1} <= ours
    for row in after:
        if row["stage"] == 1:
            assert (row["options"], row["answer"]) == (
                before[row["clip_id"]]["options"],
                before[row["clip_id"]]["answer"],
            )
    said = [json.dumps(body["messages"]) for body in provider.requests]
    assert len(said) == len(set(said)) <= 2 * len(before)
    writers = made.rows(
        "SELECT child, parent, licence FROM lineage JOIN credits ON name = parent WHERE role = 'paraphrase'"
    )
    assert {row["child"]: (row["parent"], row["licence"]) for row in writers} == dict.fromkeys(
        before, (f"writer:chat:openai:llama@{provider.url} questions", "CC0-1.0")
    )


@pytest.mark.parametrize(
    "licence, said", [("", "that allows mixing"), ("CC-BY-4.0", "as it is, received 'CC-BY-4.0'")]
)
def test_a_model_leaves_the_licence_of_clips_as_it_is(licence, said):
    with pytest.raises(InvalidInput, match=said):
        Wording("openai:llama", licence)


def test_at_the_budget_nothing_is_asked_and_a_larger_one_goes_on(made, provider):
    before = made.sql("SELECT count(*) FROM questions").to_pylist()
    provider.answer = lambda body: "Which of these sounds are heard here?"
    with made.transaction("forget") as tx:
        tx.sql("DELETE FROM questions")
    priced = Wording(f"openai:llama@{provider.url}", "CC0-1.0", None, 1.0, 1.0)
    with pytest.raises(LimitReached, match="goes on where this ends"):
        ask_clips.fn(str(made.root), "run", dataclasses.replace(priced, budget=0.0006))
    asked = len(provider.requests)
    assert asked and made.sql("SELECT * FROM questions").num_rows == 0
    ask_clips.fn(str(made.root), "run-2", priced)
    assert made.sql("SELECT count(*) FROM questions").to_pylist() == before
    said = [json.dumps(body["messages"]) for body in provider.requests]
    assert len(said) == len(set(said)) > asked


def levels(clip):
    """RMS of Y, Z and X over that of W."""
    w, *others = np.sqrt(np.mean(np.square(clip.samples.astype(float)), axis=0))
    return np.array(others) / w


def test_responses_are_heard_as_the_convention_that_they_were_declared_to_have(made):
    """N3D has its first order √3 times as loud as SN3D (AmbiX)."""
    row = made.rows("SELECT record FROM clips WHERE origin = 'simulated' ORDER BY clip_id")[0]
    recipe = dataclasses.replace(ClipRecipe.from_record(json.loads(row["record"])), ambience_id=None)
    before = made_clip(made, recipe, sounds_of(str(made.root)))
    with made.transaction("declared otherwise") as tx:
        tx.sql("UPDATE assets SET convention = 'n3d' WHERE kind = 'response'")
    after = made_clip(made, recipe, sounds_of(str(made.root)))
    assert levels(after) == pytest.approx(levels(before) / np.sqrt(3), rel=0.01)


def test_a_recording_is_cut_as_the_convention_that_it_was_declared_to_have(made):
    """FuMa has the order W, X, Y, Z and W at -3 dB (Malham 2003); AmbiX W, Y, Z, X."""
    row = made.rows("SELECT clip_id, record FROM clips WHERE origin <> 'simulated' ORDER BY clip_id")[0]
    window = source_of(row["clip_id"], row["record"])
    (foa,) = made.rows("SELECT * FROM assets WHERE asset_id = ?", [window.recording_id])
    x, rate = sounds_of(str(made.root)).sound(window.recording_id, "ambix")
    as_fuma, file = np.stack([x[:, 0] / np.sqrt(2), x[:, 3], x[:, 1], x[:, 2]], axis=1), io.BytesIO()
    soundfile.write(file, as_fuma, rate, format="WAV", subtype="FLOAT")
    twin = made.media.put(file.getvalue())
    made.table("assets").append([{**foa, "asset_id": twin, "item": "twin", "convention": "fuma"}])
    of_twin = made_clip(made, dataclasses.replace(window, recording_id=twin), sounds_of(str(made.root)))
    clip = made_clip(made, window, sounds_of(str(made.root)))
    assert np.abs(of_twin.samples.astype(int) - clip.samples).max() <= 1
    assert of_twin.events == clip.events


def test_a_recording_of_a_room_that_trains_is_not_cut(made):
    with made.transaction("a room that trains") as tx:
        tx.sql("UPDATE splits SET split = 'train' WHERE kind = 'room'")
    assert recording_windows(made) == ([], [])


@pytest.fixture
def recorded(made):
    """A lake with a labelled recording that is real, 30 s long, of a room to test in: a sound in its first window, none
    in its second, one in its third of which the edge leaves 0.1 s; and with one that has no labels."""
    (foa, *_) = made.rows("SELECT * FROM assets WHERE kind = 'foa' ORDER BY asset_id")
    (room, *_) = made.rows("SELECT * FROM splits WHERE kind = 'room' ORDER BY item")
    place = {"azimuth_deg": 30.0, "elevation_deg": 0.0, "distance_m": 4.0}
    events = [
        ClipEvent("dog bark", 2.0, 3.0, **place),
        ClipEvent("dog bark", 29.9, 30.0, **place, cut_end=True),
    ]
    real = {**foa, "synthetic": False, "room": "kitchen", "duration_s": 30.0, "asset_id": "e" * 64}
    made.table("assets").append(
        [
            {**real, "item": "real", "labels": write(events)},
            {**real, "item": "unlabelled", "asset_id": "f" * 64, "labels": None, "duration_s": 10.0},
        ]
    )
    made.table("splits").append([{**room, "item": "kitchen", "group_id": "kitchen", "split": "test"}])
    return made


def test_windows_that_are_left_out_are_counted_with_their_reasons_once(recorded):
    root = str(recorded.root)
    plans = [plan for plan in plan_clips(root, 8) if not plan.source or isinstance(plan.source, LeftOut)]
    assert render_clips.fn(root, "run", plans) == Counts(taken=9, already=6, quarantined=3)
    rows = recorded.rows("SELECT reason, detail FROM quarantine WHERE step = 'render-clips' ORDER BY ALL")
    assert [(row["reason"], row["detail"][:10]) for row in rows] == [
        ("no_events", "0 to 10 s "),
        ("no_events", "10 to 20 s"),
        ("sliver", "20 to 30 s"),
    ]
    assert render_clips.fn(root, "run", plans) == Counts(taken=9, already=9)


def test_windows_without_events_are_kept_when_asked_but_of_labelled_recordings_alone(recorded):
    kept, out = recording_windows(recorded, keep_empty=True)
    assert [
        (w.recording_id, w.start_s) for w in sorted(kept, key=lambda w: w.start_s) if w.split == "test"
    ] == [
        ("e" * 64, 0.0),
        ("e" * 64, 10.0),
    ]
    assert sorted((one.window.recording_id[0], one.reason) for one in out) == [
        ("e", "sliver"),
        ("f", "no_events"),
    ]


def test_stand_ins_are_for_splits_without_a_labelled_recording(recorded):
    def origins():
        kept, _ = recording_windows(recorded)
        return {(window.split, window.origin) for window in kept}

    assert ("test", "recorded") in origins() and ("test", "stand-in") not in origins()
    with recorded.transaction("its labels are gone") as tx:
        tx.sql("UPDATE assets SET labels = NULL WHERE item = 'real'")
        tx.sql("UPDATE splits SET split = 'test' WHERE item LIKE 'stand-in%'")
    assert origins() == {("test", "stand-in")}


def test_sounds_of_four_metres_and_more_are_far(made):
    """RMS-AQA, section 4.2."""
    rows = made.rows("SELECT far, distance_m FROM clip_events")
    assert rows and all(row["far"] == (row["distance_m"] >= 4.0) for row in rows)


def test_more_at_once_than_was_asked_is_set_aside(made):
    """However late a response's direct sound is."""
    record = made.rows("SELECT record FROM clips WHERE origin = 'simulated' ORDER BY clip_id")[0]["record"]
    recipe = ClipRecipe.from_record(json.loads(record))
    (source, *_) = recipe.sources
    twice = dataclasses.replace(recipe, sources=(source, dataclasses.replace(source, level_db=1.0)))
    plan = Planned(twice.clip_id, twice, 99, at_once=1)
    assert render_clips.fn(str(made.root), "run", [plan]) == Counts(taken=1, quarantined=1)
    (row,) = made.rows("SELECT reason, detail FROM quarantine WHERE item = ?", [twice.clip_id])
    assert tuple(row.values()) == ("too_many_at_once", "2 sounds at once, 1 were asked")


def test_more_clips_begin_with_the_same_ones(made):
    root = str(made.root)
    fewer, more = ({p.clip_id for p in plan_clips(root, n)} for n in (6, 12))
    assert len(more) == 12 and len(fewer - more) == 0


@pytest.fixture
def grown(made):
    """A lake into which more came after its six clips: takes of every split, and a recording of a room."""
    takes = made.rows(
        "SELECT a.*, p.split FROM assets a JOIN partitions p ON p.item = a.asset_id AND p.kind = 'take'"
    )
    ledger = made.rows("SELECT * FROM partitions WHERE kind = 'take' ORDER BY item")
    others = [
        {**take, "asset_id": f"{n:064d}", "item": f"more-{n}", "event": f"new/sound_{n % 5}"}
        for n, take in enumerate(takes)
    ]
    entries = [
        {**ledger[0], "item": other["asset_id"], "group_id": other["item"], "split": other.pop("split")}
        for other in others
    ]
    (foa, *_) = made.rows("SELECT * FROM assets WHERE kind = 'foa' ORDER BY asset_id")
    made.table("assets").append(
        [*others, {**foa, "asset_id": "f" * 64, "item": "longer", "duration_s": 42.0}]
    )
    made.table("partitions").append(entries)
    made.table("dry_events").append(
        [
            {"take_id": o["asset_id"], "event": f"sound {n % 5}", "duration_s": 1.0, "loudness_lufs": -20.0}
            for n, o in enumerate(others)
            if n % 7
        ]
    )
    return made


def test_clips_that_are_there_are_counted_though_the_pool_has_grown(made, grown):
    root = str(grown.root)
    there = {row["clip_id"] for row in grown.rows("SELECT clip_id FROM clips")}
    assert [plan for plan in plan_clips(root, 6) if plan.source] == []
    assert render_clips.fn(root, "run", plan_clips(root, 6)) == Counts(taken=6, already=6)
    doubled = [plan for plan in plan_clips(root, 12) if not isinstance(plan.source, LeftOut)]
    assert len({plan.clip_id for plan in doubled}) == 12
    assert {plan.clip_id for plan in doubled if plan.source is None} == there
    used = {one.event for plan in doubled if plan.number is not None for one in plan.source.sources}
    assert any(event.startswith("sound ") for event in used), "the new ones use what came later"
    takes = {one.take_id for plan in doubled if plan.number is not None for one in plan.source.sources}
    known = {row["take_id"] for row in grown.rows("FROM dry_events")}
    assert takes <= known, "only takes that passed as dry sounds of a home"


def test_fewer_clips_than_there_are_make_none(made):
    assert render_clips.fn(str(made.root), "run", plan_clips(str(made.root), 4)) == Counts(taken=4, already=4)


def test_a_clip_that_is_missing_is_made_in_its_place(made):
    numbered = "SELECT split, number FROM clips WHERE origin = 'simulated' ORDER BY ALL"
    before = made.rows(numbered)
    with made.transaction("forget") as tx:
        tx.sql("DELETE FROM clips WHERE split = 'train' AND number = 1")
    (plan,) = [plan for plan in plan_clips(str(made.root), 6) if plan.source]
    assert (plan.source.split, plan.number) == ("train", 1)
    assert {"split": "train", "number": 1} in before


def test_clips_that_cannot_be_asked_are_set_aside_and_tried_again_when_there_are_more(made):
    root = str(made.root)
    with made.transaction("forget") as tx:
        tx.sql("DELETE FROM questions")
        tx.sql(
            "DELETE FROM clip_events WHERE clip_id = (SELECT min(clip_id) FROM clips WHERE split = 'train')"
        )
    (clip,) = made.rows("SELECT min(clip_id) AS id FROM clips WHERE split = 'train'")
    counts = ask_clips.fn(root, "run")
    assert (counts.taken, counts.made) == (6, 2 * counts.done) and counts.quarantined >= 1
    query = "SELECT item, reason, detail FROM quarantine WHERE step = 'ask-clips' ORDER BY item"
    aside = {row["item"]: row for row in made.rows(query)}
    assert len(aside) == counts.quarantined == 6 - counts.done
    assert (aside[clip["id"]]["reason"], aside[clip["id"]]["detail"]) == (
        "no_clear_question",
        "the clip has no labels",
    )
    assert ask_clips.fn(root, "run") == Counts(taken=6, already=6)
    row = {**made.rows("SELECT * FROM clips WHERE split = 'train' LIMIT 1")[0], "clip_id": "clip-another"}
    made.table("clips").append([row])
    counts = ask_clips.fn(root, "run")
    assert counts.quarantined >= 2, "the clip without labels is tried again, beside the new one"

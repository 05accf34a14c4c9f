"""The published layout, both numberings, and predictions in every form."""

import io
import json

import numpy as np
import pytest
import soundfile
from hypothesis import given
from hypothesis import strategies as st

from sonolake.audio.encode import wav_bytes
from sonolake.errors import InvalidInput, ItemRefused, NotFound
from sonolake.spatial.benchmark import read_predictions, read_records, score
from sonolake.spatial.benchmark.audio import hearing
from sonolake.spatial.benchmark.published import published_files, read_published

OPTIONS = {
    "A": "A dog barks.",
    "B": "A cat and a bell are heard.",
    "C": "One hears rain.",
    "D": "There is a tap.",
}


def pair(stage, answer, **more):
    return {"stage": stage, "question": "Which?", "options": OPTIONS, "answer": answer, **more}


def record(segment, *pairs):
    return {"segment_id": segment, "qa_pairs": list(pairs)}


@pytest.fixture
def folder(tmp_path):
    """Two numberings of one category, an older spelling of the keys, and a segment with two records."""
    place = tmp_path / "dev_QA"
    place.mkdir()
    legacy = {
        "layer": 1,
        "question": "Which?",
        "options": OPTIONS,
        "correct_option": "C",
        "answer": OPTIONS["C"],
    }
    files = {
        "dev-000000.json": [
            record(
                "dev-000000.json",
                pair(1, "A"),
                pair(2, "B", category_id=4, category_name="Temporal relation"),
            ),
            record(
                "dev-000000.json",
                pair(2, "D", category_id=4, category_name="Spatial Relations"),
                pair(1, "A"),
            ),
        ],
        "dev-000001.json": [
            record("dev-000001.json", legacy, pair(2, "A", category_id=2, category_name="Spatial location"))
        ],
    }
    for name, records in files.items():
        (place / name).write_text(json.dumps({"records": records}))
    (place / "metadata.json").write_text('{"version": 1}')
    return place


def test_categories_go_by_name_whatever_their_number(folder):
    found = read_records(folder)
    assert [(r.record_id, r.clip_id, r.dimension) for r in found] == [
        ("dev-000000", "dev-000000", "TR"),
        ("dev-000000~2", "dev-000000", "SR"),
        ("dev-000001", "dev-000001", "SL"),
    ]
    assert [r.stage_1.answer + r.stage_2.answer for r in found] == ["AB", "AD", "CA"]
    assert found[0].origin == "" and found[0].concurrent is None and found[0].distance == ""


@pytest.mark.parametrize(
    "broken",
    [
        [pair(1, "A")],
        [pair(1, "A"), pair(2, "B", category_name="SC"), pair(2, "B", category_name="SC")],
        [pair(1, "A"), pair(2, "B", category_name="4")],
        [pair(1, "A"), pair(2, "B")],
        [pair(1, "E"), pair(2, "B", category_name="SC")],
        [pair(1, "A"), {**pair(2, "B", category_name="SC"), "options": ["yes", "no"]}],
        ["text"],
    ],
)
def test_a_broken_record_is_named(tmp_path, broken):
    path = tmp_path / "dev-7.json"
    path.write_text(json.dumps({"records": [record("dev-7.json", *broken)]}))
    with pytest.raises(InvalidInput, match=r"dev-7\.json, dev-7"):
        read_published(path)


@pytest.mark.parametrize("path", ["/etc/passwd", "../secret.wav", "a/../../b.wav", "a\\b.wav", 7])
def test_a_path_that_leads_out_of_the_folder_is_refused(tmp_path, path):
    one = {**record("dev-7.json", pair(1, "A"), pair(2, "B", category_name="SC")), "audio_path": path}
    (tmp_path / "dev-7.json").write_text(json.dumps({"records": [one]}))
    with pytest.raises(InvalidInput, match=r"dev-7\.json, dev-7"):
        read_published(tmp_path / "dev-7.json")


def test_recordings_lie_where_records_say_or_beside_the_questions(folder, tmp_path):
    """Named, in the folder; by their names' beginning, in a folder of its own beside it; and written so again."""
    named = {
        **record("dev-000002.json", pair(1, "A"), pair(2, "B", category_name="SC")),
        "audio_path": "a/b.wav",
    }
    (folder / "dev-000002.json").write_text(json.dumps({"records": [named]}))
    four = np.zeros((240, 4), np.int16)
    for place, level in ((folder / "a/b.wav", 1000), (tmp_path / "dev_audio/dev-000001.wav", 2000)):
        place.parent.mkdir()
        place.write_bytes(wav_bytes(four + np.int16(level), 24000))
    records = {r.clip_id: r for r in read_records(folder)}
    hear = hearing(folder, "four")
    levels = [
        soundfile.read(io.BytesIO(hear(records[f"dev-00000{n}"])), dtype="int16")[0].max() for n in (2, 1)
    ]
    assert levels == [1000, 2000]
    with pytest.raises(ItemRefused, match=r"dev_audio/dev-000000\.wav"):
        hear(records["dev-000000"])
    again = {r.clip_id: r for r in read_again(tmp_path / "again", records.values())}
    assert again["dev-000002"] == records["dev-000002"]
    assert again["dev-000001"].audio == "audio/dev-000001.wav"


def read_again(place, records):
    place.mkdir()
    for name, content in published_files(records).items():
        (place / name).write_bytes(content)
    return read_published(place)


def test_other_json_and_empty_folders_are_refused(tmp_path):
    with pytest.raises(NotFound, match="no questions"):
        read_records(tmp_path)
    (tmp_path / "a.json").write_text("[1]")
    with pytest.raises(InvalidInput, match="with records"):
        read_records(tmp_path)


@given(st.data())
def test_what_is_written_is_read_again(records, tmp_path_factory, data):
    some = tuple(
        data.draw(st.lists(st.sampled_from(records), min_size=1, max_size=8, unique_by=lambda r: r.clip_id))
    )
    place = tmp_path_factory.mktemp("published")
    files = published_files(some)
    for name, content in files.items():
        (place / name).write_bytes(content)
    found = {r.clip_id: r for r in read_published(place)}
    assert len(found) == len(some)
    for one in some:
        other = found[one.clip_id]
        assert (other.stage_1, other.stage_2, other.dimension) == (one.stage_1, one.stage_2, one.dimension)
        assert (other.origin, other.concurrent, other.farthest_m) == (
            one.origin,
            one.concurrent,
            one.farthest_m,
        )
    assert published_files(reversed(some)) == files


def test_categories_are_written_as_the_scorer_numbers_them(records):
    files = published_files(records[:6])
    ids = {}
    for name, content in files.items():
        if name != "metadata.json":
            second = json.loads(content)["records"][0]["qa_pairs"][1]
            ids[second["category_name"]] = second["category_id"]
    assert ids == {
        "Sound Counting": 1,
        "Source Localization": 2,
        "Temporal Detection": 3,
        "Spatial Relations": 4,
        "Temporal Relations": 5,
        "Action Prediction": 6,
    }


def test_predictions_in_lines(records, write_lines):
    path = write_lines(
        [
            {"question_id": "r0/2", "answer": "(B)", "stage1": "C"},
            {"question_id": "r1/1", "answer": "A"},
            {"question_id": "r1/2", "answer": {"letter": "D"}, "context": "oracle"},
            {"question_id": "r0/2", "answer": "A"},
            {"question_id": "elsewhere", "answer": "A"},
            {"question_id": "r2/2"},
            {"question_id": "r2/2", "answer": "A", "context": "some"},
            ["r2/2", "A"],
        ]
    )
    with path.open("a") as lines:
        lines.write("{broken\n\n")
    found = read_predictions(path, records)
    assert found.answers == {
        ("r0/2", "predicted"): "(B)",
        ("r0/1", "predicted"): "C",
        ("r1/1", ""): "A",
        ("r1/2", "oracle"): '{"letter": "D"}',
    }
    assert found.contexts == ("predicted", "oracle")
    assert [one.where for one in found.troubles] == [f"line {n}" for n in range(4, 10)]
    assert "answered before" in found.troubles[0].why


def test_predictions_in_the_published_layout(folder, tmp_path):
    answers = tmp_path / "answers"
    answers.mkdir()
    rows = [
        record("dev-000000.json", pair(1, "A"), pair(2, "(B) A cat", category_name="whatever")),
        record("dev-000000", pair(1, "x", prediction="A"), pair(2, None, prediction="Final answer: C")),
        record("dev-9.json", pair(1, "A"), pair(2, "A")),
        record("dev-000001.json", pair(1, "A")),
    ]
    (answers / "all.json").write_text(json.dumps({"records": rows}))
    records = read_records(folder)
    found = read_predictions(answers, records)
    assert [one.why.partition(":")[0] for one in found.troubles] == [
        "no record dev-9",
        "no pair of each stage",
    ]
    whole = score("x", records, found, 0).overall
    # right: stage 1 of the first two, stage 2 of the first
    assert (whole.stage_1.value, whole.stage_2.value, whole.grounded.value) == pytest.approx(
        (2 / 3, 1 / 3, 1 / 3)
    )


def test_no_predictions_at_all(tmp_path, records):
    with pytest.raises(NotFound, match="no predictions"):
        read_predictions(tmp_path / "none.jsonl", records)

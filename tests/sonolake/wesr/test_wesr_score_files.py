"""References and hypotheses in files, in all the layouts of the published evaluator."""

import json

import pytest

from sonolake.errors import InvalidInput, NotFound
from sonolake.wesr.counts import Counts
from sonolake.wesr.predictions import Entry, read
from sonolake.wesr.scorefiles import score_files
from sonolake.wesr.texts import Texts


def lines(path, rows):
    text = "".join(
        (row if isinstance(row, str) else json.dumps(row, ensure_ascii=False)) + "\n" for row in rows
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def reference(tmp_path):
    return lines(
        tmp_path / "r.jsonl",
        [
            {
                "audio": {"path": "bench/a.wav", "array": None},
                "sentence": "one [laughs] two",
                "language": "en",
            },
            {"audio": {"path": "bench/b.wav"}, "sentence": "<singing> 三四 </singing>"},
        ],
    )


TEXTS = {"a.wav": "one [laughs] two", "b.wav": "<singing> 三四 </singing>"}


@pytest.mark.parametrize(
    "rows",
    [
        [{"audio": {"path": "x/" + name}, "sentence": text} for name, text in TEXTS.items()],
        [{"audio_path": "C:\\clips\\" + name, "sentence": {"tagged_asr": text}} for name, text in TEXTS.items()],
        [{"id": name, "sentence": text} for name, text in TEXTS.items()],
        ["", "\ufeff" + json.dumps({"id": "a.wav", "sentence": TEXTS["a.wav"]}), "  ",
         {"id": "b.wav", "sentence": TEXTS["b.wav"]}],
    ],
)  # fmt: skip
def test_lines(tmp_path, reference, rows):
    found = score_files(reference, lines(tmp_path / "h.jsonl", rows))
    assert (found.scores.micro, found.scores.missing) == (Counts(3, 0, 0), 0)
    assert (found.unreadable, found.repeated, found.unknown) == ((), 0, 0)


def test_a_folder_holds_samples_or_lines_at_any_depth(tmp_path, reference):
    folder = tmp_path / "answers"
    for name, text in TEXTS.items():
        lines(folder / name / "part.jsonl", [{"id": name, "sentence": text}])
    assert score_files(reference, folder).scores.micro == Counts(3, 0, 0)
    samples = [{"audio_path": name, "prediction": ""} for name in TEXTS]
    (folder / "whole.json").write_text(json.dumps({"samples": samples}))
    assert score_files(reference, folder).scores.micro == Counts(0, 0, 3)


def test_names_are_compared_in_one_normal_form(tmp_path):
    right = lines(tmp_path / "r.jsonl", [{"id": "cafe\u0301.wav", "sentence": "a [cough]"}])
    answer = lines(tmp_path / "h.jsonl", [{"id": "caf\u00e9.wav", "sentence": "a [cough]"}])
    assert score_files(right, answer).scores.missing == 0


def test_bad_lines_are_told_and_count_as_missing(tmp_path, reference):
    rows = [
        '{"id": "a.wav", "sentence": "one [lau',
        {"id": "a.wav", "sentence": None},
        {"sentence": "who said this"},
        {"id": True, "sentence": "x"},
        '{"id": "a.wav", "sentence": "\\ud800"}',
        "[" * 100_000,
        {"id": "b.wav", "sentence": "first"},
        {"id": "b.wav", "sentence": TEXTS["b.wav"]},
        {"id": "c.wav", "sentence": "nobody asked"},
    ]
    found = score_files(reference, lines(tmp_path / "h.jsonl", rows))
    assert (found.scores.n, found.scores.missing, found.scores.micro) == (2, 1, Counts(2, 0, 1))
    assert [one.where for one in found.unreadable] == [f"h.jsonl:{n}" for n in range(1, 7)]
    assert (found.unreadable_count, found.repeated, found.unknown) == (6, 1, 1)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"id": "a", "sentence": 3}], "r.jsonl:1.*sentence is no text"),
        ([{"id": "a", "sentence": "x"}, {"id": "a", "sentence": "y"}], "one text an utterance"),
        ([], "at least one reference"),
    ],
)
def test_references_must_be_right(tmp_path, rows, message):
    answers = lines(tmp_path / "h.jsonl", [{"id": "a", "sentence": "x"}])
    with pytest.raises(InvalidInput, match=message):
        score_files(lines(tmp_path / "r.jsonl", rows), answers)


def test_answers_to_nothing_are_a_mistake_of_the_caller(tmp_path, reference):
    answers = lines(tmp_path / "h.jsonl", [{"id": "bench-a", "sentence": "x"}])
    with pytest.raises(InvalidInput, match="other file names or ids"):
        score_files(reference, answers)


def test_paths_without_transcripts(tmp_path, reference):
    with pytest.raises(NotFound, match="neither a file nor a folder"):
        score_files(reference, tmp_path / "none.jsonl")
    (tmp_path / "empty").mkdir()
    with pytest.raises(NotFound, match=r"no \.json or \.jsonl"):
        score_files(reference, tmp_path / "empty")
    (tmp_path / "list.json").write_text("[]")
    with pytest.raises(InvalidInput, match="samples"):
        list(read(tmp_path / "list.json"))


def test_entries_come_in_order(reference):
    assert list(read(reference)) == [Entry(name, text) for name, text in TEXTS.items()]


def test_texts_are_a_mapping():
    with Texts() as texts:
        assert texts.add("b", "1") is None
        assert texts.add("b", "2") == "1"
        texts.add("a", "3")
        assert dict(texts) == {"a": "3", "b": "2"}
        assert texts.get("c") is None
        assert "c" not in texts

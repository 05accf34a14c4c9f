"""Corpora into the lake: clips with their licence, texts as annotations, refusals with their reason."""

import json

import numpy as np
import pytest

from sonolake.audio.encode import wav_bytes
from sonolake.lake.step import Counts
from sonolake.wesr.corpora.converting import Choices
from sonolake.wesr.corpora.reading import read
from sonolake.wesr.corpora.tables import corpus_of
from tasks.corpora import count_tags, import_clips
from tasks.utterances import recordings

TEXTS = {
    "a.wav": "[ahem] 实际上，是",
    "b.wav": "他[sneeze]走",
    "c.wav": "他[giggling]走",
    "d.wav": "没有 [sigh]",
    "e.wav": "[sigh] 静",
}


def sound(number):
    rng = np.random.default_rng(number)
    t = np.arange(32_000) / 16_000
    x = np.convolve(rng.standard_normal(32_000), np.hanning(5 + 11 * number), "same")
    x *= 1 + np.sin(2 * np.pi * (2 + 3 * number) * t)
    return wav_bytes(np.round(12000 * x / np.abs(x).max()).astype(np.int16), 16_000)


@pytest.fixture
def clips(tmp_path):
    folder = tmp_path / "mnv"
    folder.mkdir()
    rows = []
    for number, (name, text) in enumerate(TEXTS.items()):
        if name != "d.wav":
            silent = wav_bytes(np.zeros(16_000, dtype=np.int16), 16_000)
            (folder / name).write_bytes(silent if name == "e.wav" else sound(number))
        rows.append({"audio": name, "txt": text, "speaker": "s1", "filename": name})
    (folder / "test.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return list(read(corpus_of("mnv-17"), folder))


def test_clips_become_annotated_utterances(lake, path, clips):
    counts = import_clips.fn(path, "run-1", "mnv-17", clips, Choices())
    assert counts == Counts(taken=1, done=1, made=counts.made)
    (asset,) = lake.rows("SELECT * FROM assets")
    assert (asset["item"], asset["source_id"], asset["kind"]) == ("mnv-17/a.wav", "mnv-17:s1", "speech")
    assert (asset["licence"], asset["language"], asset["transcript"]) == (
        "LicenseRef-unclear",
        "zh",
        "实际上，是",
    )
    assert asset["author"] == "MNV-17"
    (utterance,) = lake.rows("SELECT * FROM utterances")
    assert (utterance["start_s"], utterance["end_s"], utterance["transcript"]) == (0.0, 2.0, "实际上，是")
    assert lake.media.read(utterance["audio"])[:4] == b"fLaC"
    assert lake.rows("SELECT * FROM annotations") == [
        {
            "utterance_id": utterance["utterance_id"],
            "source": "corpus:mnv-17",
            "text": "[clear_throat] 实际上，是",
        }
    ]
    refused = {row["item"]: row["reason"] for row in lake.rows("SELECT item, reason FROM quarantine")}
    assert refused == {
        "mnv-17/b.wav": "dropped_tag",
        "mnv-17/c.wav": "unknown_tag",
        "mnv-17/d.wav": "missing",
        "mnv-17/e.wav": "silent",
    }


def test_a_second_time_there_is_nothing_to_do(lake, path, clips):
    import_clips.fn(path, "run-1", "mnv-17", clips, Choices())
    again = import_clips.fn(path, "run-2", "mnv-17", clips, Choices())
    assert again == Counts(taken=1, already=1)
    assert len(recordings(lake)) == 1
    assert len(lake.rows("FROM annotations")) == 1


def test_tags_are_counted(lake, path, clips):
    for _ in range(2):
        count_tags.fn(path, "mnv-17", clips, Choices())
    rows = lake.rows("SELECT tag, becomes, times, utterances FROM corpus_tags ORDER BY tag")
    # the clip without its sound is not among them
    assert [tuple(row.values()) for row in rows] == [
        ("ahem", "clear_throat", 1, 1),
        ("giggling", "", 1, 1),
        ("sigh", "sigh", 1, 1),
        ("sneeze", "-drop", 1, 1),
    ]

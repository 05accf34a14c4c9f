"""Sets in a lake: gold from judgements, what the benchmark has left out of training, the proof, the report."""

import datetime as dt
import json

import numpy as np
import pytest

from sonolake.audio.encode import flac_bytes
from sonolake.errors import Refused
from sonolake.lake.step import Counts
from tasks.contents.benchmarks import benchmarks_of
from tasks.contents.data_sets import wesr_bench, wesr_train
from tasks.partitioning import split_sources
from tasks.wesr_sets import divide, keep_gold, left_out, print_utterances, report, wanted

RATE = 16_000
TEXTS = {
    "bench": "and so [laughs] they went home",
    "same-source": "quite [sigh] another text of five",
    "same-sound": "yet <singing> something else was said </singing>",
    "same-words": "And so they [cough] went home",
    "apart": "nothing [inhale] of it is here",
}


def pcm(seed, level=12_000):
    rng = np.random.default_rng(seed)
    t = np.arange(2 * RATE) / RATE
    x = np.convolve(rng.standard_normal(len(t)), np.hanning(4 + 9 * seed), "same")
    x *= 1 + np.sin(2 * np.pi * (2 + 3 * seed) * t)
    return np.round(level * x / np.abs(x).max()).astype(np.int16)


@pytest.fixture
def annotated(lake, add_assets):
    """Five utterances; two sounds are one at another level, two have one source."""
    sounds = {name: pcm(seed) for seed, name in enumerate(TEXTS)} | {"same-sound": pcm(0, 6_000)}
    sources = {name: name for name in TEXTS} | {"same-source": "bench"}
    ids = add_assets(*({"name": name, "kind": "speech", "source_id": sources[name]} for name in TEXTS))
    rows = [
        {
            "utterance_id": name,
            "asset_id": asset_id,
            "audio": lake.media.put(flac_bytes(sounds[name], RATE)),
            "start_s": 0.0,
            "end_s": 2.0,
            "language": "en",
            "transcript": None,
        }
        for name, asset_id in zip(TEXTS, ids, strict=True)
    ]
    lake.table("utterances").append(rows)
    written = [
        {"utterance_id": name, "source": source, "text": text if source != "model:x" else "worse"}
        for name, text in TEXTS.items()
        for source in ("corpus:x", "model:x")
    ]
    lake.table("annotations").append(written)
    hours = [dt.datetime(2026, 1, 1, hour, tzinfo=dt.UTC) for hour in (9, 8)]
    lake.table("judgements").append(
        [
            {"item": "bench", "question": "wesr:gold", "answer": text, "rater": rater, "decided_at": at}
            for text, rater, at in zip(
                (TEXTS["bench"], "an earlier answer"), ("eva", "ann"), hours, strict=True
            )
        ]
        + [{"item": "gone", "question": "wesr:gold", "answer": "x", "rater": "eva", "decided_at": hours[0]}]
    )
    return lake


def test_the_sets_are_apart(annotated, path):
    assert keep_gold.fn(path) == 1
    assert annotated.rows("FROM gold") == [
        {"utterance_id": "bench", "text": TEXTS["bench"], "decided_by": "eva"}
    ]
    assert print_utterances.fn(path, "run-1", wanted(annotated)) == Counts(taken=5, done=5)
    assert print_utterances.fn(path, "run-2", wanted(annotated)) == Counts(taken=5, already=5)
    still = dict.fromkeys(
        ("still_source", "still_speaker", "still_samples", "still_sound", "still_transcript"), 0
    )
    for _ in range(2):
        assert divide.fn(path) == {"benchmark": 1, "training": 1, "left_out": 3, **still}
        parts = {row["utterance_id"]: (row["part"], row["source"]) for row in annotated.rows("FROM sets")}
        assert parts == {
            "bench": ("benchmark", "gold"),
            "apart": ("training", "corpus:x"),
            **dict.fromkeys(("same-source", "same-sound", "same-words"), ("left_out", "corpus:x")),
        }
        found = annotated.rows("SELECT utterance_id, how, of FROM set_overlaps ORDER BY utterance_id")
        assert [tuple(row.values()) for row in found] == [
            ("same-sound", "sound", "bench"),
            ("same-source", "source", "bench"),
            ("same-words", "transcript", "bench"),
        ]


def test_whom_the_benchmark_has_heard_is_not_trained_on(annotated, path, add_assets):
    """In whatever source; what nobody knows ties nothing."""
    with annotated.transaction("speakers") as tx:
        tx.sql("UPDATE assets SET speaker = CASE WHEN item = 'same-words' THEN 'unknown' ELSE 'p225' END")
    keep_gold.fn(path)
    print_utterances.fn(path, "run", wanted(annotated))
    assert divide.fn(path)["training"] == 0
    found = annotated.rows(
        "SELECT utterance_id FROM set_overlaps WHERE how = 'speaker' ORDER BY utterance_id"
    )
    assert [row["utterance_id"] for row in found] == ["apart", "same-sound", "same-source"]


def test_the_report(annotated, path, tmp_path):
    keep_gold.fn(path)
    print_utterances.fn(path, "run-1", wanted(annotated))
    divide.fn(path)
    assert report.fn(path, str(tmp_path / "out")) == [
        "benchmark-tags.svg",
        "statistics.md",
        "training-tags.svg",
    ]
    said = (tmp_path / "out" / "statistics.md").read_text()
    assert "| WESR-Bench | 1 | 0.00 | EN |" in said
    assert "| Total Tags | 1 | 1 | 100.00 |" in said
    assert "| transcript | 1 |" in said


def test_without_gold_everything_is_for_training(annotated, path):
    with annotated.transaction("no judgements") as tx:
        tx.sql("DELETE FROM judgements")
    assert keep_gold.fn(path) == 0
    print_utterances.fn(path, "run-1", wanted(annotated))
    assert divide.fn(path)["training"] == 5


@pytest.fixture
def divided(lake, path, annotated):
    """The sets, after every source got a split."""
    keep_gold.fn(path)
    print_utterances.fn(path, "run", wanted(lake))
    divide.fn(path)
    split_sources.fn(path, "run")
    return lake


def test_the_sets_are_configs_and_the_benchmark_is_for_testing(divided):
    bench, train = (of(divided, divided.snapshot) for of in (wesr_bench, wesr_train))
    assert (bench.name, list(bench.splits)) == ("wesr-bench", ["test"])
    (row,) = bench.splits["test"].to_pylist()
    assert (row["item_id"], row["written_by"], row["tagged_text"]) == ("bench", "gold", TEXTS["bench"])
    (row,) = [row for table in train.splits.values() for row in table.to_pylist()]
    assert (train.name, row["item_id"], row["written_by"]) == ("wesr-train", "apart", "corpus:x")


def test_a_release_has_what_is_in_the_sets_and_references_to_score_against(divided):
    configs = [of(divided, divided.snapshot) for of in (wesr_bench, wesr_train)]
    files = benchmarks_of(configs, left_out(divided, divided.snapshot))
    assert set(files) == {
        f"wesr/{name}"
        for name in ("statistics.md", "benchmark-tags.svg", "training-tags.svg", "references.jsonl")
    }
    assert json.loads(files["wesr/references.jsonl"]) == {"id": "bench", "sentence": TEXTS["bench"]}
    text = files["wesr/statistics.md"].decode()
    assert "WESR-Bench" in text and "WESR-Train" in text
    # One utterance each was left out by its source, by its sound and by its words.
    assert all(f"| {how} | 1 |" in text for how in ("source", "sound", "transcript"))


def test_sets_that_share_a_source_are_not_released(divided):
    with divided.transaction("by hand") as tx:
        tx.sql("UPDATE sets SET part = 'training' WHERE utterance_id = 'same-source'")
    configs = [of(divided, divided.snapshot) for of in (wesr_bench, wesr_train)]
    with pytest.raises(Refused, match=r"in the training and the benchmark set: \['bench'\]"):
        benchmarks_of(configs, {})

"""Recordings cut into utterances: what is not kept is in the quarantine, stretch by stretch."""

import json

import numpy as np
import pytest

from sonolake.audio.encode import flac_bytes, quantise
from sonolake.audio.resample import resample
from sonolake.errors import InvalidInput
from sonolake.lake.step import Counts
from sonolake.models.registry import get
from sonolake.wesr.vetting import Cutting
from tasks.utterances import cut_recordings, hearing

RATE = 24_000
ONE = "Good morning everybody, it is a pleasure to see so many of you here."
TWO = "The train to the coast leaves at seven, so please do not be late again."


@pytest.fixture(scope="module")
def said():
    """Two sentences with four seconds between them, and a short word after: the second one in loud noise."""
    voice = get("hibari:heart")
    one, two, word = (resample(voice.speak(text, 1), voice.sample_rate, RATE) for text in (ONE, TWO, "Yes."))
    two = two + 0.1 * np.random.default_rng(0).standard_normal(len(two))
    pause = np.zeros(4 * RATE)
    x = np.concatenate([pause, one, pause, two, pause, word, pause])
    return np.clip(x, -1, 1), (4.0, 4.0 + len(one) / RATE)


def speech(lake, samples, licence):
    kept = lake.media.put(flac_bytes(quantise(samples), RATE))
    lake.table("assets").append(
        [{"asset_id": kept, "kind": "speech", "item": kept, "source_id": kept, "licence": licence}]
    )
    return kept


def test_what_may_not_be_changed_is_an_utterance_as_a_whole_or_none(lake, path, said):
    samples, (start, end) = said
    whole = speech(lake, samples, "CC-BY-NC-ND-4.0")
    assert cut(path, whole, quality="none", longest_s=10) == Counts(taken=1, quarantined=1)
    (row,) = lake.rows("FROM quarantine")
    assert row["reason"] == "no_derivatives" and row["detail"].startswith("CC-BY-NC-ND-4.0 lets nobody cut")
    short = speech(lake, samples[round((start - 1) * RATE) : round((end + 1) * RATE)], "CC-BY-ND-4.0")
    assert cut(path, short, quality="none", denoiser="deepfilternet").done == 0
    assert cut(path, short, quality="none") == Counts(taken=1, done=1, made=1)
    (row,) = lake.rows("FROM utterances")
    assert row["start_s"] == 0.0 and row["end_s"] == pytest.approx(end - start + 2, abs=1e-3)
    free = speech(lake, 0.9 * samples[round((start - 1) * RATE) : round((end + 1) * RATE)], "CC-BY-4.0")
    assert cut(path, free, quality="none").done == 1
    (row,) = lake.rows("FROM utterances WHERE asset_id = ?", [free])
    assert row["start_s"] > 0.5 and row["end_s"] < end - start + 1.5


@pytest.fixture
def recording(lake, said):
    kept = lake.media.put(flac_bytes(quantise(said[0]), RATE))
    lake.table("assets").append(
        [{"asset_id": kept, "kind": "speech", "item": "talk", "source_id": "talk", "language": "en-GB"}]
    )
    return kept


def cut(path, asset_id, **settings):
    return cut_recordings.fn(path, "run", [asset_id], 1, Cutting(**settings))


def test_noisy_speech_is_left_out_and_each_drop_is_a_row(lake, path, recording, said):
    counts = cut(path, recording, least_quality=2.5)
    assert counts == Counts(taken=3, done=1, quarantined=2, made=1)
    (row,) = lake.rows("FROM utterances")
    start, end = said[1]
    assert row["start_s"] <= start + 0.2 and row["end_s"] >= end - 0.3 and row["end_s"] < end + 1
    assert row["quality"] >= 2.5 and row["transcript"] is None and row["language"] == "en-GB"
    drops = lake.rows("SELECT item, reason FROM quarantine ORDER BY item")
    assert sorted(drop["reason"] for drop in drops) == ["low_quality", "too_short"]
    assert all(drop["item"].startswith(f"{recording}#t=") for drop in drops)
    roles = {r["role"] for r in lake.rows("SELECT role FROM lineage WHERE child = ?", [row["utterance_id"]])}
    assert roles == {"speech", "code", "environment", "vad", "tagger", "quality"}
    assert cut(path, recording, least_quality=2.5) == Counts(taken=1, already=1)


def test_a_recording_of_which_nothing_is_kept_is_tried_again_with_other_settings(lake, path, recording):
    assert cut(path, recording, least_quality=5.0).quarantined == 4
    assert lake.rows("SELECT reason FROM quarantine WHERE item = ?", [recording]) == [
        {"reason": "nothing_kept"}
    ]
    assert cut(path, recording, least_quality=5.0) == Counts(taken=1, already=1)
    assert cut(path, recording, quality="none").done == 1
    rows = lake.rows("FROM utterances")
    assert len(rows) == 2 and {row["quality"] for row in rows} == {None}
    assert [r["reason"] for r in lake.rows("FROM quarantine")] == ["too_short"], "the other verdicts are gone"


@pytest.mark.soak
def test_the_recogniser_gives_words_with_times_and_filters_languages(lake, path, recording):
    pytest.importorskip("faster_whisper")
    counts = cut(path, recording, recogniser="whisper:base", languages=["en"], least_quality=2.5)
    assert counts.done == 1
    (row,) = lake.rows("FROM utterances")
    assert row["language"] == "en-GB" and row["transcript_by"] == "whisper:base"
    assert "a pleasure to see so many of you here" in row["transcript"].lower()
    words = json.loads(row["words"])
    assert words[0]["text"].strip(" ,.").lower() == "good"
    assert all(0 <= w["start_s"] <= w["end_s"] <= row["end_s"] - row["start_s"] + 0.01 for w in words)


def test_a_recogniser_that_is_installed_hears_unless_another_one_or_none_is_named(monkeypatch):
    monkeypatch.setattr("tasks.utterances.available", lambda role: {"recognition": ("whisper:base",)}[role])
    asked = {named: hearing(Cutting(recogniser=named)).recogniser for named in ("", "whisper:own", "none")}
    assert asked == {"": "whisper:base", "whisper:own": "whisper:own", "none": "none"}
    monkeypatch.setattr("tasks.utterances.available", lambda role: ())
    assert hearing(Cutting()).recogniser == "none"


def test_a_wrong_language_is_left_out_without_anybody_listening(lake, path, recording):
    assert cut(path, recording, quality="none", languages=["zh"]).done == 0
    reasons = [row["reason"] for row in lake.rows("SELECT reason FROM quarantine ORDER BY reason")]
    assert reasons == ["nothing_kept", "too_short", "wrong_language", "wrong_language"]


def test_a_model_that_is_not_known_is_said(path, recording):
    with pytest.raises(InvalidInput, match="model"):
        cut(path, recording, denoiser="magic")

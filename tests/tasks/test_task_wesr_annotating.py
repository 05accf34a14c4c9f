"""Automatic annotation of a lake's utterances: by the packaged models, and by a chat model behind an endpoint."""

import json
from dataclasses import replace

import numpy as np
import pytest

from sonolake.audio.encode import flac_bytes
from sonolake.errors import InvalidInput, ItemRefused, LimitReached
from sonolake.lake.step import Counts
from sonolake.models.base import Transcript, Word
from sonolake.wesr.automatic.events import CLASSES
from tasks.wesr_annotating import Annotating, annotate_utterances

RATE = 16_000


@pytest.fixture
def utterances(lake):
    """Three utterances, the last without a transcript."""
    rows = []
    for number, text in enumerate(("one two", "three four", None)):
        t = np.arange(2 * RATE) / RATE
        tone = np.round(3000 * np.sin(2 * np.pi * (300 + number) * t)).astype(np.int16)
        audio = lake.media.put(flac_bytes(tone, RATE))
        rows.append(
            {"utterance_id": f"u{number}", "asset_id": audio, "audio": audio, "start_s": 0.0, "end_s": 2.0}
            | {"language": "en", "transcript": text}
        )
    lake.table("utterances").append(rows)
    return [row["utterance_id"] for row in rows]


def annotations(lake):
    return {r["utterance_id"]: r["text"] for r in lake.rows("SELECT * FROM annotations")}


class Tagger:
    """Hears a cough in the second of three windows."""

    spec, weights_sha256, licence, window_s, hop_s = "tagger", "0" * 64, "CC0-1.0", 0.96, 0.48

    def __init__(self):
        self.labels = tuple(name for names in CLASSES.values() for name in names)

    def tag(self, x, rate):
        scores = np.zeros((3, len(self.labels)), dtype=np.float32)
        scores[1, self.labels.index("Cough")] = 0.8
        return scores


class Recogniser:
    """Hears two words, the second from 1.2 s on; nothing in what is to have no words."""

    spec, weights_sha256, licence = "recogniser", "0" * 64, "CC0-1.0"
    said = ("three", "four")

    def transcribe(self, x, rate, language=""):
        words = tuple(Word(text, n * 1.2, n * 1.2 + 0.5) for n, text in enumerate(self.said))
        return Transcript(" ".join(self.said), words, "en")


@pytest.fixture
def heard(monkeypatch):
    """Models whose answers are known; the aligner finds no speech."""

    class Aligner:
        def align(self, x, rate, words):
            raise ItemRefused("alignment_failed", "a tone")

    models = {"yamnet": Tagger(), "whisper:base": Recogniser(), "pocketsphinx": Aligner()}
    monkeypatch.setattr("tasks.wesr_annotating.get", models.__getitem__)
    return models


def test_the_packaged_models_put_events_between_the_words(lake, path, utterances, heard):
    counts = annotate_utterances.fn(path, "run", utterances, Annotating())
    assert counts == Counts(taken=3, done=3, made=3)
    # The cough's window is from 0.48 to 1.44 s, its middle 0.96 s: after the first word (to 0.5 s) and before the
    # second (from 1.2 s). "one two" was not heard: its words share the two seconds evenly.
    assert annotations(lake) == {
        "u0": "one [cough] two",
        "u1": "three [cough] four",
        "u2": "three [cough] four",
    }
    (row,) = lake.rows("SELECT DISTINCT source FROM annotations")
    assert row["source"] == "model:embedded"
    assert annotate_utterances.fn(path, "run", utterances, Annotating()) == Counts(taken=3, already=3)


def test_times_of_words_that_are_kept_are_used(lake, path, utterances, heard):
    kept = [{"text": "one", "start_s": 0.0, "end_s": 0.2, "confidence": 0.9}]
    kept.append({"text": "two", "start_s": 0.3, "end_s": 0.9, "confidence": 0.9})
    with lake.transaction("recognised") as tx:
        tx.sql("UPDATE utterances SET words = ? WHERE utterance_id = 'u0'", [json.dumps(kept)])
    annotate_utterances.fn(path, "run", ["u0"], Annotating())
    # The cough is at 0.96 s, after both words.
    assert annotations(lake) == {"u0": "one two [cough]"}


def test_without_a_transcript_and_without_words_it_is_set_aside(lake, path, utterances, heard):
    """A transcript without words is none: the recogniser is asked, and only where it hears nothing is there nothing."""
    with lake.transaction("dots") as tx:
        tx.sql("UPDATE utterances SET transcript = '… !!' WHERE utterance_id = 'u2'")
    assert annotate_utterances.fn(path, "run", ["u2"], Annotating()).done == 1
    assert annotations(lake) == {"u2": "three [cough] four"}
    with lake.transaction("nothing is heard") as tx:
        tx.sql("DELETE FROM annotations")
    heard["whisper:base"].said = ()
    counts = annotate_utterances.fn(path, "run", utterances, Annotating())
    assert (counts.done, counts.quarantined) == (2, 1)
    (row,) = lake.rows("SELECT item, reason FROM quarantine WHERE step = 'annotate'")
    assert row == {"item": "u2", "reason": "no_words"}


def test_a_chat_model_hears_and_its_refused_answers_are_set_aside(lake, path, utterances, provider):
    said = {"one two": "one [laughs] two", "three four": "I am sorry, I cannot do that."}

    def answer(body):
        first = body["messages"][1]["content"]
        assert first[1]["type"] == "input_audio"
        return next((text for words, text in said.items() if words in first[0]["text"]), "so [sigh]")

    provider.answer = answer
    how = Annotating(f"openai:hears@{provider.url}")
    counts = annotate_utterances.fn(path, "run", utterances, how)
    assert counts == Counts(taken=3, done=2, quarantined=1, made=2)
    assert annotations(lake) == {"u0": "one [laughs] two", "u2": "so [sigh]"}
    (row,) = lake.rows("SELECT item, reason, detail FROM quarantine")
    assert (row["item"], row["reason"]) == ("u1", "annotation_refused") and "words differ" in row["detail"]
    asked = len(provider.requests)
    assert asked == 1 + 1 + 3
    assert annotate_utterances.fn(path, "run", utterances, how) == Counts(taken=3, already=3)
    assert len(provider.requests) == asked, "what was refused with the same settings is not asked again"
    assert lake.rows("SELECT requests FROM chat_use") == [{"requests": 5}]


def test_another_gate_tries_again_from_memory(lake, path, utterances, provider):
    provider.answer = lambda body: "one too [cough]"
    how = Annotating(f"openai:hears@{provider.url}")
    assert annotate_utterances.fn(path, "run", ["u0"], how).quarantined == 1
    asked = len(provider.requests)
    loose = Annotating(f"openai:hears@{provider.url}", most_errors=0.5)
    assert annotate_utterances.fn(path, "run", ["u0"], loose).done == 1
    assert annotations(lake) == {"u0": "one two [cough]"} and len(provider.requests) == asked


def test_a_model_that_reads_gets_words_and_events(lake, path, utterances, provider, heard):
    provider.answer = lambda body: "three [cough] four" if "four" in str(body) else "one two"
    how = Annotating(f"openai:reads@{provider.url}", described=True)
    assert annotate_utterances.fn(path, "run", ["u1"], how).done == 1
    (asked,) = provider.requests
    said = asked["messages"][1]["content"]
    assert "four 1.20-1.70" in said and "cough at 0.96 s" in said


def test_the_budget_ends_it_with_what_is_done_and_a_larger_one_goes_on(lake, path, utterances, provider):
    provider.answer = lambda body: next(
        (text for text in ("one two", "three four") if text in str(body["messages"][1])), "so [sigh]"
    )
    # An answer has at most 1,000 tokens, which are set aside, and takes 10 of them: room for one, not for a second.
    budget = 1000e-6 + 5e-6
    how = Annotating(f"openai:hears@{provider.url}", workers=1, budget=budget, price_out=1.0)
    with pytest.raises(LimitReached, match="goes on where this ends"):
        annotate_utterances.fn(path, "run", utterances, how)
    assert annotations(lake) == {"u0": "one two"} and lake.rows("FROM quarantine") == []
    assert lake.rows("SELECT taken, done FROM step_counts") == [{"taken": 1, "done": 1}]
    with pytest.raises(LimitReached):
        annotate_utterances.fn(path, "run", utterances, how)
    assert len(provider.requests) == 1, "what a run took before counts"
    counts = annotate_utterances.fn(path, "run-2", utterances, replace(how, budget=1.0))
    assert counts == Counts(taken=3, done=2, already=1, made=2) and len(provider.requests) == 3
    used = lake.rows("SELECT run_id, requests, cost FROM chat_use ORDER BY run_id")
    assert [(row["run_id"], row["requests"]) for row in used] == [("run", 1), ("run-2", 2)]
    assert [row["cost"] for row in used] == pytest.approx([1e-5, 2e-5])


def test_settings_that_cannot_be_are_said_at_once():
    with pytest.raises(InvalidInput, match="a price with it"):
        Annotating("openai:hears@http://localhost:1/v1", budget=1.0)
    with pytest.raises(InvalidInput, match="cost nothing"):
        Annotating(budget=1.0, price_in=1.0)
    with pytest.raises(InvalidInput, match="openai:MODEL"):
        Annotating("gpt")
    with pytest.raises(InvalidInput, match="least score"):
        Annotating(heard=0.0)

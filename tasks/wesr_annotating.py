"""WESR: vocal events written into the transcripts of utterances, by a chat model or by the packaged models."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from prefect import task

from schemas import Annotations, valid_rows
from sonolake.audio.decode import decode
from sonolake.errors import InvalidInput, ItemRefused, LimitReached
from sonolake.ids import make_id
from sonolake.lake import Lake
from sonolake.lake.catalog import among
from sonolake.lake.step import Already, Batch, Counts, Done, Edge, Outcome, Quarantined, attempt
from sonolake.lake.transaction import Transaction
from sonolake.models.chat import chat_model
from sonolake.models.registry import get
from sonolake.wesr.asking import wav_of
from sonolake.wesr.automatic.asking import ChatAnnotator, Utterance
from sonolake.wesr.automatic.checking import MOST_ERRORS
from sonolake.wesr.automatic.events import HEARD, Event, events_in
from sonolake.wesr.automatic.placing import placed, times_onto
from sonolake.wesr.prompt import marking_prompt
from sonolake.wesr.tagged import words_of
from sonolake.wesr.writing import without_tags
from tasks.answers import asking, meter_of
from tasks.opening import run_of

STEP = "annotate"
CODE_VERSION = "2"
EMBEDDED = "embedded"
NO_WORDS = "no_words"
"""Reason of an utterance without a transcript in which no word is heard."""


@dataclass(frozen=True)
class Annotating:
    """Who annotates, and how.

    Attributes:
        model: ``embedded``, or a chat model such as ``openai:MODEL@URL``.
        described: the chat model gets words, their times and the tagger's events in words, and no sound.
        recogniser: who hears words where there is no transcript, or none that can be aligned.
        heard: least score of an event of the embedded annotator.
        most_errors: word errors per word of the transcript that a chat model's answer may have.
        requests: to the chat model, a minute at most; 0 for no limit.
        workers: utterances asked about at the same time.
        budget: money that the run may take; None for no limit.
        price_in, price_out: for a million tokens sent and received.
    """

    model: str = EMBEDDED
    described: bool = False
    recogniser: str = "whisper:base"
    heard: float = HEARD
    most_errors: float = MOST_ERRORS
    requests: int = 0
    workers: int = 4
    budget: float | None = None
    price_in: float = 0.0
    price_out: float = 0.0

    def __post_init__(self) -> None:
        if not 0 < self.heard <= 1:
            raise InvalidInput("least score of an event", "above 0, up to 1", self.heard)
        if self.model != EMBEDDED:
            chat_model(self.model).close()
        elif self.budget is not None:
            raise InvalidInput("budget", "a chat model with it: the packaged ones cost nothing", self.budget)
        meter_of(self)

    @property
    def source(self) -> str:
        """What stands as the source in ``annotations``."""
        return f"model:{self.model}"

    @property
    def attempt(self) -> str:
        """With what an utterance is tried; what was refused with the same is not tried again."""
        said = vars(replace(self, workers=1, requests=0))
        money = ("budget", "price_in", "price_out")
        given = {name: value for name, value in said.items() if name not in money}
        given["prompt"] = marking_prompt()
        return f"{CODE_VERSION}:{make_id('annotating', given)}"


@task(persist_result=False)
def annotate_utterances(lake: str, run_id: str, utterance_ids: Sequence[str], how: Annotating) -> Counts:
    """Annotate one batch; those that this model has annotated are left alone, and what cannot be is set aside.

    Raises:
        LimitReached: at the budget, when what was annotated by then is committed.
    """
    run = run_of(lake, STEP, run_id)
    ids = among(utterance_ids)
    rows = {r["utterance_id"]: r for r in run.lake.rows(f"{_ROWS} WHERE utterance_id IN {ids}")}
    settled = _there(run.lake, how.source, ids) | {
        r["item"]
        for r in run.lake.rows(
            f"SELECT item FROM quarantine WHERE step = ? AND attempt = ? AND item IN {ids}",
            [STEP, how.attempt],
        )
    }
    batch = Batch(STEP, "utterance", how.attempt)
    with _annotator(run.lake, run_id, how) as annotate, ThreadPoolExecutor(how.workers) as pool:

        def one(name: str) -> Outcome | LimitReached:
            if name in settled:
                return Already()
            try:
                return attempt(lambda row: _done(row, annotate(row), how), rows[name])
            except LimitReached as limit:
                return limit

        stopped = None
        for name, outcome in zip(utterance_ids, pool.map(one, utterance_ids), strict=True):
            if isinstance(outcome, LimitReached):
                stopped = outcome
            else:
                batch.put(
                    name,
                    replace(outcome, attempt=how.attempt) if isinstance(outcome, Quarantined) else outcome,
                )

    def settle(tx: Transaction, batch: Batch) -> None:
        done = among([name for name, _ in batch.done()])
        rows = tx.sql(f"{_OWN} AND utterance_id IN {done}", [how.source]).to_pylist()
        for row in rows:
            batch.change(row["utterance_id"], Already())

    counts = run.commit(batch, settle)
    if stopped is not None:
        raise stopped
    return counts


_ROWS = "SELECT utterance_id, audio, language, transcript, words FROM utterances"
_OWN = "SELECT utterance_id FROM annotations WHERE source = ?"


def _there(lake: Lake, source: str, ids: str) -> set[str]:
    return {r["utterance_id"] for r in lake.rows(f"{_OWN} AND utterance_id IN {ids}", [source])}


def _done(row: Mapping[str, Any], text: str, how: Annotating) -> Done:
    name = row["utterance_id"]
    made = valid_rows(Annotations, [{"utterance_id": name, "source": how.source, "text": text}])
    edges = [
        Edge(f"{name}:{how.source}", name, "utterance"),
        Edge(f"{name}:{how.source}", how.source, "model"),
    ]
    return Done({"annotations": made}, tuple(edges), made=1)


@contextmanager
def _annotator(lake: Lake, run_id: str, how: Annotating) -> Iterator[Any]:
    """From a row of ``utterances`` to its tagged text."""
    if how.model == EMBEDDED:
        yield lambda row: _embedded(lake, row, how)
        return
    with asking(lake, run_id, how.model, how) as asker:
        chat = ChatAnnotator(asker, how.most_errors)
        yield lambda row: chat.annotate(_asked(lake, row, how))


def _embedded(lake: Lake, row: Mapping[str, Any], how: Annotating) -> str:
    text, times, events = _heard(lake, row, how)
    return placed(text, times, events)


def _asked(lake: Lake, row: Mapping[str, Any], how: Annotating) -> Utterance:
    transcript = without_tags(row["transcript"] or "")
    if not how.described:
        return Utterance(transcript, wav_of(lake.media.read(row["audio"]), row["audio"]))
    text, times, events = _heard(lake, row, how)
    words = tuple((word, *span) for word, span in zip(words_of(text), times, strict=True))
    return Utterance(text, None, (words, tuple(events)))


def _heard(
    lake: Lake, row: Mapping[str, Any], how: Annotating
) -> tuple[str, list[tuple[float, float]], list[Event]]:
    """An utterance's transcript without tags, the times of its words, and its events."""
    decoded = decode(lake.media.read(row["audio"]), row["audio"])
    samples, rate = decoded.samples.mean(axis=1), decoded.sample_rate
    tagger = get("yamnet")
    events = events_in(tagger.tag(samples, rate), tagger.labels, tagger.hop_s, tagger.window_s, how.heard)
    language = (row["language"] or "").partition("-")[0].lower()
    text = without_tags(row["transcript"] or "")
    text = text if words_of(text) else ""
    if text and row["words"]:
        kept = [(word["text"], word["start_s"], word["end_s"]) for word in json.loads(row["words"])]
        return text, times_onto(text, kept, len(samples) / rate), events
    if text and language in ("", "en") and (times := _aligned(text, samples, rate)):
        return text, times, events
    found = get(how.recogniser).transcribe(samples, rate, language)
    text = text or found.text
    if not words_of(text):
        raise ItemRefused(NO_WORDS, "there is no transcript, and no word is heard")
    heard = [(word.text, word.start_s, word.end_s) for word in found.words]
    return text, times_onto(text, heard, len(samples) / rate), events


def _aligned(text: str, samples: Any, rate: int) -> list[tuple[float, float]]:
    """Times of the words by forced alignment; none where the speech cannot carry them."""
    try:
        words = get("pocketsphinx").align(samples, rate, words_of(text)).words
    except (ItemRefused, InvalidInput):
        return []
    return [(word.start_s, word.end_s) for word in words]

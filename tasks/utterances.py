"""WESR: speech recordings cut into utterances that never cut a vocal event."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from prefect import task

from schemas import Utterances, valid_rows
from sonolake.audio.encode import flac_bytes, quantise
from sonolake.audio.levels import db_to_gain, peak
from sonolake.datasets.making import make
from sonolake.errors import ItemRefused
from sonolake.ids import make_id
from sonolake.lake import Lake
from sonolake.lake.catalog import among
from sonolake.lake.step import Counts, Done, Edge, Outcome
from sonolake.models.registry import get
from sonolake.wesr.utterances import Interval, Utterance, utterances
from sonolake.wesr.vocal_classes import VOCAL_CLASSES
from tasks.opening import lake_at, run_of
from tasks.sounds import Signal, mono

CODE_VERSION = "1"
STEP = "cut-utterances"
VOCAL_SCORE = 0.2
"""A window in which the classes of vocal events add up to this much is not cut."""
CEILING = db_to_gain(-0.1)
WHOLE_S = 0.5
"""An utterance that leaves less than this out on both sides has the recording's transcript."""


def recordings(lake: Lake) -> list[str]:
    """The speech recordings, by id."""
    return [
        r["asset_id"]
        for r in lake.rows("SELECT asset_id FROM assets WHERE kind = 'speech' ORDER BY asset_id")
    ]


@task(retries=1, retry_delay_seconds=5, persist_result=False)
def cut_recordings(lake: str, run_id: str, asset_ids: Sequence[str], workers: int = 1) -> Counts:
    """Cut one batch of recordings; one without speech is refused."""
    run = run_of(lake, STEP, run_id)
    rows = run.lake.rows(f"SELECT * FROM assets WHERE asset_id IN {among(asset_ids)}")
    things = {row["asset_id"]: row for row in rows}
    return make(
        run,
        STEP,
        things,
        "utterances",
        "asset_id",
        lambda asset: _cut(lake, asset),
        code_version=CODE_VERSION,
        workers=workers,
    )


def _cut(lake: str, asset: Mapping[str, Any]) -> Outcome:
    samples, rate = mono(lake, asset["asset_id"])
    duration = len(samples) / rate
    found = utterances(
        get("silero").segments(samples, rate), duration, vocal_intervals(samples, rate, duration)
    )
    if not found.utterances:
        raise ItemRefused("no_speech", f"no utterance of 2 to 30 s in {duration:.1f} s")
    rows = [cut_out(lake, asset, utterance, samples, rate) for utterance in found.utterances]
    edges = tuple(edge for row in rows for edge in _edges(str(row["utterance_id"]), asset["asset_id"]))
    return Done({"utterances": valid_rows(Utterances, rows)}, edges, made=len(rows))


def _edges(utterance_id: str, asset_id: str) -> list[Edge]:
    models = {"vad": get("silero"), "tagger": get("yamnet")}
    edges = [
        Edge(utterance_id, asset_id, "speech"),
        Edge(utterance_id, f"code:{STEP}:{CODE_VERSION}", "code"),
    ]
    return edges + [
        Edge(utterance_id, f"model:{m.spec}@{m.weights_sha256}", role) for role, m in models.items()
    ]


def vocal_intervals(samples: Signal, rate: int, duration_s: float) -> list[Interval]:
    """Stretches in which the tagger hears a vocal event, in seconds."""
    tagger = get("yamnet")
    columns = [tagger.labels.index(name) for name in VOCAL_CLASSES]
    scores = tagger.tag(samples, rate)[:, columns].sum(axis=1)
    starts = np.flatnonzero(scores >= VOCAL_SCORE) * tagger.hop_s
    spans = ((float(s), min(float(s) + tagger.window_s, duration_s)) for s in starts)
    return [span for span in spans if span[1] > span[0]]


def utterance_id(asset_id: str, utterance: Utterance) -> str:
    """Name of a stretch of a recording."""
    return make_id("utterance", {"of": asset_id, "start_s": utterance.start_s, "end_s": utterance.end_s})


def cut_out(
    lake: str, asset: Mapping[str, Any], utterance: Utterance, samples: Signal, rate: int
) -> dict[str, Any]:
    """The row of an utterance; its FLAC is in media when this returns."""
    start, end = utterance.start_s, utterance.end_s
    part = samples[round(start * rate) : round(end * rate)]
    top = peak(part)
    pcm = quantise(part if top <= CEILING else part * (CEILING / top))
    whole = start < WHOLE_S and end > len(samples) / rate - WHOLE_S
    return {
        "utterance_id": utterance_id(asset["asset_id"], utterance),
        "asset_id": asset["asset_id"],
        "audio": lake_at(lake).media.put(flac_bytes(pcm, rate)),
        "start_s": start,
        "end_s": end,
        "language": asset["language"],
        "transcript": asset["transcript"] if whole else None,
    }

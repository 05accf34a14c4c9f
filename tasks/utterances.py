"""WESR: speech recordings cut into utterances that never cut a vocal event, rated, recognised and vetted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import Any

import numpy as np
from prefect import task

from schemas import Utterances, valid_rows
from sonolake.datasets.making import make
from sonolake.errors import ItemRefused
from sonolake.ids import make_id
from sonolake.lake import Lake
from sonolake.lake.catalog import among
from sonolake.lake.step import Counts, Done, Edge, Outcome, Quarantined
from sonolake.models.base import Model
from sonolake.models.registry import available, get
from sonolake.rendering.utterances import CODE, recording, sound_of, stretch
from sonolake.serial import to_json
from sonolake.sources.licences import forbids_changes
from sonolake.wesr.utterances import Interval, LeftOut, Segmented, Utterance, utterances
from sonolake.wesr.vetting import NONE, Cutting, Heard, Models, vetted
from sonolake.wesr.vocal_classes import VOCAL_CLASSES
from tasks.opening import lake_at, run_of
from tasks.sounds import Signal

CODE_VERSION = "3"
STEP = "cut-utterances"
QUALITY = "dnsmos"
"""Rates utterances where nobody names another model, and it is installed."""
WHOLE_S = 0.5
"""An utterance that leaves less than this out on both sides has the recording's transcript."""
Aside = dict[str, dict[str, Quarantined]]
"""Of recordings, the stretches that make no utterance."""


def recordings(lake: Lake) -> list[str]:
    """The speech recordings, by id."""
    return [
        r["asset_id"]
        for r in lake.rows("SELECT asset_id FROM assets WHERE kind = 'speech' ORDER BY asset_id")
    ]


def models_of(cutting: Cutting) -> Models:
    """The models that ``cutting`` names.

    Raises:
        InvalidInput: for a name that is not known.
        MissingPackage: for a model that is named and not installed.
    """
    rated = cutting.quality or (QUALITY if QUALITY in available("speech quality") else NONE)
    named = (rated, cutting.denoiser or NONE, cutting.recogniser or NONE)
    return Models(*(None if name == NONE else get(name) for name in named))


def hearing(cutting: Cutting) -> Cutting:
    """The settings with a packaged recogniser where they name none, if one is installed."""
    there = available("recognition")
    return replace(cutting, recogniser=cutting.recogniser or (there[0] if there else NONE))


@task(retries=1, retry_delay_seconds=5, persist_result=False)
def cut_recordings(
    lake: str, run_id: str, asset_ids: Sequence[str], workers: int = 1, cutting: Cutting | None = None
) -> Counts:
    """Cut one batch of recordings; one without speech is refused, and so is each stretch that is not kept."""
    run = run_of(lake, STEP, run_id)
    rows = run.lake.rows(f"SELECT * FROM assets WHERE asset_id IN {among(asset_ids)}")
    things = {row["asset_id"]: row for row in rows}
    settings = cutting or Cutting()
    models, aside = models_of(settings), Aside()
    by = {"quality": models.quality, "recogniser": models.recogniser}
    given = asdict(settings) | {part: model.spec if model else NONE for part, model in by.items()}
    return make(
        run,
        STEP,
        things,
        "utterances",
        "asset_id",
        partial(_cut, lake, settings, models, aside),
        code_version=CODE_VERSION,
        inputs=lambda asset: given,
        aside=aside,
        workers=workers,
    )


def _cut(lake: str, cutting: Cutting, models: Models, aside: Aside, asset: Mapping[str, Any]) -> Outcome:
    samples, rate = recording(lake_at(lake).media, asset["asset_id"])
    duration = len(samples) / rate
    protected = vocal_intervals(samples, rate, duration, cutting.vocal_score)
    found = utterances(get("silero").segments(samples, rate), duration, protected, cutting.limits)
    if forbids_changes(asset["licence"] or ""):
        found = _whole(found, duration, cutting, asset["licence"])
    dropped = aside[asset["asset_id"]] = {_name(asset, one): _left_out(one) for one in found.left_out}
    rows = []
    for one in found.utterances:
        try:
            rows.append(_kept(lake, cutting, models, asset, one, samples, rate))
        except ItemRefused as refused:
            dropped[_name(asset, one)] = Quarantined(refused.reason, refused.detail)
    if not rows:
        if found.utterances:
            raise ItemRefused("nothing_kept", f"none of {len(found.utterances)} utterances is kept")
        raise ItemRefused("no_speech", f"no utterance of {_lengths(cutting)} in {duration:.1f} s")
    edges = tuple(
        edge for row in rows for edge in _edges(str(row["utterance_id"]), asset["asset_id"], models)
    )
    return Done({"utterances": valid_rows(Utterances, rows)}, edges, made=len(rows))


def _whole(found: Segmented, duration: float, cutting: Cutting, licence: str) -> Segmented:
    """A recording that may not be changed as its one utterance; nothing where there is no speech.

    Raises:
        ItemRefused: ``no_derivatives``, when it is not as long as one, or would be denoised.
    """
    if not cutting.shortest_s <= duration <= cutting.longest_s:
        detail = (
            f"it is {duration:.1f} s long, and only as it is could it be an utterance, of {_lengths(cutting)}"
        )
        raise ItemRefused("no_derivatives", f"{licence} lets nobody cut a recording: {detail}")
    if (cutting.denoiser or NONE) != NONE:
        raise ItemRefused("no_derivatives", f"{licence} lets nobody change a recording: it is not denoised")
    return Segmented((Utterance(0.0, duration),) if found.utterances else (), ())


def _lengths(cutting: Cutting) -> str:
    return f"{cutting.shortest_s:g} to {cutting.longest_s:g} s"


def _name(asset: Mapping[str, Any], stretch: Utterance | LeftOut) -> str:
    """What a stretch of a recording is called in the quarantine (Media Fragments URI 1.0, 4.2.1)."""
    return f"{asset['asset_id']}#t={stretch.start_s:.3f},{stretch.end_s:.3f}"


def _left_out(stretch: LeftOut) -> Quarantined:
    what = "is too short" if stretch.reason == "too_short" else "is too long and cannot be cut"
    return Quarantined(stretch.reason, f"speech of {stretch.end_s - stretch.start_s:.2f} s {what}")


def _kept(
    lake: str, cutting: Cutting, models: Models, asset: Mapping[str, Any], at: Utterance, x: Signal, rate: int
) -> dict[str, Any]:
    part = stretch(x, rate, at.start_s, at.end_s)
    whole = at.start_s < WHOLE_S and at.end_s > len(x) / rate - WHOLE_S
    said = asset["transcript"] if whole else None
    heard = vetted(part, rate, cutting, models, asset["language"], said)
    return _row(lake, asset, at, heard, rate)


def _edges(utterance_id: str, asset_id: str, models: Models) -> list[Edge]:
    used: dict[str, Model] = {"vad": get("silero"), "tagger": get("yamnet")}
    used |= {role: model for role, model in vars(models).items() if model is not None}
    edges = [
        Edge(utterance_id, asset_id, "speech"),
        Edge(utterance_id, CODE, "code"),
    ]
    return edges + [
        Edge(utterance_id, f"model:{m.spec}@{m.weights_sha256}", role) for role, m in used.items()
    ]


def vocal_intervals(samples: Signal, rate: int, duration_s: float, least: float) -> list[Interval]:
    """Stretches in which the tagger's classes of vocal events add up to ``least`` or more, in seconds."""
    tagger = get("yamnet")
    columns = [tagger.labels.index(name) for name in VOCAL_CLASSES]
    scores = tagger.tag(samples, rate)[:, columns].sum(axis=1)
    starts = np.flatnonzero(scores >= least) * tagger.hop_s
    spans = ((float(s), min(float(s) + tagger.window_s, duration_s)) for s in starts)
    return [span for span in spans if span[1] > span[0]]


def utterance_id(asset_id: str, utterance: Utterance) -> str:
    """Name of a stretch of a recording."""
    return make_id("utterance", {"of": asset_id, "start_s": utterance.start_s, "end_s": utterance.end_s})


def cut_out(
    lake: str, asset: Mapping[str, Any], utterance: Utterance, samples: Signal, rate: int
) -> dict[str, Any]:
    """The row of an utterance as its source describes it; its FLAC is in media when this returns."""
    part = stretch(samples, rate, utterance.start_s, utterance.end_s)
    said = asset["transcript"]
    return _row(lake, asset, utterance, Heard(part, None, asset["language"], said, (), "source"), rate)


def _row(lake: str, asset: Mapping[str, Any], at: Utterance, heard: Heard, rate: int) -> dict[str, Any]:
    return {
        "utterance_id": utterance_id(asset["asset_id"], at),
        "asset_id": asset["asset_id"],
        "audio": lake_at(lake).media.put(sound_of(heard.samples, rate)),
        "start_s": at.start_s,
        "end_s": at.end_s,
        "language": heard.language,
        "transcript": heard.transcript,
        "transcript_by": heard.transcript_by if heard.transcript else None,
        "words": to_json(heard.words) if heard.words else None,
        "quality": heard.quality,
    }

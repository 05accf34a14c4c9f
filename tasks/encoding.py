"""Vectors by an encoder that the user brings, filled beside those in use; and the switch to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
from prefect import task

from sonolake.errors import InvalidInput, ItemRefused, Refused, Unreachable
from sonolake.ids import make_id
from sonolake.lake import Lake
from sonolake.lake.doctor import SPACE
from sonolake.lake.step import Already, Batch, Counts, Done, Edge, Outcome, attempt
from sonolake.models.base import BatchEncoder, Vectors
from sonolake.models.registry import get
from sonolake.search.current import PACKAGED, ROLES, InUse, Role, in_use
from sonolake.search.embedding import LABEL_SPACE, SOUND_SPACE, space_of, window_rows
from tasks.embedding import STEP, assets_of
from tasks.opening import run_of
from tasks.sounds import Signal, mono

TOGETHER_S = 600.0
"""Seconds of sound that are handed to an encoder at once, at most, where they are several."""
OWN = ("beats", "clap", "exec")
"""Kinds of encoders that the user brings."""
FAILED = "encoder_failed"
"""Reason of a sound that an encoder, which answers otherwise, gives no vectors of."""

Group = dict[str, tuple[Signal, int]]
"""Samples and rate by asset."""


@task(retries=1, retry_delay_seconds=5, persist_result=False)
def encode_batch(lake: str, run_id: str, spec: str, asset_ids: Sequence[str]) -> Counts:
    """Write the vectors of one batch of assets by the encoder ``spec`` into its own space; those there are left alone.

    Raises:
        Unreachable: the encoder fails on any sound.
    """
    run, model = run_of(lake, STEP, run_id), own(spec)
    space = space_of(model)
    batch = Batch(
        f"{STEP}-{spec.partition(':')[0]}",
        attempt=make_id("encoder", {"spec": spec, "weights": model.weights_sha256}),
    )
    there = run.lake.vectors.ids(space, model.weights_sha256)
    for asset_id in there.intersection(asset_ids):
        batch.put(asset_id, Already())
    assets = assets_of(run.lake, [one for one in asset_ids if one not in there])
    made: list[pa.Table] = []
    for group in _groups(lake, assets, batch):
        for heard in _heard(model, group, assets):
            batch.put(heard.asset["asset_id"], attempt(partial(_rows, model, made), heard))
    with run.lake.writing():
        if made:
            run.lake.vectors.write(space, pa.concat_tables(made))
    return run.commit(batch)


def own(spec: str) -> BatchEncoder:
    """The user's encoder with this spec.

    Raises:
        InvalidInput: a model that is none.
        MissingPackage, NotFound: it is not here.
    """
    if spec.partition(":")[0] not in OWN or not isinstance(model := get(spec), BatchEncoder):
        raise InvalidInput("--model", "yamnet, beats:FILE, clap:FOLDER or exec:COMMAND", spec)
    return model


@dataclass(frozen=True)
class Heard:
    """An asset, how long it is, and its vectors or why there are none."""

    asset: Mapping[str, Any]
    duration_s: float
    found: Vectors | Unreachable


def _groups(lake: str, assets: Mapping[str, dict[str, Any]], batch: Batch) -> Iterator[Group]:
    """The sounds of assets, several together; one that cannot be decoded is put into the batch."""
    group: Group = {}
    for asset_id, asset in assets.items():
        outcome = attempt(partial(_decode, lake, group), asset)
        if not isinstance(outcome, Done):
            batch.put(asset_id, outcome)
        elif sum(len(samples) / rate for samples, rate in group.values()) >= TOGETHER_S:
            yield group
            group = {}
    if group:
        yield group


def _decode(lake: str, group: Group, asset: Mapping[str, Any]) -> Outcome:
    group[asset["asset_id"]] = mono(lake, asset["asset_id"], asset["convention"] or "")
    return Done()


def _heard(model: BatchEncoder, group: Group, assets: Mapping[str, dict[str, Any]]) -> Iterator[Heard]:
    vectors = _vectors(model, list(group.values()))
    for (asset_id, (samples, rate)), found in zip(group.items(), vectors, strict=True):
        yield Heard(assets[asset_id], len(samples) / rate, found)


def _vectors(model: BatchEncoder, sounds: Sequence[tuple[Signal, int]]) -> list[Vectors | Unreachable]:
    """Vectors of each sound, or why there are none, where the encoder does answer otherwise."""
    try:
        return list(model.encode_many(sounds))
    except Unreachable as error:
        if len(sounds) > 1:
            return [_vectors(model, [one])[0] for one in sounds]
        model.encode(_known(model.sample_rate), model.sample_rate)
        return [error]


def _known(rate: int) -> Signal:
    """A second of a tone: an encoder that fails on it fails altogether."""
    return np.asarray(0.1 * np.sin(2 * np.pi * 440 * np.arange(rate) / rate))


def _rows(model: BatchEncoder, made: list[pa.Table], heard: Heard) -> Outcome:
    if isinstance(heard.found, Unreachable):
        raise ItemRefused(FAILED, str(heard.found))
    rows = window_rows(heard.asset["asset_id"], heard.found, heard.duration_s, heard.asset, model)
    made.append(rows)
    edge = Edge(f"{SPACE}{space_of(model)}", f"model:{model.spec}@{model.weights_sha256}", "model")
    return Done(edges=(edge,), made=rows.num_rows)


@task(persist_result=False)
def switch_to(lake: str, run_id: str, spec: str) -> tuple[Role, ...]:
    """Let searches and mining use the encoder ``spec`` from now on, in one commit, and say for which roles it is new.

    Raises:
        Refused: it has made no vectors yet.
    """
    run = run_of(lake, STEP, run_id)
    wanted = {PACKAGED["sounds"]: _packaged}.get(spec, _brought)(run.lake, spec)
    used = in_use(run.lake)
    new = tuple(one for one in wanted if _differs(one, used.get(one.role)))
    if new:
        at = {"since": datetime.now(UTC), "run_id": run_id}
        rows = [{**vars(one), **at} for one in new]
        with run.lake.transaction(f"searches use {spec}", run_id=run_id, flow=STEP) as tx:
            tx.append("encoders", rows, new=True)
    return tuple(one.role for one in new)


def _differs(wanted: InUse, used: InUse | None) -> bool:
    return wanted != used if used is not None else wanted.model != PACKAGED[wanted.role]


def _packaged(lake: Lake, spec: str) -> list[InUse]:
    spaces = {"words": LABEL_SPACE, "sounds": SOUND_SPACE}
    return [InUse(role, PACKAGED[role], get(PACKAGED[role]).weights_sha256, spaces[role]) for role in ROLES]


def _brought(lake: Lake, spec: str) -> list[InUse]:
    model = own(spec)
    space, weights = space_of(model), model.weights_sha256
    if not lake.vectors.count(space, weights):
        raise Refused(
            f"{spec} has made no vectors in this lake, so that searches stay with the encoder in use"
        )
    roles: tuple[Role, ...] = ROLES if knows_text(model) else ("sounds",)
    return [InUse(role, spec, weights, space) for role in roles]


def knows_text(model: Any) -> bool:
    """Whether an encoder takes words, too."""
    return bool(getattr(model, "knows_text", hasattr(model, "encode_text")))

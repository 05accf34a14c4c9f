"""Vectors of what was taken in: sound and labels for each window, and one for its words."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import pyarrow as pa
from prefect import task

from sonolake.lake import Lake
from sonolake.lake.catalog import among
from sonolake.lake.doctor import SPACE
from sonolake.lake.step import Already, Batch, Counts, Done, Edge, attempt
from sonolake.lake.vector_rows import FILTERS
from sonolake.models.registry import get
from sonolake.search.embedding import (
    EMBEDDED,
    LABEL_SPACE,
    SOUND_SPACE,
    TEXT_SPACE,
    class_rows,
    sentence_of,
    sound_rows,
    text_rows,
)
from tasks.opening import run_of
from tasks.sounds import mono

MINED = ("speech",)
"""Kinds whose windows have a vector of class scores each, in :data:`CLASS_SPACE`, so that mining can say where."""
CLASS_SPACE = "classes"
_MODELS = {SOUND_SPACE: "yamnet", LABEL_SPACE: "bridge", CLASS_SPACE: "bridge", TEXT_SPACE: "minilm"}
STEP = "embed"

os.environ.setdefault("LANCE_LOG", "error")


def to_embed(lake: Lake) -> list[str]:
    """The ids of the assets that vectors are made of, in order."""
    rows = lake.rows(f"SELECT asset_id FROM assets WHERE kind IN {among(EMBEDDED)} ORDER BY asset_id")
    return [row["asset_id"] for row in rows]


@task(retries=1, retry_delay_seconds=5, persist_result=False)
def embed_batch(lake: str, run_id: str, asset_ids: Sequence[str]) -> Counts:
    """Write the vectors of one batch of assets; those that these models have made are left alone."""
    run = run_of(lake, STEP, run_id)
    there = _there(run.lake)
    assets = {
        asset_id: asset
        for asset_id, asset in assets_of(run.lake, asset_ids).items()
        if any(asset_id not in there[space] for space in _spaces_of(asset))
    }
    batch = Batch(STEP)
    made: dict[str, list[pa.Table]] = defaultdict(list)
    for asset_id in asset_ids:
        outcome = (
            attempt(lambda a: _embed(lake, a, made), assets[asset_id]) if asset_id in assets else Already()
        )
        batch.put(asset_id, outcome)
    taken = {asset_id for asset_id, _ in batch.done()}
    words = text_rows([row for asset_id, row in assets.items() if asset_id in taken], get("minilm"))
    if words is not None:
        made[TEXT_SPACE].append(words)
    with run.lake.writing():
        for space, tables in made.items():
            run.lake.vectors.write(space, pa.concat_tables(tables))
    return run.commit(batch)


def _there(lake: Lake) -> dict[str, set[str]]:
    """The assets that have vectors of these models, by space: none where the space itself was lost."""
    return {space: lake.vectors.ids(space, get(model).weights_sha256) for space, model in _MODELS.items()}


def _spaces_of(asset: dict[str, Any]) -> list[str]:
    """The spaces in which an asset has vectors."""
    mined = [CLASS_SPACE] if asset["kind"] in MINED else []
    return [SOUND_SPACE, LABEL_SPACE, *mined, *([TEXT_SPACE] if sentence_of(asset) else [])]


def assets_of(lake: Lake, asset_ids: Sequence[str]) -> dict[str, dict[str, Any]]:
    """What is copied beside the vectors of assets, and what says how to hear them, by id."""
    columns = ", ".join(f"a.{name}" for name in FILTERS if name != "split")
    rows = lake.rows(
        f"SELECT a.asset_id, a.title, a.transcript, a.tags, a.convention, {columns}, p.split FROM assets a "
        "LEFT JOIN partitions p ON p.item = a.asset_id AND p.kind = a.kind "
        f"WHERE a.asset_id IN {among(asset_ids)}"
    )
    return {row["asset_id"]: row for row in rows}


def _embed(lake: str, asset: dict[str, Any], made: dict[str, list[pa.Table]]) -> Done:
    samples, rate = mono(lake, asset["asset_id"], asset["convention"] or "")
    rows = sound_rows(asset["asset_id"], samples, rate, asset, get("yamnet"), get("bridge"))
    if asset["kind"] in MINED:
        rows[CLASS_SPACE] = class_rows(asset["asset_id"], samples, rate, asset, get("yamnet"), get("bridge"))
    for space, table in rows.items():
        made[space].append(table)
    models = {space: get(_MODELS[space]) for space in _spaces_of(asset)}
    edges = (
        Edge(f"{SPACE}{space}", f"model:{m.spec}@{m.weights_sha256}", "model") for space, m in models.items()
    )
    return Done(edges=tuple(edges), made=rows[SOUND_SPACE].num_rows)

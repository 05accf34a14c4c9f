"""Vectors of what was taken in: sound and labels for each window, and one for its words."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import pyarrow as pa
from prefect import task

from sonolake.lake import Lake
from sonolake.lake.step import Already, Batch, Counts, Done, attempt
from sonolake.lake.vector_rows import FILTERS, vector_id
from sonolake.models.registry import get
from tasks.opening import run_of
from tasks.sounds import mono

EMBEDDED = ("take", "ambience", "speech", "vocal", "foa")
"""Kinds of assets that are searched; responses and what is made are not."""
SPACES = ("yamnet", "labels", "text")
STEP = "embed"

os.environ.setdefault("LANCE_LOG", "error")


def to_embed(lake: Lake) -> list[str]:
    """The ids of the assets that vectors are made of, in order."""
    rows = lake.rows(
        "SELECT asset_id FROM assets WHERE kind IN (SELECT unnest(?)) ORDER BY asset_id", [list(EMBEDDED)]
    )
    return [row["asset_id"] for row in rows]


@task(retries=1, retry_delay_seconds=5, persist_result=False)
def embed_batch(lake: str, run_id: str, asset_ids: Sequence[str]) -> Counts:
    """Write the vectors of one batch of assets; those that these models have made are left alone."""
    run = run_of(lake, STEP, run_id)
    done_before = _embedded(run.lake)
    batch = Batch(STEP)
    rows: dict[str, list[dict[str, Any]]] = {space: [] for space in SPACES}
    assets = {a["asset_id"]: a for a in _assets(run.lake, asset_ids)}
    for asset_id in asset_ids:
        if asset_id in done_before:
            batch.put(asset_id, Already())
        else:
            batch.put(asset_id, attempt(lambda a: _embed(lake, a, rows), assets[asset_id]))
    with run.lake.writing():
        for space, made in rows.items():
            run.lake.vectors.write(space, pa.Table.from_pylist(made) if made else pa.table({}))
    return run.commit(batch)


def _embedded(lake: Lake) -> set[str]:
    spaces = (("yamnet", get("yamnet")), ("labels", get("bridge")), ("text", get("minilm")))
    return set.intersection(*(lake.vectors.ids(space, model.weights_sha256) for space, model in spaces))


def _assets(lake: Lake, asset_ids: Sequence[str]) -> list[dict[str, Any]]:
    columns = ", ".join(f"a.{name}" for name in FILTERS if name != "split")
    return lake.rows(
        f"SELECT a.asset_id, a.title, a.transcript, a.tags, a.convention, {columns}, p.split FROM assets a "
        "LEFT JOIN partitions p ON p.item = a.asset_id AND p.kind = a.kind "
        "WHERE a.asset_id IN (SELECT unnest(?))",
        [list(asset_ids)],
    )


def _embed(lake: str, asset: dict[str, Any], rows: dict[str, list[dict[str, Any]]]) -> Done:
    yamnet, bridge, minilm = get("yamnet"), get("bridge"), get("minilm")
    samples, rate = mono(lake, asset["asset_id"], asset["convention"] or "")
    vectors, scores = yamnet.analyse(samples, rate)
    duration = len(samples) / rate
    facts = {name: asset[name] for name in ("asset_id", *FILTERS)}
    made: dict[str, list[dict[str, Any]]] = {space: [] for space in SPACES}
    for n, (vector, score) in enumerate(zip(vectors, scores, strict=True)):
        start = n * yamnet.hop_s
        window = {
            **facts,
            "vector_id": vector_id(asset["asset_id"], n),
            "window": n,
            "start_s": start,
            "end_s": min(start + yamnet.window_s, duration),
        }
        made["yamnet"].append({**window, **_model(yamnet), "vector": vector})
        made["labels"].append({**window, **_model(bridge), "vector": bridge.clip_vector(score[None])})
    text = words_of(asset)
    if text:
        (vector,) = minilm.encode([text])
        row = {**facts, "vector_id": vector_id(asset["asset_id"]), **_model(minilm), "vector": vector}
        made["text"].append(row)
    for space, new in made.items():
        rows[space] += new
    return Done(made=len(vectors))


def _model(model: Any) -> dict[str, str]:
    return {"model": model.spec, "weights_sha256": model.weights_sha256}


def words_of(asset: dict[str, Any]) -> str:
    """What is known of an asset in words: title, sound, place and transcript."""
    event = (asset["event"] or "").rpartition("/")[2].replace("_", " ")
    place = (asset["location"] or "").replace("_", " ")
    parts = dict.fromkeys(p for p in (asset["title"], event, place, asset["transcript"]) if p)
    return ". ".join(parts)


__all__ = ["EMBEDDED", "SPACES", "embed_batch", "to_embed", "words_of"]

"""The flow that makes vectors of what was taken in."""

from __future__ import annotations

from prefect import flow

from flows.running import in_batches, pool, run_in
from sonolake.errors import InvalidInput
from sonolake.lake.step import Counts
from tasks.embedding import embed_batch, to_embed
from tasks.opening import lake_at

BATCH = 20
MODELS = ("yamnet",)
"""Encoders that the flow knows; the label bridge and sentence vectors come with YAMNet."""


@flow(task_runner=pool(), name="embed", description="Make the vectors that searches and mining compare.")
def embed(lake: str, model: str = "yamnet") -> dict[str, Counts]:
    """Make the vectors of every asset that has none by this model."""
    if model not in MODELS:
        raise InvalidInput("--model", f"one of {', '.join(MODELS)}", model)
    with run_in(lake, "embed", {"model": model}) as run:
        in_batches(
            "embed", to_embed(lake_at(lake)), BATCH, lambda ids: embed_batch.submit(lake, run.run_id, ids)
        )
        return run.counts()

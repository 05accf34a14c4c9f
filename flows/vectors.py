"""The flow that makes vectors of what was taken in."""

from __future__ import annotations

from functools import partial

from prefect import flow

from flows.progress import say
from flows.running import in_batches, pool, run_in
from sonolake.lake.step import Counts
from sonolake.search.current import PACKAGED, in_use
from tasks.embedding import embed_batch, to_embed
from tasks.encoding import encode_batch, own, switch_to
from tasks.opening import lake_at

BATCH = 20
OWN_BATCH = 100
"""Of the user's encoders: a command loads its model once a batch."""
EMBEDDED = PACKAGED["sounds"]


@flow(task_runner=pool(), name="embed", description="Make the vectors that searches and mining compare.")
def embed(lake: str, model: str = "") -> dict[str, Counts]:
    """Make the vectors of every asset that has none by the packaged models, and by the encoder in use or named.

    Args:
        lake: where the lake is.
        model: an encoder that searches shall use from now on: its vectors are filled beside those in use, and when
            all are there, searches go over to it at once; ``yamnet`` goes back to the packaged ones. When left out,
            whatever is in use is filled up.

    Raises:
        InvalidInput: a model that is no encoder.
        MissingPackage, NotFound, Unreachable: an encoder that is not here, or does not answer.
    """
    used = dict.fromkeys(one.model for one in in_use(lake_at(lake)).values())
    encoders = dict.fromkeys([*used, *([model] if model not in ("", EMBEDDED) else [])])
    if model == EMBEDDED:
        encoders = {}
    for spec in encoders:
        own(spec)
    with run_in(lake, "embed", {"model": model}) as run:
        ids = to_embed(lake_at(lake))
        if not ids:
            say("nothing to embed: the lake has no sounds")
        in_batches("embed", ids, BATCH, lambda some: embed_batch.submit(lake, run.run_id, some))
        for spec in encoders:
            in_batches(f"embed {spec}", ids, OWN_BATCH, partial(encode_batch.submit, lake, run.run_id, spec))
        if model:
            switch_to(lake, run.run_id, model)
        return run.counts()

"""The flow that cuts speech into utterances and mines them for vocal events."""

from __future__ import annotations

from prefect import flow

from flows.running import in_batches, pool, run_in
from flows.vectors import embed
from sonolake.errors import NotFound
from sonolake.lake.step import Counts
from tasks.mining import mine_events
from tasks.opening import lake_at
from tasks.partitioning import split_sources
from tasks.utterances import cut_recordings, recordings

BATCH = 5


@flow(
    task_runner=pool(), name="wesr", description="Cut speech into utterances and mine them for vocal events."
)
def wesr(lake: str, queries: str = "", quota: int = 20) -> dict[str, Counts]:
    """Cut every recording that has no utterances, make their vectors, and mine ``quota`` candidates a label.

    Raises:
        NotFound: when there is no speech.
    """
    speech = recordings(lake_at(lake))
    if not speech:
        raise NotFound("there is no speech to mine: take some in first (python -m flows ingest-speech …)")
    with run_in(lake, "wesr", {"queries": queries, "quota": quota}) as run:
        split_sources(lake, run.run_id)
        in_batches("cut utterances", speech, BATCH, lambda ids: cut_recordings.submit(lake, run.run_id, ids))
        embed(lake)
        mine_events(lake, run.run_id, queries, quota)
        return run.counts()

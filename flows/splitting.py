"""The flow that gives everything in the lake its split."""

from __future__ import annotations

from prefect import flow

from flows.running import run_in
from sonolake.datasets.ledgers import PARTITIONED
from sonolake.lake.step import Counts
from tasks.partitioning import partition_assets, split_rooms


@flow(name="split", description="Extend the ledgers of splits and partitions; nobody who has a split moves.")
def split(lake: str) -> dict[str, Counts]:
    """Partition takes, ambiences and responses, and split rooms."""
    with run_in(lake, "split", {}) as run:
        for kind in PARTITIONED:
            partition_assets(lake, run.run_id, kind)
        split_rooms(lake, run.run_id)
        return run.counts()

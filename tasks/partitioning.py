"""Splits: the ledgers extended by what is in the lake and has no split yet."""

from __future__ import annotations

from prefect import task

from sonolake.datasets import ledgers
from sonolake.lake.step import Counts
from tasks.opening import run_of


@task(persist_result=False)
def partition_assets(lake: str, run_id: str, kind: str, quotas: dict[str, int] | None = None) -> Counts:
    """Partition the takes, ambiences or responses of the lake, stratum by stratum."""
    return ledgers.split_assets(run_of(lake, "split", run_id), kind, quotas)


@task(persist_result=False)
def split_rooms(lake: str, run_id: str) -> Counts:
    """Split the rooms of four-channel responses (train, validation) and of recordings (validation, test)."""
    return ledgers.split_rooms(run_of(lake, "split", run_id))


@task(persist_result=False)
def split_sources(lake: str, run_id: str) -> Counts:
    """Split the sources of speech, then the speakers in them, who follow their sources; the counts are the sources'."""
    run = run_of(lake, "split", run_id)
    counts = ledgers.split_sources(run)
    ledgers.split_speakers(run)
    return counts

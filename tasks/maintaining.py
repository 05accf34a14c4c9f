"""Upkeep of a lake: tables joined, vector spaces indexed and cleaned."""

from __future__ import annotations

from prefect import task

from sonolake.lake.maintenance import Kept, keep_space, keep_tables
from sonolake.lake.run import Run
from sonolake.lake.step import Already, Batch, Done
from tasks.opening import run_of

STEP = "maintain"


@task(persist_result=False)
def maintain_tables(lake: str, run_id: str) -> list[Kept]:
    """Join the small files of all tables."""
    run = run_of(lake, STEP, run_id)
    return _recorded(run, keep_tables(run.lake))


@task(persist_result=False)
def maintain_space(lake: str, run_id: str, space: str) -> Kept:
    """Index, measure and clean one vector space."""
    run = run_of(lake, STEP, run_id)
    return _recorded(run, [keep_space(run.lake, space)])[0]


def _recorded(run: Run, kept: list[Kept]) -> list[Kept]:
    batch = Batch(STEP)
    for one in kept:
        batch.put(one.name, Done() if one.changed else Already())
    run.commit(batch)
    return kept

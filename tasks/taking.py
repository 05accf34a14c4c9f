"""Ingest: one batch of a source's items a task."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence

from prefect import task

from sonolake.lake import Lake
from sonolake.lake.known import Known
from sonolake.lake.step import Counts
from sonolake.sources.ingest import Ingest
from sonolake.sources.intake import Intake
from sonolake.sources.parts import Cutting, base_of
from sonolake.sources.records import Offered
from tasks.opening import run_of

_known: dict[str, Known] = {}
_taking = threading.Lock()


@task(retries=2, retry_delay_seconds=[2, 10], retry_jitter_factor=0.5, persist_result=False)
def take_batch(
    lake: str,
    run_id: str,
    intake: Intake,
    items: Sequence[Offered],
    workers: int = 2,
    cutting: Cutting = Cutting(),  # noqa: B008  (frozen)
) -> Counts:
    """Take one batch into the lake; see :func:`take`."""
    return take(lake, run_id, intake, items, workers, cutting)


def take(
    lake: str,
    run_id: str,
    intake: Intake,
    items: Sequence[Offered],
    workers: int = 2,
    cutting: Cutting = Cutting(),  # noqa: B008  (frozen)
) -> Counts:
    """Take one batch into the lake; batches of a process go one after the other, so that the first of two equal
    sounds is the same one every time."""
    with _taking:
        run, known = run_of(lake, intake.step, run_id), _known.pop(lake, Known())
        ingest = Ingest(run, intake, workers, known, cutting)
        counts = ingest.take(items)
        _known[lake] = ingest.known
        return counts


def refused_among(lake: Lake, intake: Intake, names: Iterable[str]) -> set[str]:
    """Items, or parts of them, that ``intake`` has refused and that are among ``names``."""
    rows = lake.rows("SELECT DISTINCT item FROM quarantine WHERE step = ?", [intake.step])
    wanted = set(names) if rows else set()
    return {row["item"] for row in rows if row["item"] in wanted or base_of(row["item"]) in wanted}

"""What every flow does around its steps: a run in the lake, progress, and the counts at the end."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from prefect.futures import as_completed
from prefect.task_runners import ThreadPoolTaskRunner

from flows.progress import tracking
from sonolake.audio.heap import keep_memory
from sonolake.errors import LimitReached
from sonolake.lake.run import Run, running
from sonolake.lake.step import batches
from tasks.opening import lake_at

T = TypeVar("T")

WORKERS = max(1, min(8, os.cpu_count() or 1))
"""Batches of a flow under way at once."""


def pool() -> ThreadPoolTaskRunner[Any]:
    """The runner of flows that submit batches: no more at once than there are processors."""
    return ThreadPoolTaskRunner(max_workers=WORKERS)


@contextmanager
def run_in(lake: str, flow: str, parameters: Mapping[str, object]) -> Iterator[Run]:
    """A run of ``flow`` in the lake at ``lake``, which is made when it is missing."""
    keep_memory()
    with running(lake_at(lake), flow, parameters) as run:
        yield run


def in_batches(label: str, items: Sequence[T], size: int, submit: Callable[[list[T]], Any]) -> None:
    """Submit a task for each batch of ``items``, showing how many are through.

    Raises:
        Exception: the first one that a task raised after its retries.
    """
    side_by_side(label, len(items), batches(items, size), submit)


def side_by_side(label: str, total: int, chunks: Iterable[list[T]], submit: Callable[[list[T]], Any]) -> None:
    """The same with batches that are made already, of ``total`` items."""
    with tracking(label, total) as advance:
        sizes = {submit(chunk): len(chunk) for chunk in chunks}
        for future in as_completed(list(sizes)):
            future.result()
            advance(sizes[future])


def up_to_limit(
    label: str, items: Sequence[T], size: int, work: Callable[[list[T]], object]
) -> LimitReached | None:
    """Do one batch of ``items`` after the other; gives back the limit, if one ended it early."""
    with tracking(label, len(items)) as advance:
        for chunk in batches(items, size):
            try:
                work(chunk)
            except LimitReached as limit:
                return limit
            advance(len(chunk))
    return None

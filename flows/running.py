"""What every flow does around its steps: a run in the lake, progress, and the counts at the end."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from prefect.futures import as_completed
from prefect.task_runners import ThreadPoolTaskRunner

from flows.progress import tracking
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
    with running(lake_at(lake), flow, parameters) as run:
        yield run


def in_batches(label: str, items: Sequence[T], size: int, submit: Callable[[list[T]], Any]) -> None:
    """Submit a task for each batch of ``items``, showing how many are through.

    Raises:
        Exception: the first one that a task raised after its retries.
    """
    with tracking(label, len(items)) as advance:
        sizes = {submit(chunk): len(chunk) for chunk in batches(items, size)}
        for future in as_completed(list(sizes)):
            future.result()
            advance(sizes[future])

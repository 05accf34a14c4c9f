"""A run told from its start to its end, and runs that were killed told as aborted when they are next seen."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import TYPE_CHECKING, TypeVar

from sonolake.errors import LakeBusy
from sonolake.lake.locks import FileWriterLock, WriterLock
from sonolake.lake.openlineage import events
from sonolake.lake.openlineage.events import Dataset, Event, Job, Parent
from sonolake.lake.openlineage.facts import namespace_of, read_by, written_by
from sonolake.lake.openlineage.keeping import OPEN, Kept
from sonolake.lake.openlineage.sending import send

if TYPE_CHECKING:
    from sonolake.lake.lake import Lake

T = TypeVar("T")
log = logging.getLogger(__name__)
DISABLED, NAMESPACE, PARENT = "OPENLINEAGE_DISABLED", "OPENLINEAGE_NAMESPACE", "OPENLINEAGE_PARENT_ID"
KILLED = "the process of the run ended without an end of the run"
_AROUND: ContextVar[Parent | None] = ContextVar("sonolake_run", default=None)


@contextmanager
def told(lake: Lake, flow: str, run_id: str) -> Iterator[None]:
    """Tell of the run in the block: its START, and how it ends. A lock says that it is at work."""
    if os.environ.get(DISABLED, "").lower() in ("true", "1"):
        yield
        return
    _quietly(lambda: end_killed(lake))
    job = Job(os.environ.get(NAMESPACE) or namespace_of(lake), flow)
    lock = _quietly(lambda: _held(lake, run_id))
    began = _quietly(lambda: _begin(lake, events.start(run_id, job, _AROUND.get() or _from_outside())))
    token = _AROUND.set(Parent(job, run_id))
    try:
        yield
    except BaseException as error:
        how: events.Ending = "FAIL" if isinstance(error, Exception) else "ABORT"
        why = f"{type(error).__name__}: {error}"[:500]
        _quietly(lambda: _end(lake, began, how, why))
        raise
    else:
        _quietly(lambda: _end(lake, began, "COMPLETE"))
    finally:
        _AROUND.reset(token)
        if lock is not None:
            lock.__exit__()
            _forget(lock)


def end_killed(lake: Lake) -> list[str]:
    """Tell of every run as aborted that has no end and whose process is gone; which these are."""
    kept, ended = Kept(lake.storage), []
    for run_id in kept.open_runs():
        lock = lake.lock_of(_lock_name(run_id))
        lock.timeout = 0.0
        with suppress(LakeBusy):
            with lock:
                if _end(lake, kept.began(run_id), "ABORT", KILLED):
                    ended.append(run_id)
            _forget(lock)
    return ended


def _held(lake: Lake, run_id: str) -> WriterLock:
    """The lock of a run at work, held."""
    lock = lake.lock_of(_lock_name(run_id))
    lock.__enter__()
    return lock


def _begin(lake: Lake, event: Event) -> Event:
    Kept(lake.storage).begin(event)
    send(event)
    return event


def _end(lake: Lake, began: Event | None, how: events.Ending, error: str = "") -> bool:
    if began is None:
        return False
    run_id = began["run"]["runId"]
    inputs = _quietly(lambda: read_by(lake, run_id)) or list[Dataset]()
    outputs = _quietly(lambda: written_by(lake, run_id)) or list[Dataset]()
    event = events.end(began, how, inputs, outputs, error)
    first = Kept(lake.storage).finish(event)
    if first:
        send(event)
    return first


def _from_outside() -> Parent | None:
    """The run that started this process, as ``NAMESPACE/JOB/RUN`` in the environment."""
    namespace, _, rest = os.environ.get(PARENT, "").partition("/")
    job, _, run_id = rest.rpartition("/")
    return Parent(Job(namespace, job), run_id) if namespace and job and run_id else None


def _lock_name(run_id: str) -> str:
    return f"{OPEN}/{run_id}"


def _forget(lock: WriterLock) -> None:
    """A lock on a file leaves its file."""
    if isinstance(lock, FileWriterLock):
        lock.file.unlink(missing_ok=True)
        with suppress(OSError):
            lock.file.parent.rmdir()


def _quietly(work: Callable[[], T]) -> T | None:
    """What ``work`` gives; what goes wrong with it is logged, and no fault of the run."""
    try:
        return work()
    except Exception as error:
        log.warning("lineage was not told: %s: %s", type(error).__name__, error)
        return None

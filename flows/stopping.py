"""Ctrl-C while a flow runs: it ends after what is under way; a second one ends it at once."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

from flows.progress import console

FIRST = (
    "stopping after what is under way, which may take a minute; Ctrl-C again stops at once. "
    "Nothing that is done is lost, and the same command goes on."
)
INTERRUPTED = 128 + signal.SIGINT
"""Exit status of a process that SIGINT ended, as shells give it."""


@contextmanager
def stopped_by_ctrl_c() -> Iterator[None]:
    """Say on the first SIGINT that the block is being left; on the next one leave the process.

    Threads that are at work would otherwise hold it, without a word, until they are through. To leave at once is as
    safe as a kill is. For the main thread of a command.
    """
    before = signal.signal(signal.SIGINT, _first)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _first(number: int, frame: FrameType | None) -> NoReturn:
    signal.signal(signal.SIGINT, _second)
    console.print(FIRST, soft_wrap=True)
    raise KeyboardInterrupt


def _second(number: int, frame: FrameType | None) -> NoReturn:
    os._exit(INTERRUPTED)

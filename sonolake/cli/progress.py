"""How far a pull is, on a terminal: files, bytes, time left. Elsewhere nothing is said."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer

from sonolake.cli.printing import megabytes
from sonolake.releases.pace import Watch

STEPS = 500
"""How often the line is drawn at most, but for each file."""


@contextmanager
def watching() -> Iterator[Watch]:
    """Who is to be told: a bar beside whatever goes to standard output, or nobody."""
    if not sys.stderr.isatty():
        yield Watch()
        return
    bar = Bar()
    try:
        yield bar
    finally:
        bar.end()


class Bar(Watch):
    """A line that is drawn anew as the bytes come."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._bar: Any = None
        self._things = self._done = self._size = self._came = self._drawn = 0

    def begin(self, things: int, size: int) -> None:
        """See :class:`~sonolake.releases.pace.Watch`."""
        self._things, self._size = things, size
        self._bar = typer.progressbar(length=size, label=self._label(), file=sys.stderr)
        self._bar.__enter__()

    def came(self, size: int) -> None:
        """See :class:`~sonolake.releases.pace.Watch`."""
        with self._lock:
            self._came += size
            if self._came - self._drawn >= self._size / STEPS:
                self._draw()

    def done(self, rest: int) -> None:
        """See :class:`~sonolake.releases.pace.Watch`."""
        with self._lock:
            self._came += rest
            self._done += 1
            self._draw()

    def end(self) -> None:
        """Leave the line as it is, and begin another."""
        if self._bar is not None:
            self._bar.__exit__(None, None, None)

    def _draw(self) -> None:
        """Forward only: what is read over between two sounds comes too, and is taken off when their file is done."""
        unfinished = self._done < self._things
        here = max(self._drawn, min(self._came, self._size - unfinished))
        self._bar.label = self._label()
        self._bar.make_step(here - self._drawn)
        self._bar.render_progress()
        self._drawn = here

    def _label(self) -> str:
        came = megabytes(min(self._came, self._size))
        return f"{self._done:,} of {self._things:,} files, {came} of {megabytes(self._size)}"

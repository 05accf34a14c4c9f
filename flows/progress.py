"""Counts and time left while a flow runs: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
)
from rich.table import Table
from rich.text import Text

from sonolake.lake.step import Counts

_LINE_EVERY_S = 10.0
_LATELY_S = 120.0
console = Console(stderr=True, highlight=False)


@contextmanager
def tracking(label: str, total: int) -> Iterator[Callable[[int], None]]:
    """Yields what to call with the number of items that are through."""
    if total == 0:
        yield lambda n: None
    elif console.is_terminal:
        pace = _Pace(total)
        columns = (TextColumn("{task.description:<28}"), BarColumn(), MofNCompleteColumn())
        with Progress(*columns, TimeElapsedColumn(), _Left(pace), console=console) as bar:
            row = bar.add_task(label, total=total)

            def advance(n: int) -> None:
                pace.advance(n, time.monotonic())
                bar.advance(row, n)

            yield advance
    else:
        lines = _Lines(label, total)
        yield lines.advance
        lines.end()


class _Pace:
    """How fast items came through lately, from the end of the first batch on: it holds what is done once, such as
    imports. What went by long ago says little: the items that an earlier run made pass in no time."""

    def __init__(self, total: int) -> None:
        self.total, self.through = total, 0
        self.moments: deque[tuple[float, int]] = deque()

    def advance(self, n: int, now: float) -> None:
        self.through += n
        self.moments.append((now, self.through))
        while len(self.moments) > 2 and self.moments[1][0] <= now - _LATELY_S:
            self.moments.popleft()

    def left(self, now: float) -> float | None:
        """Seconds left, None while nobody can tell: before half of the rest or ten seconds of it have gone by."""
        if len(self.moments) < 2 or self.moments[0][1] == self.through:
            return None
        (began, first), (last, through) = self.moments[0], self.moments[-1]
        since, took = through - first, last - began
        if took < _LINE_EVERY_S and since < (self.total - first) / 2:
            return None
        return max(0.0, took / since * (self.total - through) - (now - last))


class _Left(ProgressColumn):
    """The time left, where it can be told."""

    def __init__(self, pace: _Pace) -> None:
        super().__init__()
        self.pace = pace

    def render(self, task: Task) -> Text:
        left = None if task.finished else self.pace.left(time.monotonic())
        return Text("" if left is None else f"about {_span(left)} left", style="progress.remaining")


def _span(seconds: float) -> str:
    minutes = round(seconds / 60)
    if minutes < 2:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 120 else f"{minutes / 60:.1f} h"


class _Lines:
    def __init__(self, label: str, total: int) -> None:
        self.label = label
        self.started = self.said = time.monotonic()
        self.pace = _Pace(total)

    def advance(self, n: int) -> None:
        now = time.monotonic()
        self.pace.advance(n, now)
        if now - self.said >= _LINE_EVERY_S and self.pace.through < self.pace.total:
            self.said = now
            left = self.pace.left(now)
            say(f"{self._so_far()}{'' if left is None else f', about {_span(left)} left'}")

    def end(self) -> None:
        say(f"{self._so_far()} in {time.monotonic() - self.started:.1f} s")

    def _so_far(self) -> str:
        return f"{self.label}: {self.pace.through}/{self.pace.total}"


def say(text: str) -> None:
    """Print one line beside whatever goes to standard output."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def counts_table(counts: Mapping[str, Counts], lake: str) -> None:
    """Print what each step did, and where to look in ``lake`` when something was refused."""
    if not counts:
        return
    names = ("taken", "done", "already", "quarantined", "duplicates", "made")
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("step")
    for name in names:
        table.add_column(name, justify="right")
    for step, row in counts.items():
        table.add_row(step, *(f"{value:,}" if value else "·" for value in row.values()))
    Console(highlight=False).print(table)
    if any(row.quarantined for row in counts.values()):
        ask = f"{command()} --lake {lake} quarantine --summary"
        console.print(f"Some items were set aside, each with its reason: {ask}", soft_wrap=True)


def command() -> str:
    """The command line of this environment, as it can be typed here."""
    path = Path(sys.executable).with_name("sonolake")
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)

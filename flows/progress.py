"""Counts and time left while a flow runs: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table

from sonolake.lake.step import Counts

_LINE_EVERY_S = 10.0
console = Console(stderr=True, highlight=False)


@contextmanager
def tracking(label: str, total: int) -> Iterator[Callable[[int], None]]:
    """Yields what to call with the number of items that are through."""
    if total == 0:
        yield lambda n: None
    elif console.is_terminal:
        columns = (TextColumn("{task.description:<28}"), BarColumn(), MofNCompleteColumn())
        with Progress(*columns, TimeElapsedColumn(), TimeRemainingColumn(), console=console) as bar:
            row = bar.add_task(label, total=total)
            yield lambda n: bar.advance(row, n)
    else:
        lines = _Lines(label, total)
        yield lines.advance
        lines.end()


class _Lines:
    def __init__(self, label: str, total: int) -> None:
        self.label, self.total, self.through = label, total, 0
        self.started = self.said = time.monotonic()

    def advance(self, n: int) -> None:
        self.through += n
        now = time.monotonic()
        if now - self.said >= _LINE_EVERY_S and self.through < self.total:
            self.said = now
            left = (now - self.started) / max(self.through, 1) * (self.total - self.through)
            say(f"{self.label}: {self.through}/{self.total}, about {left:.0f} s left")

    def end(self) -> None:
        say(f"{self.label}: {self.through}/{self.total} in {time.monotonic() - self.started:.1f} s")


def say(text: str) -> None:
    """Print one line beside whatever goes to standard output."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def counts_table(counts: Mapping[str, Counts], lake: str) -> None:
    """Print what each step did, and where to look in ``lake`` when something was refused."""
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

"""What commands print."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import typer

from sonolake.cli.grid import grid
from sonolake.cli.values import plain

PIECE = 1 << 16
"""Bytes written at once: as many as a pipe holds, so that a reader that has gone is noticed at the next piece."""


def emit(answer: str | bytes) -> None:
    """Write ``answer`` to standard output as it is, text in UTF-8."""
    data = answer if isinstance(answer, bytes) else answer.encode()
    sys.stdout.flush()
    for start in range(0, len(data), PIECE):
        sys.stdout.buffer.write(data[start : start + PIECE])
        sys.stdout.buffer.flush()


def write_whole(path: Path, answer: str | bytes) -> None:
    """Write ``answer`` to ``path``, whole or not at all; what is no file, such as a pipe, is written to as it is."""
    data = answer if isinstance(answer, bytes) else answer.encode()
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    part = path.with_name(f"{path.name}.part")
    try:
        part.write_bytes(data)
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise


def show_json(value: Any) -> None:
    """Print ``value`` as JSON."""
    typer.echo(json.dumps(plain(value), ensure_ascii=False, indent=2))


def show_rows(rows: Sequence[Mapping[str, Any]], columns: Sequence[str], nothing: str) -> None:
    """Print ``columns`` of ``rows`` as a table, the last one whole; without rows, the sentence ``nothing``."""
    if not rows:
        typer.echo(nothing)
        return
    for line in grid(columns, [[row[name] for name in columns] for row in rows], whole_last=True):
        typer.echo(line)


def megabytes(size: int) -> str:
    """Bytes as text."""
    return f"{size / 1e6:,.1f} MB"


def moment(value: Any) -> str | None:
    """A time in UTC to the second."""
    return None if value is None else f"{value:%Y-%m-%d %H:%M:%S}"

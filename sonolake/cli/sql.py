"""``sonolake sql``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from sonolake.cli.formats import WRITERS, Format
from sonolake.cli.opening import LakeOption, open_lake
from sonolake.cli.printing import emit, write_whole
from sonolake.errors import Refused


def sql(
    ctx: typer.Context,
    query: Annotated[
        str, typer.Argument(help="One SQL statement in DuckDB's dialect that reads; - reads it from input.")
    ],
    form: Annotated[Format, typer.Option("--format", help="Form of the answer.")] = Format.TABLE,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write the answer to a file.")
    ] = None,
    at: Annotated[int | None, typer.Option("--at", metavar="SNAPSHOT", help="Read at this snapshot.")] = None,
    lake: LakeOption = None,
) -> None:
    """Ask the lake; it is opened read-only."""
    if form is Format.PARQUET and out is None and sys.stdout.isatty():
        raise Refused("Parquet would garble the terminal: name a file with --out, or redirect the output")
    question = sys.stdin.read() if query == "-" else query
    with open_lake(ctx, lake) as opened:
        answer = WRITERS[form](opened.sql(question, at=at))
    if out is None:
        emit(answer)
    else:
        write_whole(out, answer)

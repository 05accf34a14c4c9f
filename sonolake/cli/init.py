"""``sonolake init``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sonolake.cli.opening import LakeOption, lake_path


def init(
    ctx: typer.Context,
    path: Annotated[
        Path | None, typer.Argument(help="A new folder; the lake that is named when left out.")
    ] = None,
    lake: LakeOption = None,
) -> None:
    """Make a lake, or say that it is there."""
    folder = path or lake_path(ctx, lake)
    from sonolake.lake import Lake
    from sonolake.lake.catalog import plain_lines
    from sonolake.lake.root import is_lake

    word = "There is a lake" if is_lake(folder) else "Made a lake"
    with Lake.create(folder) as made:
        typer.echo(f"{word} at {made.root} ({made.lake_id}).")
        typer.echo("Any DuckDB reads it with")
        for line in plain_lines(made.root):
            typer.echo(f"  {line}")

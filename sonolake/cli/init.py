"""``sonolake init``."""

from __future__ import annotations

from typing import Annotated

import typer

from sonolake.cli.opening import LakeOption, lake_path


def init(
    ctx: typer.Context,
    place: Annotated[
        str | None,
        typer.Argument(
            metavar="PLACE", help="A new folder or s3://bucket/prefix; the lake that is named when left out."
        ),
    ] = None,
    lake: LakeOption = None,
) -> None:
    """Make a lake, or say that it is there."""
    chosen = place or lake_path(ctx, lake)
    from sonolake.lake import Lake
    from sonolake.lake.root import is_lake

    word = "There is a lake" if is_lake(chosen) else "Made a lake"
    with Lake.create(chosen) as made:
        typer.echo(f"{word} at {made.place} ({made.lake_id}).")
        lines = made.plain_lines()
    if lines:
        typer.echo("Any DuckDB reads it with")
    for line in lines:
        typer.echo(f"  {line}")

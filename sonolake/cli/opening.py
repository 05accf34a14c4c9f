"""Which lake a command works on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sonolake.errors import NotFound

if TYPE_CHECKING:
    from sonolake.lake import Lake

VARIABLE = "SONOLAKE_LAKE"

LakeOption = Annotated[
    str | None,
    typer.Option("--lake", metavar="PLACE", help="The lake; also before the command, or SONOLAKE_LAKE."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON, for a program to read.")]


def lake_path(ctx: typer.Context, given: str | None) -> str:
    """The place of the lake that was named: at the command, before it, in the environment, or the folder we are in.

    Raises:
        NotFound: when none of these names one.
    """
    place: str | None = given or ctx.obj
    if place is None and Path("lake.toml").is_file():
        place = "."
    if place is None:
        raise NotFound(
            f"no lake was named: give --lake FOLDER or s3://…, set {VARIABLE}, or go to a folder with a lake.toml"
        )
    return place


def open_lake(ctx: typer.Context, given: str | None, *, write: bool = False) -> Lake:
    """Open the lake that was named, to read unless ``write``."""
    path = lake_path(ctx, given)
    from sonolake.lake import Lake

    return Lake.open(path, read_only=not write)

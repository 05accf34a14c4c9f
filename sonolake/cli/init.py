"""``sonolake init``."""

from __future__ import annotations

from pathlib import Path
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
    project: Annotated[
        Path | None,
        typer.Option(
            "--project", metavar="DIR", help="Make a repository for a data set of your own, in a new folder."
        ),
    ] = None,
    name: Annotated[
        str, typer.Option("--name", help="Name of the project and its data set; the folder's by default.")
    ] = "",
) -> None:
    """Make a lake, or say that it is there; or the repository of a data set of your own."""
    if project is not None:
        if place is not None:
            raise typer.BadParameter("make a lake or a project, one at a time", param_hint="--project")
        _make_project(project, name)
        return
    if name:
        raise typer.BadParameter("it is a project that has a name", param_hint="--name")
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


def _make_project(folder: Path, name: str) -> None:
    from sonolake.project import make_project

    package, written = make_project(folder, name)
    typer.echo(f"Made a project of {len(written)} files in {folder}. To try it:")
    typer.echo(f"  cd {folder}")
    typer.echo("  pip install -e '.[dev]'")
    for command in ("sounds", "all", "release 0.1.0"):
        typer.echo(f"  python -m {package} {command}")
    typer.echo("README.md in it says what is where.")

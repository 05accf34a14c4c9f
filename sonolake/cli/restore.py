"""``sonolake restore``."""

from __future__ import annotations

import typer

from sonolake.cli.opening import JsonOption, LakeOption, lake_path
from sonolake.cli.printing import moment, show_json


def restore(ctx: typer.Context, lake: LakeOption = None, as_json: JsonOption = False) -> None:
    """Rebuild a catalog that is gone or damaged, from the copy that each commit left; status 1 when files are lost."""
    path = lake_path(ctx, lake)
    from sonolake.lake.restoring import restore as rebuild

    restored = rebuild(path)
    if as_json:
        show_json(vars(restored))
    else:
        typer.echo(f"restored up to snapshot {restored.snapshot} of {moment(restored.time)} UTC")
        for kept in restored.aside:
            typer.echo(f"what was there in its place is kept as {kept}")
        for lost in restored.lost_files:
            typer.echo(f"not there: {lost}")
    if restored.lost_files:
        raise typer.Exit(1)

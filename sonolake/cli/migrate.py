"""``sonolake migrate``."""

from __future__ import annotations

import typer

from sonolake.cli.opening import LakeOption, lake_path


def migrate(ctx: typer.Context, lake: LakeOption = None) -> None:
    """Bring a lake of an earlier format to the one that this version writes."""
    path = lake_path(ctx, lake)
    from sonolake.lake.migrating import migrate as bring

    began, ended = bring(path)
    if began == ended:
        typer.echo(f"the lake has format {ended} already")
    else:
        typer.echo(f"brought from format {began} to {ended}")

"""``sonolake gc``."""

from __future__ import annotations

from typing import Annotated

import typer

from sonolake.cli.opening import JsonOption, LakeOption, open_lake
from sonolake.cli.printing import megabytes, show_json


def gc(
    ctx: typer.Context,
    delete: Annotated[bool, typer.Option("--delete/--dry-run", help="Delete; a dry run only lists.")] = False,
    older_than: Annotated[
        float,
        typer.Option(
            "--older-than",
            min=0,
            max=876_600,
            metavar="HOURS",
            help="Leave alone what is younger: a writer may be about to name it. 0 only when nothing else runs.",
        ),
    ] = 24.0,
    lake: LakeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find what killed runs left behind, which no table names; delete it with --delete."""
    from sonolake.lake.gc import collect

    with open_lake(ctx, lake, write=True) as opened:
        found = collect(opened, older_than * 3600, delete=delete)
    if as_json:
        show_json({"deleted": delete, **vars(found)})
        return
    verb = "deleted" if delete else "found"
    typer.echo(f"{verb} {len(found.media):,} media that no table names ({megabytes(found.media_bytes)})")
    typer.echo(f"{verb} {len(found.leftovers):,} half-written files and folders")
    if found.uploads:
        typer.echo(f"{verb} {len(found.uploads):,} unfinished uploads ({megabytes(found.uploads_bytes)})")
    if found.uploads_unseen:
        typer.echo(f"could not look for unfinished uploads: {found.uploads_unseen}", err=True)
    typer.echo(f"{verb} {len(found.table_files):,} table files that no snapshot names")
    typer.echo(f"{verb} vectors of {sum(found.vectors.values()):,} things that no table names")
    for space in found.spaces_in_use:
        typer.echo(f"left the vector space {space!r} alone: it was written to within {older_than:g} h")
    if not delete and found.anything:
        typer.echo("nothing was deleted; --delete deletes it")

"""``sonolake export``: a release in the formats of others."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sonolake.cli.opening import JsonOption, LakeOption
from sonolake.cli.printing import megabytes, show_json
from sonolake.cli.releasing import find

if TYPE_CHECKING:
    from sonolake.releases.exports import Exported

NAMES = (
    "hf, files, webdataset, lhotse, lhotse-shar, textgrid, label-studio, dcase, sed, audacity, rttm, jams, lmms-eval, "
    "zenodo, scorers"
)
"""The formats, said without loading them."""
SHOWN = 20
"""Refused items that are named for a person; JSON and ``_EXPORT.json`` have all."""


def export(
    ctx: typer.Context,
    which: Annotated[
        str,
        typer.Argument(metavar="NAME@VERSION|PLACE", help="A release by name, or its folder or address."),
    ],
    form: Annotated[str, typer.Argument(metavar="FORMAT", help=f"One of {NAMES}.")],
    dest: Annotated[Path, typer.Argument(help="A folder that is not there yet.")],
    config: Annotated[
        list[str] | None, typer.Option("--config", help="Only this table; may be given more than once.")
    ] = None,
    split: Annotated[
        list[str] | None, typer.Option("--split", help="Only this split; may be given more than once.")
    ] = None,
    where: Annotated[
        str | None,
        typer.Option(metavar="SQL", help="Only items for which this holds, on the columns of items.parquet."),
    ] = None,
    doi: Annotated[str, typer.Option("--doi", help="Of the release, for the format zenodo.")] = "",
    source: Annotated[
        str | None, typer.Option("--from", metavar="PLACE", help="Where the name is looked for; see pull.")
    ] = None,
    lake: LakeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write a release, or a part of it, in another format; status 1 when items could not be written."""
    from sonolake.loading.table import readable
    from sonolake.releases.exports import export as write
    from sonolake.releases.exports import format_of

    chosen = format_of(form)
    if doi and form != "zenodo":
        raise typer.BadParameter("it goes with the format zenodo", param_hint="--doi")
    found = find(ctx, which, lake, source)
    made = write(readable(found, retracted=True), chosen, dest, config or (), split or (), where, doi)
    if as_json:
        show_json({"folder": str(dest), "format": form, **_plain(made)})
    else:
        typer.echo(f"{dest}: {_said(made)}")
        for one in made.refused[:SHOWN]:
            typer.echo(f"not written: {one.item_id}: {one.reason}", err=True)
        if len(made.refused) > SHOWN:
            typer.echo(f"and {len(made.refused) - SHOWN:,} more: _EXPORT.json names them", err=True)
    if made.refused:
        raise typer.Exit(1)


def _plain(made: Exported) -> dict[str, Any]:
    return {**vars(made), "refused": [vars(one) for one in made.refused]}


def _said(made: Exported) -> str:
    there = "there already: " if made.outcome == "already" else ""
    size = f"{made.files:,} files, {megabytes(made.bytes)}"
    return f"{there}{made.done:,} of {made.taken:,} items, {size}"

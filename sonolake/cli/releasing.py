"""Which release a command means, and what the lake says of its releases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from sonolake.cli.opening import lake_path
from sonolake.cli.printing import megabytes
from sonolake.errors import SonolakeError
from sonolake.plural import counted

if TYPE_CHECKING:
    from sonolake.lake import Lake
    from sonolake.releases import PullResult, SelectResult
    from sonolake.releases.finding import Found


def find(ctx: typer.Context, which: str, lake: str | None, source: str | None = None) -> Found:
    """The release that ``which`` names, ``NAME@VERSION`` in ``source`` or in the lake; a retracted one says so.

    Raises:
        NotFound: when it is in none of the places.
        InvalidInput: when ``which`` names none.
    """
    from sonolake.releases.finding import find_release

    found = find_release(which, lambda: lake_path(ctx, lake), source)
    if found.state == "retracted":
        typer.echo(f"sonolake: {which} was retracted by those who published it", err=True)
    return found


def pulled(result: PullResult | SelectResult) -> str:
    """What a pull came to, in a line."""
    from sonolake.releases import SelectResult

    if isinstance(result, SelectResult):
        shards = f"{result.fetched:,} shards with them fetched, {result.already:,} there already"
        return f"{result.items:,} items chosen, {shards}"
    fetched = f"{counted(result.fetched, 'file')} fetched ({megabytes(result.fetched_bytes)})"
    left_out = f"; left out: {', '.join(result.left_out)}" if result.left_out else ""
    beside = (
        f", {megabytes(result.beside_bytes)} from {', '.join(result.beside)}" if result.beside_bytes else ""
    )
    return f"{fetched}{beside}, {result.already:,} there already{left_out}"


def verified(found: Found) -> str:
    """What is right where all is right, and what is not there, in a line or two."""
    from sonolake.releases import not_pulled
    from sonolake.releases.layout import SELECTION
    from sonolake.releases.origins import FolderOrigin
    from sonolake.releases.selection import is_selection, read_selection

    folder = found.origin.folder if isinstance(found.origin, FolderOrigin) else None
    if folder is not None and is_selection(folder):
        selection = read_selection(folder / SELECTION)
        return f"items of {selection.release}, chosen by {selection.where}, every byte as published"
    files, left_out = found.offered.files, [] if folder is None else not_pulled(folder)
    size = megabytes(sum(f.bytes for f in files) - sum(f.bytes for f in left_out))
    right = f"{len(files) - len(left_out):,} files, {size}, every byte as published"
    return f"{right}\n{len(left_out):,} files were not pulled" if left_out else right


def listed(lake: Lake) -> list[dict[str, Any]]:
    """The releases that the catalog records, with the files and bytes that their manifests list, null where damaged."""
    from sonolake.releases.layout import MANIFEST
    from sonolake.releases.tables import parse_manifest

    rows = lake.rows(
        "SELECT name, version, snapshot, state, manifest_sha256 FROM releases ORDER BY name, snapshot, version"
    )
    for row in rows:
        try:
            path = f"releases/{row['name']}/{row['version']}/{MANIFEST}"
            files = parse_manifest(lake.storage.read(path), path)
        except SonolakeError as error:
            row |= {"files": None, "bytes": None, "problem": str(error)}
        else:
            row |= {"files": len(files), "bytes": sum(f.bytes for f in files), "problem": None}
    return rows

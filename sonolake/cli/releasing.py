"""Which release a command means, and what the lake says of its releases."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from sonolake.cli.opening import open_lake
from sonolake.cli.printing import megabytes
from sonolake.errors import InvalidInput, SonolakeError

if TYPE_CHECKING:
    from sonolake.lake import Lake
    from sonolake.releases import PullResult, SelectResult
    from sonolake.releases.offered import Offered


@dataclass(frozen=True)
class Found:
    """A release: its folder, and SHA-256 of the manifest that a lake has on record for it, if it is a lake's."""

    folder: Path
    recorded: str | None = None


def find_release(ctx: typer.Context, which: str, lake: Path | None) -> Found:
    """Release ``which``: ``NAME@VERSION`` of the lake, or a folder.

    Raises:
        NotFound: when the lake has none; the message lists those that it has.
        InvalidInput: when ``which`` is neither form.
    """
    if os.path.isdir(which):  # noqa: PTH112 (too long a name is no folder either)
        return _of_folder(Path(which))
    name, version = _named(which)
    with open_lake(ctx, lake) as opened:
        return _on_record(opened, name, version)


def find_offered(ctx: typer.Context, which: str, lake: Path | None, source: str | None) -> Offered:
    """Release ``which`` to be pulled: ``NAME@VERSION`` in ``source`` or of the lake, a folder, or an address.

    Raises:
        NotFound: when it is in none of the places; the message lists them.
        InvalidInput: when ``which`` is none of these forms.
    """
    from sonolake.lake.root import is_lake
    from sonolake.releases.offered import offered
    from sonolake.releases.origins import FolderOrigin, open_origin, release_at
    from sonolake.releases.origins.opening import is_address

    if source is None and is_address(which):
        return offered(open_origin(which))
    if source is None:
        found = find_release(ctx, which, lake)
        return offered(FolderOrigin(found.folder), found.recorded)
    name, version = _named(which)
    if not is_address(source) and is_lake(Path(source)):
        found = _in_lake(Path(source), name, version)
        return offered(FolderOrigin(found.folder), found.recorded)
    place = release_at(open_origin(source), name, version)
    recorded = _of_folder(place.folder).recorded if isinstance(place, FolderOrigin) else None
    release = offered(place, recorded)
    release.require(name, version)
    return release


def _named(which: str) -> tuple[str, str]:
    from sonolake.releases.layout import checked_name, checked_version

    name, at, version = which.rpartition("@")
    if not at:
        raise InvalidInput("release", "NAME@VERSION or where one lies", which)
    return checked_name("release", name), checked_version(version)


def _of_folder(folder: Path) -> Found:
    """A release's own folder; where that is a lake's, the lake says what was published there."""
    from sonolake.lake.root import is_lake

    path = folder.resolve()
    home = path.parents[2] if len(path.parents) > 2 and path.parents[1].name == "releases" else None
    if home is None or not is_lake(home):
        return Found(folder)
    return _in_lake(home, path.parent.name, path.name)


def _in_lake(root: Path, name: str, version: str) -> Found:
    from sonolake.lake import Lake

    with Lake.open(root, read_only=True) as lake:
        return _on_record(lake, name, version)


def _on_record(lake: Lake, name: str, version: str) -> Found:
    from sonolake.releases.on_record import require_release

    found = require_release(lake, name, version)
    if found.state == "retracted":
        typer.echo(f"sonolake: {name}@{version} was retracted by those who published it", err=True)
    return Found(found.folder, found.manifest_sha256)


def pulled(result: PullResult | SelectResult) -> str:
    """What a pull came to, in a line."""
    from sonolake.releases import SelectResult

    if isinstance(result, SelectResult):
        shards = f"{result.fetched:,} shards with them fetched, {result.already:,} there already"
        return f"{result.items:,} items chosen, {shards}"
    fetched = f"{result.fetched:,} files fetched ({megabytes(result.fetched_bytes)})"
    left_out = f"; left out: {', '.join(result.left_out)}" if result.left_out else ""
    return f"{fetched}, {result.already:,} there already{left_out}"


def verified(folder: Path) -> str:
    """What is right in a folder that was verified, and what is not in it, in a line or two."""
    from sonolake.releases import not_pulled, read_manifest
    from sonolake.releases.layout import SELECTION
    from sonolake.releases.selection import is_selection, read_selection

    files, left_out = read_manifest(folder), not_pulled(folder)
    if is_selection(folder):
        selection = read_selection(folder / SELECTION)
        return f"items of {selection.release}, chosen by {selection.where}, every byte as published"
    size = megabytes(sum(f.bytes for f in files) - sum(f.bytes for f in left_out))
    right = f"{len(files) - len(left_out):,} files, {size}, every byte as published"
    return f"{right}\n{len(left_out):,} files were not pulled" if left_out else right


def listed(lake: Lake) -> list[dict[str, Any]]:
    """The releases that the catalog records, with the files and bytes that their manifests list, null where damaged."""
    from sonolake.releases import read_manifest

    rows = lake.rows(
        "SELECT name, version, snapshot, state, manifest_sha256 FROM releases ORDER BY name, snapshot, version"
    )
    for row in rows:
        try:
            files = read_manifest(lake.releases_root / row["name"] / row["version"])
        except SonolakeError as error:
            row |= {"files": None, "bytes": None, "problem": str(error)}
        else:
            row |= {"files": len(files), "bytes": sum(f.bytes for f in files), "problem": None}
    return rows

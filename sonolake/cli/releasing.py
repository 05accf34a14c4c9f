"""Which release a command means, and what the lake says of its releases."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from sonolake.cli.opening import open_lake
from sonolake.errors import InvalidInput, NotFound, SonolakeError

if TYPE_CHECKING:
    from sonolake.lake import Lake


def find_release(ctx: typer.Context, which: str, lake: Path | None, source: Path | None = None) -> Path:
    """The folder of release ``which``: ``NAME@VERSION`` in ``source`` or in the lake, or a folder.

    Raises:
        NotFound: when it is in none of the places; the message lists them.
        InvalidInput: when ``which`` is neither form.
    """
    name, at, version = which.rpartition("@")
    if source is None and Path(which).is_dir():
        return Path(which)
    if not at or not name or not version or "/" in which:
        raise InvalidInput("release", "NAME@VERSION or the folder of a release", which)
    if source is not None:
        places = [source / name / version, source / "releases" / name / version, source]
        found = next((place for place in places if (place / "manifest.parquet").is_file()), None)
        if found is None:
            raise NotFound(f"no release {which}; looked in {', '.join(map(str, places))}")
        return found
    with open_lake(ctx, lake) as opened:
        from sonolake.releases.publishing import release_folder

        if _state(opened, name, version) == "retracted":
            typer.echo(f"sonolake: {which} was retracted by those who published it", err=True)
        return release_folder(opened, name, version)


def _state(lake: Lake, name: str, version: str) -> str | None:
    rows = lake.rows("SELECT state FROM releases WHERE name = ? AND version = ?", [name, version])
    return rows[0]["state"] if rows else None


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

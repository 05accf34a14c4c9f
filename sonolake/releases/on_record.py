"""What a lake's catalog has on record of its releases, and where each lies."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sonolake.errors import Damaged, NotFound
from sonolake.releases.identity import read_identity
from sonolake.releases.layout import checked_name, checked_version

if TYPE_CHECKING:
    from sonolake.lake.lake import Lake


@dataclass(frozen=True)
class Recorded:
    """A release on record: its folder, SHA-256 of the manifest that was published, state, date inside.

    The date is YYYY-MM-DD, None in a lake that was made before it was kept.
    """

    folder: Path
    manifest_sha256: str
    state: str
    date: str | None


def folder_of(lake: Lake, name: str, version: str) -> Path:
    """Where release ``name`` ``version`` of ``lake`` lies, or would.

    Raises:
        InvalidInput: for what cannot be a name or a version.
    """
    return lake.releases_root / checked_name("release", name) / checked_version(version)


def recorded(lake: Lake, name: str, version: str) -> Recorded | None:
    """The release on record, None when the version was never recorded.

    Raises:
        InvalidInput: for what cannot be a name or a version.
    """
    folder = folder_of(lake, name, version)
    rows = lake.rows("FROM releases WHERE name = ? AND version = ?", [name, version])
    if not rows:
        return None
    (row,) = rows
    return Recorded(folder, row["manifest_sha256"], row["state"], row.get("date"))


def date_of(lake: Lake, name: str, version: str) -> str | None:
    """The date inside a version that is there, by the catalog, else by its folder; None where neither tells.

    Raises:
        InvalidInput: for what cannot be a name or a version.
    """
    known = recorded(lake, name, version)
    if known is not None and known.date:
        return known.date
    try:
        return read_identity(folder_of(lake, name, version)).date
    except (NotFound, Damaged):
        return None


def require_release(lake: Lake, name: str, version: str) -> Recorded:
    """The release on record, whatever became of its folder.

    Raises:
        InvalidInput: for what cannot be a name or a version.
        NotFound: when it is not on record; the message lists what is.
    """
    found = recorded(lake, name, version)
    if found is not None:
        return found
    folder = folder_of(lake, name, version)
    if folder.exists():
        raise NotFound(f"{folder} is not on record: its publication was cut short, publish it again")
    rows = lake.rows("SELECT name, version FROM releases ORDER BY name, snapshot, version")
    there = ", ".join(f"{row['name']}@{row['version']}" for row in rows) or "none"
    raise NotFound(f"no release {name}@{version} in {lake.root}; there is: {there}")

"""What a lake's catalog has on record of its releases, and where each lies."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sonolake.errors import Damaged, NotFound
from sonolake.releases.differing.versions import before, newest_first
from sonolake.releases.identity import parse_identity
from sonolake.releases.layout import COMPLETE, CROISSANT, checked_name, checked_version
from sonolake.releases.origins import Origin, open_origin
from sonolake.releases.origins.s3 import S3Origin

if TYPE_CHECKING:
    from sonolake.lake.lake import Lake
    from sonolake.lake.storage import Storage


@dataclass(frozen=True)
class Recorded:
    """A release on record: SHA-256 of the manifest that was published, state, date inside.

    The date is YYYY-MM-DD, None in a lake that was made before it was kept.
    """

    manifest_sha256: str
    state: str
    date: str | None


def path_of(name: str, version: str) -> str:
    """Where a release lies below ``releases/``.

    Raises:
        InvalidInput: for what cannot be a name or a version.
    """
    return f"{checked_name('release', name)}/{checked_version(version)}"


def origin_of(lake: Lake, name: str, version: str) -> Origin:
    """Where release ``name`` ``version`` of ``lake`` lies, or would.

    Raises:
        InvalidInput: for what cannot be a name or a version.
    """
    return origin_in(lake.storage.room("releases").room(path_of(name, version)))


def origin_in(storage: Storage) -> Origin:
    """What lies in ``storage``, read by the client that it has."""
    from sonolake.lake.s3_storage import S3Storage

    if isinstance(storage, S3Storage):
        return S3Origin(storage.uri, client=storage.client)
    return open_origin(storage.uri)


def recorded(lake: Lake, name: str, version: str) -> Recorded | None:
    """The release on record, None when the version was never recorded."""
    rows = lake.rows("FROM releases WHERE name = ? AND version = ?", [name, version])
    if not rows:
        return None
    (row,) = rows
    return Recorded(row["manifest_sha256"], row["state"], row.get("date"))


def version_before(lake: Lake, name: str, version: str) -> str | None:
    """The version that ``version`` follows: the highest below it of those that are on record, or were when it was.

    Raises:
        InvalidInput: for what cannot be a version.
    """
    rows = lake.rows("SELECT version, snapshot FROM releases WHERE name = ?", [name])
    published = {row["version"]: row["snapshot"] for row in rows}
    until = published.get(version, math.inf)
    return before(version, (one for one, snapshot in published.items() if snapshot < until))


def last_version(lake: Lake, name: str) -> str:
    """The highest version on record.

    Raises:
        NotFound: when there is none; the message lists what there is.
    """
    rows = lake.rows("SELECT version FROM releases WHERE name = ?", [checked_name("release", name)])
    if not rows:
        raise NotFound(f"no version of {name} was published in {lake.place}; there is: {_there(lake)}")
    return newest_first(row["version"] for row in rows)[0]


def require_release(lake: Lake, name: str, version: str) -> Recorded:
    """The release on record, whatever became of its files.

    Raises:
        InvalidInput: for what cannot be a name or a version.
        NotFound: when it is not on record; the message lists what is.
    """
    place = f"releases/{path_of(name, version)}"
    found = recorded(lake, name, version)
    if found is not None:
        return found
    if lake.storage.stat(f"{place}/{COMPLETE}") is not None:
        raise NotFound(
            f"{lake.place}/{place} is not on record: its publication was cut short, publish it again"
        )
    raise NotFound(f"no release {name}@{version} in {lake.place}; there is: {_there(lake)}")


def _there(lake: Lake) -> str:
    rows = lake.rows("SELECT name, version FROM releases ORDER BY name, snapshot, version")
    return ", ".join(f"{row['name']}@{row['version']}" for row in rows) or "none"


def date_of(lake: Lake, name: str, version: str) -> str | None:
    """The date inside a version that is there, by the catalog, else by its own files; None where neither tells.

    Raises:
        InvalidInput: for what cannot be a name or a version.
    """
    known = recorded(lake, name, version)
    if known is not None and known.date:
        return known.date
    path = f"releases/{path_of(name, version)}/{CROISSANT}"
    try:
        return parse_identity(lake.storage.read(path), path).date
    except (NotFound, Damaged):
        return None

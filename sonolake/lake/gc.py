"""Finding, and deleting, what no table names: media, vectors, table files and what killed writers left half written.

Media and vectors are written before the commit that names them. Whatever is younger than a limit is therefore left
alone, a writer may be about to name it; and all of it happens under the write lock, so that what is named cannot
change meanwhile.
"""

from __future__ import annotations

import shutil
import time
from collections import defaultdict
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sonolake.errors import InvalidInput, NotFound, Refused, Unreachable
from sonolake.lake.storage import Entry, LocalStorage

if TYPE_CHECKING:
    from sonolake.lake.lake import Lake

LONGEST_S = 100 * 365.25 * 24 * 3600
_PINNED = "SELECT DISTINCT snapshot FROM releases WHERE snapshot IS NOT NULL ORDER BY snapshot"


@dataclass(frozen=True)
class Garbage:
    """What no table names and nothing has touched lately.

    Attributes:
        media: ids of media, ``media_bytes`` their size.
        leftovers: files and folders that killed writers left half written, relative to the lake.
        uploads: files whose upload to S3 was begun and never finished, relative to the lake, and ``uploads_bytes``
            what came of them.
        uploads_unseen: why S3 did not say which these are; empty when it did.
        table_files: Parquet files that no snapshot names, relative to the lake.
        vectors: things that no table names, by vector space.
        spaces_in_use: vector spaces that were written to lately and left alone.
    """

    media: tuple[str, ...]
    media_bytes: int
    leftovers: tuple[str, ...]
    table_files: tuple[str, ...]
    vectors: dict[str, int]
    spaces_in_use: tuple[str, ...]
    uploads: tuple[str, ...] = ()
    uploads_bytes: int = 0
    uploads_unseen: str = ""

    @property
    def anything(self) -> bool:
        """Whether there is anything to delete."""
        vectors = sum(self.vectors.values())
        return bool(self.media or self.leftovers or self.table_files or vectors or self.uploads)


def collect(lake: Lake, older_than_s: float = 24 * 3600, *, delete: bool = False) -> Garbage:
    """Find the garbage of ``lake`` and, with ``delete``, delete it.

    Args:
        lake: a lake opened for writing.
        older_than_s: what was touched within so many seconds is left alone.
        delete: whether to delete; otherwise nothing is touched.

    Raises:
        InvalidInput: for a time that is negative or no number, or that goes back over a century.
    """
    if not 0 <= older_than_s <= LONGEST_S:
        raise InvalidInput("older than", f"seconds from 0 to {LONGEST_S:.0f}, a century", older_than_s)
    with lake.writing():
        before = time.time() - older_than_s
        leftovers = [entry for entry in _leftovers(lake) if entry.modified <= before]
        spaces = {space: _touched(lake, space) <= before for space in lake.vectors.spaces()}
        ids = {space: lake.vectors.ids(space) for space, quiet in spaces.items() if quiet}
        there = {entry.path: entry for entry in lake.media.entries()}
        kept = named(lake, set(there).union(*ids.values()))
        media = [entry for path, entry in there.items() if path not in kept and entry.modified <= before]
        found = Garbage(
            media=tuple(entry.path for entry in media),
            media_bytes=sum(entry.size for entry in media),
            leftovers=tuple(entry.path for entry in leftovers),
            table_files=table_files(lake, older_than_s, delete),
            vectors={space: len(assets - kept) for space, assets in ids.items()},
            spaces_in_use=tuple(space for space, quiet in spaces.items() if not quiet),
        )
        found = _with_uploads(lake, found, before, delete)
        if delete:
            for space, assets in ids.items():
                if assets - kept:
                    lake.vectors.drop_orphans(space, kept)
            for entry in leftovers:
                _delete_leftover(lake, entry.path)
            for entry in media:
                lake.media.discard(entry.path, before)
        return found


def named(lake: Lake, candidates: Collection[str]) -> set[str]:
    """Those of ``candidates`` that any text column of any table names, now or at a snapshot that a release pins."""
    pinned = [int(row["snapshot"]) for row in lake.rows(_PINNED)]
    found: set[str] = set()
    for at in [None, *pinned]:
        with suppress(NotFound):
            found |= _named_at(lake, sorted(set(candidates) - found), at)
    return found


def _named_at(lake: Lake, candidates: list[str], at: int | None) -> set[str]:
    if not candidates:
        return set()
    columns = lake.sql(
        "SELECT table_name, column_name, data_type FROM duckdb_columns() "
        "WHERE database_name = 'lake' AND data_type IN ('VARCHAR', 'VARCHAR[]')",
        at=at,
    )
    names = []
    for table, column, kind in zip(*(c.to_pylist() for c in columns.columns), strict=True):
        value = f'"{column}"' if kind == "VARCHAR" else f'unnest("{column}")'
        names.append(f'SELECT {value} AS id FROM "{table}"')
    query = f"SELECT DISTINCT id FROM ({' UNION ALL '.join(names)}) WHERE id IN (SELECT unnest(?))"
    return set(lake.sql(query, [candidates], at=at)["id"].to_pylist())


def _leftovers(lake: Lake) -> list[Entry]:
    """Media on their way in, and releases that were never finished, by their paths in the lake."""
    media = [replace(entry, path=f"media/{entry.path}") for entry in lake.media.leftovers()]
    if not isinstance(lake.storage, LocalStorage):
        return media + _unmarked_releases(lake)
    building = sorted(lake.releases_root.glob("*/.*.building"))
    return media + [Entry(p.relative_to(lake.root).as_posix(), 0, _newest(p)) for p in building]


def _unmarked_releases(lake: Lake) -> list[Entry]:
    """Files of releases in a store that have no mark and are not on record, each as young as the youngest of them."""
    found: dict[str, list[Entry]] = defaultdict(list)
    for entry in lake.storage.entries("releases"):
        found["/".join(entry.path.split("/")[1:3])].append(entry)
    known = {f"{row['name']}/{row['version']}" for row in lake.rows("SELECT name, version FROM releases")}
    left: list[Entry] = []
    for release, entries in found.items():
        if release not in known and not any(
            entry.path == f"releases/{release}/_COMPLETE" for entry in entries
        ):
            youngest = max(entry.modified for entry in entries)
            left += [replace(entry, modified=youngest) for entry in entries]
    return left


def _with_uploads(lake: Lake, found: Garbage, before: float, delete: bool) -> Garbage:
    """``found`` with the uploads of which nothing came since ``before``; with ``delete`` they are given up."""
    if isinstance(lake.storage, LocalStorage):
        return found
    from sonolake.lake.s3_uploads import give_up, unfinished

    storage: Any = lake.storage
    try:
        uploads = [one for one in unfinished(storage) if one.modified <= before]
    except (Refused, Unreachable) as error:
        return replace(found, uploads_unseen=str(error))
    for upload in uploads if delete else ():
        give_up(storage, upload)
    paths = tuple(sorted(one.path for one in uploads))
    return replace(found, uploads=paths, uploads_bytes=sum(one.size for one in uploads))


def table_files(lake: Lake, older_than_s: float, delete: bool) -> tuple[str, ...]:
    """Parquet files that no snapshot names and that are older than that; with ``delete`` they are deleted."""
    if set("*?[]") & set(lake.place):
        return ()  # DuckLake reads the path as a pattern, and would find the files of lakes that it matches
    with lake.transaction("gc") as tx:
        rows = tx.sql(
            "CALL ducklake_delete_orphaned_files('lake', dry_run => ?, older_than => now() - to_seconds(?))",
            [not delete, float(older_than_s)],
        )
    return tuple(sorted(path.removeprefix(f"{lake.place}/") for path in rows["path"].to_pylist()))


def _touched(lake: Lake, space: str) -> float:
    """When anything of a vector space was last written to."""
    return max((entry.modified for entry in lake.storage.entries(f"vectors/{space}.lance")), default=0.0)


def _newest(path: Path) -> float:
    """When a file, or the newest thing in a folder, was last written to."""
    return max(entry.stat().st_mtime for entry in [path, *path.rglob("*")])


def _delete_leftover(lake: Lake, path: str) -> None:
    if isinstance(lake.storage, LocalStorage) and (lake.root / path).is_dir():
        shutil.rmtree(lake.root / path)
    else:
        lake.storage.delete(path)

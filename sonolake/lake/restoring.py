"""A lake whose catalog is gone or damaged, made whole from the copy that each commit left beside the data."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sonolake.errors import Damaged, NotFound, Refused
from sonolake.lake.lake import Lake
from sonolake.lake.root import LOCK, read_root
from sonolake.lake.sqlite_catalog import SqliteCatalog, newest_snapshot


@dataclass(frozen=True)
class Restored:
    """What came back.

    Attributes:
        snapshot: the newest snapshot, ``time`` when it was made.
        aside: what was there in place of the catalog, and is kept under these names.
        lost_files: files that the tables name and that are not there, relative to the lake.
    """

    snapshot: int
    time: datetime
    aside: tuple[str, ...]
    lost_files: tuple[str, ...]


def restore(path: Path | str) -> Restored:
    """Rebuild the catalog of the lake at ``path`` from its copy; the lake holds all that was ever acknowledged.

    Raises:
        NotFound: when there is no lake, or no copy.
        Refused: when the catalog is there, in order, and not older than the copy.
        Damaged: when the copy is damaged.
    """
    root = read_root(Path(path))
    if not root.copy_path.is_file():
        raise NotFound(f"no copy of the catalog at {root.copy_path}: nothing to restore it from")
    with closing(SqliteCatalog(root.catalog_path, root.path / LOCK)) as lost, lost.lock:
        copied = newest_snapshot(root.copy_path, whole=True)
        there = _snapshot_of(root.catalog_path)
        if there is not None and there >= copied:
            raise Refused(
                f"the catalog of {root.path} is there and in order at snapshot {there}: nothing to restore"
            )
        aside = lost.put_back(root.copy_path)
    with Lake.open(root.path) as lake:
        newest = lake.snapshots().to_pylist()[-1]
        names = tuple(part.relative_to(root.path).as_posix() for part in aside)
        return Restored(newest["snapshot_id"], newest["snapshot_time"], names, _lost_files(lake))


def _snapshot_of(file: Path) -> int | None:
    """The newest snapshot of the catalog as it is; None when it is gone, emptied or damaged."""
    try:
        return newest_snapshot(file, whole=True) if file.is_file() else None
    except Damaged:
        return None


def _lost_files(lake: Lake) -> tuple[str, ...]:
    """Files of the newest snapshot that are not there."""
    lost = set()
    for name in dict.fromkeys(lake.columns()["table_name"].to_pylist()):
        for row in lake.rows("SELECT data_file, delete_file FROM ducklake_list_files('lake', ?)", [name]):
            lost |= {Path(file) for file in row.values() if file is not None and not Path(file).is_file()}
    return tuple(sorted(file.relative_to(lake.root).as_posix() for file in lost))

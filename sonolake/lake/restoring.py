"""A lake whose catalog is gone or damaged, made whole from the copy that each commit left beside the data."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from sonolake.errors import Damaged, NotFound, Refused
from sonolake.lake.catalogs import catalog_of
from sonolake.lake.lake import Lake
from sonolake.lake.root import read_root
from sonolake.lake.sqlite_catalog import newest_snapshot


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


def restore(place: Path | str) -> Restored:
    """Rebuild the catalog of the lake at ``place`` from its copy; the lake holds all that was ever acknowledged.

    Raises:
        NotFound: when there is no lake, or no copy.
        Refused: when the catalog is there, in order, and not older than the copy.
        Damaged: when the copy is damaged.
    """
    root = read_root(place)
    if root.storage.stat(root.copy) is None:
        raise NotFound(f"no copy of the catalog at {root.place}/{root.copy}: nothing to restore it from")
    with (
        closing(catalog_of(root)) as lost,
        lost.lock,
        TemporaryDirectory(prefix="sonolake-catalog-") as folder,
    ):
        copy = Path(folder) / "copy.sqlite"
        copy.write_bytes(root.storage.read(root.copy))
        try:
            copied = newest_snapshot(copy, whole=True)
        except Damaged as error:
            raise Damaged(str(error).replace(str(copy), f"{root.place}/{root.copy}")) from None
        there = lost.newest()
        if there is not None and there >= copied:
            raise Refused(
                f"the catalog of {root.place} is there and in order at snapshot {there}: nothing to restore"
            )
        aside = lost.put_back(copy)
    with Lake.open(place) as lake:
        newest = lake.snapshots().to_pylist()[-1]
        return Restored(newest["snapshot_id"], newest["snapshot_time"], tuple(aside), _lost_files(lake))


def _lost_files(lake: Lake) -> tuple[str, ...]:
    """Files of the newest snapshot that are not there."""
    named = set()
    for name in dict.fromkeys(lake.columns()["table_name"].to_pylist()):
        for row in lake.rows("SELECT data_file, delete_file FROM ducklake_list_files('lake', ?)", [name]):
            named |= {file.removeprefix(f"{lake.place}/") for file in row.values() if file is not None}
    return tuple(sorted(named - {entry.path for entry in lake.storage.entries("tables")}))

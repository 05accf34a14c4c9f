"""What can be read of a release, or of what was pulled of one: its files, and which row is which item."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from sonolake.errors import Damaged, NotFound, Refused
from sonolake.releases.checking import require_manifest
from sonolake.releases.checksums import found_hash
from sonolake.releases.choosing import items_of
from sonolake.releases.finding import Found
from sonolake.releases.identity import Identity
from sonolake.releases.layout import ITEMS, MANIFEST, SELECTION
from sonolake.releases.offered import Offered
from sonolake.releases.origins import FolderOrigin
from sonolake.releases.selection import is_selection, key_of, read_selection
from sonolake.releases.tables import ITEMS_SCHEMA, FileRow, read_manifest

ROW_COLUMNS = ("row", "item_id", "sha256")


@dataclass(frozen=True)
class Readable:
    """A release as it lies somewhere, whole or in part; ``place`` is its folder or address.

    ``items`` are rows of ``items.parquet``; those that a retracted version withholds are apart.
    """

    release: Offered
    place: str | Path
    identity: Identity
    items: pa.Table = field(repr=False)
    withheld: pa.Table = field(repr=False, default_factory=ITEMS_SCHEMA.empty_table)

    @property
    def name(self) -> str:
        """``NAME@VERSION``."""
        return f"{self.identity.name}@{self.identity.version}"

    @property
    def release_name(self) -> str:
        """Its name without the version."""
        return self.identity.name

    @property
    def manifest_sha256(self) -> str:
        """SHA-256 of its manifest."""
        return self.release.manifest_sha256

    @property
    def configs(self) -> list[str]:
        """Its tables."""
        return sorted({f.config for f in self.release.files if f.config is not None})

    def splits(self, config: str) -> set[str]:
        """The splits of a table."""
        return {f.split for f in self.release.files if f.config == config and f.split is not None}

    def rows(self, config: str, splits: Sequence[str]) -> pa.Table:
        """Items of these splits, in the order of splits, shards and rows.

        Raises:
            NotFound: when the shards of a split were not pulled.
        """
        parts = []
        for split in splits:
            self._require_shards(config, split)
            ours = pc.and_(pc.equal(self.items["config"], config), pc.equal(self.items["split"], split))
            parts.append(self.items.filter(ours).sort_by([("shard", "ascending"), ("row", "ascending")]))
        return pa.concat_tables(parts)

    def by_shard(self, rows: pa.Table) -> Iterator[tuple[FileRow, pa.Table]]:
        """Each shard that has some of ``rows``, with these, in the order of ``rows``.

        Raises:
            Damaged: when the release has no such shard.
        """
        files = {key_of(f): f for f in self.release.files if f.config is not None}
        keys = list(zip(*(rows[c].to_pylist() for c in ("config", "split", "shard")), strict=True))
        start = 0
        for end in range(1, len(keys) + 1):
            if end == len(keys) or keys[end] != keys[start]:
                if keys[start] not in files:
                    raise Damaged(f"{self.name}: {ITEMS} lists shard {keys[start]}, the manifest does not")
                yield files[keys[start]], rows.slice(start, end - start).select(ROW_COLUMNS)
                start = end

    def _require_shards(self, config: str, split: str) -> None:
        folder = self.place
        if not isinstance(folder, Path) or is_selection(folder):
            return
        files = [f for f in self.release.files if f.config == config and f.split == split]
        if not all((folder / f.path).is_file() for f in files if f.path not in self.release.withheld):
            raise NotFound(f"{folder} lacks shards of {config}, {split}: pull it with --split {split}")


def readable(found: Found, retracted: bool = False) -> Readable:
    """What can be read of the release that was found; with ``retracted`` also of one that was, as far as it is left.

    Raises:
        NotFound: when it is none.
        Refused: with its notice, for a version that was retracted.
        Damaged: when it is not what its manifest says.
    """
    if not isinstance(found.origin, FolderOrigin):
        return _whole(found.offered, found.origin.address, retracted)
    folder = found.origin.folder
    if is_selection(folder):
        return _selection(folder)
    return _whole(found.offered, folder, retracted)


def _whole(release: Offered, place: str | Path, retracted: bool) -> Readable:
    items = items_of(release)
    if release.notice is None:
        return Readable(release, place, release.identity(), items)
    if not retracted:
        raise Refused(release.notice.told())
    withheld = pa.array([release.withholds(row) for row in items.to_pylist()], pa.bool_())
    left = items.filter(pc.invert(withheld))
    return Readable(release, place, release.identity(), left, items.filter(withheld))


def _selection(folder: Path) -> Readable:
    """Chosen items: a row's number is its place in the shard that holds the chosen ones."""
    selection = read_selection(folder / SELECTION)
    require_manifest(str(folder), found_hash(folder) or "none", selection.manifest_sha256)
    files = read_manifest(folder)
    manifest = (folder / MANIFEST).read_bytes()
    release = Offered(FolderOrigin(folder), manifest, selection.manifest_sha256, files)
    places = {
        (f.config, item): row
        for f in files
        if f.config is not None and (folder / f.path).is_file()
        for row, item in enumerate(pq.read_table(folder / f.path, columns=["item_id"])["item_id"].to_pylist())
    }
    items = items_of(release)
    keys = zip(items["config"].to_pylist(), items["item_id"].to_pylist(), strict=True)
    rows = pa.array([places.get(key) for key in keys], pa.int64())
    here = items.set_column(items.column_names.index("row"), "row", rows).filter(pc.is_valid(rows))
    return Readable(release, folder, release.identity(), here)

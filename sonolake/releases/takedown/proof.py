"""The proof that what was taken down is gone: everything is looked at that could still hold it."""

from __future__ import annotations

import re
import sqlite3
import tempfile
from collections.abc import Collection, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from sonolake.ids import sha256_hex
from sonolake.lake.erasing import KEPT, LEDGERS
from sonolake.lake.lake import Lake
from sonolake.lake.root import read_root
from sonolake.releases.layout import MANIFEST
from sonolake.releases.on_record import origin_in, path_of
from sonolake.releases.ranged import open_shard
from sonolake.releases.shards import leaves
from sonolake.releases.tables import parse_manifest
from sonolake.releases.takedown.held import held_by_releases
from sonolake.releases.takedown.target import Target, tombstones_of

_HEX = re.compile(r"[0-9a-f]{64}")
SHOWN = 5


@dataclass(frozen=True)
class Looked:
    """What was looked at: a place, how many things there, and where something was found."""

    where: str
    looked_at: int
    found: tuple[str, ...] = ()


@dataclass(frozen=True)
class Sought:
    """What is looked for: ids, and names of sources where they stand by themselves or within a text."""

    ids: frozenset[str]
    sources: frozenset[str] = frozenset()
    _pattern: list[re.Pattern[str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.sources:
            each = "|".join(map(re.escape, sorted(self.sources)))
            self._pattern.append(re.compile(rf"(?<![\w-])(?:{each})(?![\w-])"))

    def found_in(self, table: pa.Table) -> str | None:
        """The column of a table that has any of it; None where none has."""
        wanted = pa.array(sorted(self.ids | self.sources), pa.string())
        name: str
        for name in table.column_names:
            for texts in _texts(table[name].combine_chunks()):
                if pc.any(pc.is_in(texts, wanted)).as_py() or any(map(self._within, _long(texts))):
                    return name
        return None

    def _within(self, text: str) -> bool:
        return not self.ids.isdisjoint(_HEX.findall(text)) or any(one.search(text) for one in self._pattern)


def _texts(array: pa.Array) -> Iterator[pa.Array]:
    """All texts in a column, whatever they are nested in."""
    kind = array.type
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        yield array.cast(pa.string())
    elif pa.types.is_list(kind) or pa.types.is_large_list(kind):
        yield from _texts(array.flatten())
    elif pa.types.is_struct(kind):
        for number in range(kind.num_fields):
            yield from _texts(pc.struct_field(array, number))


def _long(texts: pa.Array) -> Iterable[str]:
    lengths = pc.fill_null(pc.binary_length(texts), 0)
    found: list[str] = texts.filter(pc.greater(lengths, 3)).unique().to_pylist()
    return found


def prove_gone(lake: Lake, target: Target) -> Iterator[Looked]:
    """Look everywhere for what the tombstones of ``target`` name; nothing is written."""
    rows = tombstones_of(lake, target)
    ids = {row["thing"] for row in rows if row["kind"] in ("sound", "made", "bytes")}
    sources = {row["thing"] for row in rows if row["kind"] == "source"}
    since = min(row["since"] for row in rows)
    yield _media(lake, ids)
    yield _tables(lake, Sought(frozenset(ids), frozenset(sources)))
    yield _catalog(lake, since.timestamp())
    yield _vectors(lake, ids)
    yield from _releases(lake, target, ids)


def _media(lake: Lake, ids: Collection[str]) -> Looked:
    """By their names, which are their hashes; what a killed writer left is hashed."""
    names = list(lake.media)
    left = lake.media.leftovers()
    found = [f"media/{name}" for name in names if name in ids]
    found += [
        f"media/{one.path}" for one in left if sha256_hex(lake.storage.read(f"media/{one.path}")) in ids
    ]
    return Looked("media", len(names) + len(left), tuple(found))


def _tables(lake: Lake, sought: Sought) -> Looked:
    """Every Parquet file below ``tables/``, named by the catalog or not; of ledgers what they are about."""
    files = [entry.path for entry in lake.storage.entries("tables") if entry.path.endswith(".parquet")]
    found = []
    for path in files:
        table = path.split("/")[-2]
        if table in KEPT:
            continue
        rows = pq.ParquetFile(pa.BufferReader(lake.storage.read(path)))
        columns = ["item"] if table in LEDGERS and "item" in rows.schema_arrow.names else None
        column = sought.found_in(rows.read(columns, use_threads=False))
        found += [] if column is None else [f"{path} ({column})"]
    return Looked("tables", len(files), tuple(found))


def _catalog(lake: Lake, since: float) -> Looked:
    """Snapshots of before, on record in the catalog and in the copy that is beside the data."""
    rows = lake.rows("SELECT snapshot_id AS id, snapshot_time AS at FROM ducklake_snapshots('lake')")
    old = [f"snapshot {row['id']}" for row in rows if row["at"].timestamp() < since]
    there = {entry.path.rsplit("/", 1)[-1] for entry in lake.storage.entries("tables")}
    copy = read_root(lake.place).copy
    recorded = _recorded_files(lake.storage.read(copy))
    lost = [f"{copy}: {path}" for path in recorded if path.rsplit("/", 1)[-1] not in there]
    return Looked("catalog", len(rows) + len(recorded), tuple(old + lost))


def _recorded_files(catalog: bytes) -> list[str]:
    """The files of tables that a copy of the catalog names."""
    with tempfile.TemporaryDirectory(prefix="sonolake-catalog-") as folder:
        copy = Path(folder) / "catalog.sqlite"
        copy.write_bytes(catalog)
        with closing(sqlite3.connect(copy)) as con:
            query = "SELECT path FROM ducklake_data_file UNION SELECT path FROM ducklake_delete_file"
            return [row[0] for row in con.execute(query)]


def _vectors(lake: Lake, ids: Collection[str]) -> Looked:
    """Every version of every space, and the bytes of their files."""
    found = [f"vectors/{space}" for space in lake.vectors.spaces() if lake.vectors.holds(space, ids)]
    files = list(lake.storage.entries("vectors"))
    wanted = [one.encode() for one in ids]
    for entry in files:
        data = lake.storage.read(entry.path)
        found += [entry.path] if any(one in data for one in wanted) else []
    return Looked("vectors", len(files), tuple(found))


def _releases(lake: Lake, target: Target, ids: Collection[str]) -> Iterator[Looked]:
    """Every version: items by their lineage, and what its shards say beside their sounds."""
    open_still = {one.release for one in held_by_releases(lake, target, ids) if not one.done}
    sought = Sought(frozenset(ids))
    for row in lake.rows("SELECT name, version FROM releases ORDER BY name, snapshot, version"):
        release = f"{row['name']}@{row['version']}"
        store = lake.storage.room("releases").room(path_of(row["name"], row["version"]))
        if store.stat(MANIFEST) is None:
            continue
        origin = origin_in(store)
        files = parse_manifest(store.read(MANIFEST), f"{store.uri}/{MANIFEST}")
        shards = [file for file in files if file.config is not None and store.stat(file.path) is not None]
        found = ["items that are not withheld"] if release in open_still else []
        for file in shards:
            shard = open_shard(origin, file)
            columns = [leaf for leaf in leaves(shard.schema_arrow) if not leaf.startswith("audio.")]
            column = sought.found_in(shard.read(columns))
            found += [] if column is None else [f"{file.path} ({column})"]
        yield Looked(f"release {release}", len(shards), tuple(found))

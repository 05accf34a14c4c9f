"""The three index tables of a release, each with one fixed Arrow schema and the same bytes for the same rows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from sonolake.errors import Damaged, NotFound
from sonolake.releases.layout import (
    ITEMS,
    LINEAGE,
    MANIFEST,
    PART_SUFFIX,
    PULLED_PREFIX,
    SELECTING,
    SELECTION,
    SPLITS,
    UNLISTED,
    checked_name,
    checked_path,
)
from sonolake.releases.modest import MOST_FILES, read_index

_SHA256 = re.compile("[0-9a-f]{64}")
_KEPT = {name.casefold() for name in (*UNLISTED, SELECTION, SELECTING)}

MANIFEST_SCHEMA = pa.schema(
    [
        pa.field("path", pa.string(), nullable=False),
        pa.field("sha256", pa.string(), nullable=False),
        pa.field("bytes", pa.int64(), nullable=False),
        pa.field("config", pa.string()),
        pa.field("split", pa.string()),
        pa.field("shard", pa.int32()),
    ]
)
ITEMS_SCHEMA = pa.schema(
    [
        pa.field("item_id", pa.string(), nullable=False),
        pa.field("config", pa.string(), nullable=False),
        pa.field("split", pa.string(), nullable=False),
        pa.field("shard", pa.int32(), nullable=False),
        pa.field("row", pa.int64(), nullable=False),
        pa.field("offset", pa.int64()),
        pa.field("bytes", pa.int64()),
        pa.field("duration_s", pa.float64()),
        pa.field("sample_rate", pa.int32()),
        pa.field("channels", pa.int32()),
        pa.field("licence", pa.string()),
        pa.field("sha256", pa.string()),
        pa.field("since", pa.string()),
    ]
)
"""An item: its shard, ``row`` in it, and where its sound lies (``offset``, ``bytes``; null without sound).

``sha256`` is that of the sound's bytes, so that one item can be fetched alone and checked. ``since`` is the version
from which on the item is as it is, what is only said about it aside: those of earlier versions can be had again.
"""
LINEAGE_SCHEMA = pa.schema([(name, pa.string()) for name in ("child", "parent", "role")])


@dataclass(frozen=True, order=True)
class FileRow:
    """A file of a release: ``path`` in it, ``sha256``, size in ``bytes``; config, split and shard for data."""

    path: str
    sha256: str
    bytes: int
    config: str | None = None
    split: str | None = None
    shard: int | None = None


def write_manifest(rows: Iterable[FileRow], folder: Path) -> None:
    """Write ``manifest.parquet``, rows by path."""
    _write([asdict(r) for r in sorted(rows)], MANIFEST_SCHEMA, folder / MANIFEST)


def read_manifest(folder: Path) -> list[FileRow]:
    """The files of the release in ``folder``.

    Raises:
        NotFound: when there is no manifest.
        Damaged: when it is not one.
        InvalidInput: when it names a path outside the release.
    """
    path = folder / MANIFEST
    if not path.is_file():
        raise NotFound(f"{folder} holds no {MANIFEST}: it is not a release")
    return parse_manifest(path.read_bytes(), str(path))


def parse_manifest(data: bytes, where: str) -> list[FileRow]:
    """The files that a manifest lists; ``where`` is what messages call it.

    Raises:
        Damaged: when it is not one.
        InvalidInput: when it names a path outside the release, or a table by what cannot name one.
    """
    table = read_index(pa.BufferReader(data), MANIFEST_SCHEMA, where, "a manifest", len(data), MOST_FILES)
    if missing := set(MANIFEST_SCHEMA.names) - set(table.column_names):
        raise Damaged(f"{where}: not a manifest (no column {', '.join(sorted(missing))})")
    if any(table[name].null_count for name in ("path", "sha256", "bytes")):
        raise Damaged(f"{where}: not a manifest (a file without path, SHA-256 or size)")
    files = [FileRow(**row) for row in table.to_pylist()]
    _require_distinct(files, where)
    for file in files:
        _require_table(file, where)
    return files


def _require_table(file: FileRow, where: str) -> None:
    """Let a file pass that is of no table, or a shard of one whose name leads nowhere, also as a folder's.

    Raises:
        Damaged: for a split that there is not, or no number.
        InvalidInput: for what cannot name a table.
    """
    if file.config is None:
        return
    checked_name("config", file.config)
    if file.split not in SPLITS or file.shard is None or file.shard < 0:
        raise Damaged(f"{where}: {file.path} is no shard of {', '.join(SPLITS)} ({file.split}, {file.shard})")


def _require_distinct(files: Sequence[FileRow], where: str) -> None:
    """Let files pass that can lie beside each other in one folder, whatever system it is on.

    Raises:
        Damaged: for a name that comes twice, is another's folder, or is kept for what no manifest lists.
        InvalidInput: for a path outside the release.
    """
    names: set[str] = set()
    for file in files:
        name = checked_path(file.path).casefold()
        if name in names or not _SHA256.fullmatch(file.sha256) or file.bytes < 0:
            raise Damaged(f"{where}: {file.path} comes twice, or has no SHA-256 or size")
        if name in _KEPT or name.startswith(PULLED_PREFIX.casefold()) or name.endswith(PART_SUFFIX):
            raise Damaged(f"{where}: {file.path} is a name that no manifest lists")
        names.add(name)
    for name in names:
        parts = name.split("/")
        if any("/".join(parts[:end]) in names for end in range(1, len(parts))):
            raise Damaged(f"{where}: {name} lies in what is a file itself")


def write_items(table: pa.Table, folder: Path) -> None:
    """Write ``items.parquet``, as :func:`items_table` gives it."""
    pq.write_table(table, folder / ITEMS, compression="zstd")


def items_table(parts: Iterable[pa.Table]) -> pa.Table:
    """``items.parquet`` as a table, by config, split, shard and row, of such rows in any order."""
    rows = pa.concat_tables([ITEMS_SCHEMA.empty_table(), *parts])
    keys = [(name, "ascending") for name in ("config", "split", "shard", "row")]
    ordered: pa.Table = rows.sort_by(keys).combine_chunks()
    return ordered


def read_items(path: Path) -> pa.Table:
    """``items.parquet``, by config, split, shard and row; ``sha256`` and ``since`` are null where it has not.

    Raises:
        Damaged: when it is not that.
    """
    items = read_index(path, ITEMS_SCHEMA, str(path), ITEMS, path.stat().st_size)
    for name in {"sha256", "since"} - set(items.column_names):
        items = items.append_column(name, pa.nulls(items.num_rows, pa.string()))
    if missing := set(ITEMS_SCHEMA.names) - set(items.column_names):
        raise Damaged(f"{path}: not {ITEMS} (no column {', '.join(sorted(missing))})")
    return items.select(ITEMS_SCHEMA.names).cast(ITEMS_SCHEMA)


def write_lineage(lineage: pa.Table, folder: Path) -> None:
    """Write ``lineage.parquet``: distinct edges, sorted."""
    edges = (
        lineage.select(LINEAGE_SCHEMA.names).cast(LINEAGE_SCHEMA).group_by(LINEAGE_SCHEMA.names).aggregate([])
    )
    ordered = edges.sort_by([(name, "ascending") for name in LINEAGE_SCHEMA.names])
    pq.write_table(ordered, folder / LINEAGE, compression="zstd")


def _write(rows: list[dict[str, Any]], schema: pa.Schema, path: Path) -> None:
    pq.write_table(pa.Table.from_pylist(rows, schema), path, compression="zstd")

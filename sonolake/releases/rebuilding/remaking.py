"""One item, and one shard of items, made again and held against what was published."""

from __future__ import annotations

import base64
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from sonolake.errors import Damaged, SonolakeError
from sonolake.ids import sha256_hex
from sonolake.releases.disk import sha256_of, sync
from sonolake.releases.layout import ITEMS, PART_SUFFIX
from sonolake.releases.origins import Origin
from sonolake.releases.ranged import open_shard
from sonolake.releases.rebuilding.makers import Maker, Remade
from sonolake.releases.shards import audio_column, audio_name, writer_options
from sonolake.releases.tables import FileRow

Row = dict[str, Any]
SHOWN = 3
"""Values of an item that are told where they are otherwise."""
_WRITER = (
    f"this is pyarrow {pa.__version__}, and another version of it, or of sonolake, may write another file"
)


@dataclass(frozen=True)
class Otherwise:
    """An item or a file that did not come out as it was published, and why."""

    what: str
    config: str
    why: str


@dataclass(frozen=True)
class Published:
    """What was published of an item: its row, and SHA-256 of its sound, None where it has none."""

    row: Row
    sha256: str | None


def remade(
    item: Published, maker: Maker, models: Mapping[str, str], schema: pa.Schema
) -> tuple[Remade | None, str]:
    """An item made again, and what is otherwise, in a sentence; None when it cannot be made."""
    try:
        made = maker(item.row, models)
    except (SonolakeError, ImportError) as error:
        return None, f"it cannot be made: {error}"
    sha256 = sha256_hex(made.sound)
    if sha256 != item.sha256:
        return made, f"another sound: SHA-256 {sha256}, published {item.sha256}"
    other = [
        told
        for name, value in made.columns.items()
        if name in item.row
        for told in _unequal(name, item.row[name], _stored(value, schema.field(name).type))
    ]
    return made, f"the same sound, and other values: {'; '.join(other[:SHOWN])}" if other else ""


def _stored(value: object, kind: pa.DataType) -> object:
    """A value as a release gives it back."""
    return pa.array([value], kind).to_pylist()[0]


def _unequal(name: str, published: Any, made: Any) -> Iterator[str]:
    """The places in a value, however nested, at which another one was made."""
    if isinstance(published, dict) and isinstance(made, dict):
        for key in published:
            yield from _unequal(f"{name}.{key}", published[key], made.get(key))
    elif isinstance(published, list) and isinstance(made, list) and len(published) == len(made):
        for number, (before, now) in enumerate(zip(published, made, strict=True)):
            yield from _unequal(f"{name}[{number}]", before, now)
    elif published != made:
        yield f"{name} {made!r}, published {published!r}"


@dataclass(frozen=True)
class Bench:
    """Where a rebuild works: its folder, and a place for sounds until their shard is written."""

    folder: Path
    sounds: Path

    def keep(self, sound: bytes, sha256: str) -> None:
        """Keep a sound until its shard is written."""
        part = self.sounds / f"{sha256}.{threading.get_ident()}{PART_SUFFIX}"
        part.write_bytes(sound)
        part.replace(self.sounds / sha256)

    def holds(self, sha256: str) -> bool:
        """Whether a sound was made before."""
        path = self.sounds / sha256
        return path.is_file() and sha256_of(path) == sha256

    def read(self, sha256: str) -> bytes:
        """A sound that was made."""
        return (self.sounds / sha256).read_bytes()


@dataclass(frozen=True)
class Shard:
    """What was published of a shard beside its sounds.

    Attributes:
        file: of the manifest.
        rows: all columns but ``audio``.
        schema: that it was written with.
        groups: rows of each row group.
        sha256: of each row's sound, None where it has none.
    """

    file: FileRow
    rows: pa.Table
    schema: pa.Schema
    groups: Sequence[int]
    sha256: Sequence[str | None]


def read_shard(origin: Origin, file: FileRow, sha256: Sequence[str | None]) -> Shard:
    """A shard where it lies, without its sounds, which ``sha256`` names.

    Raises:
        Damaged: when it is no Parquet file, or a page is not what its checksum says, or has other rows.
    """
    shard = open_shard(origin, file)
    meta = shard.metadata
    where = f"{origin.name}/{file.path}"
    try:
        rows = shard.read([name for name in shard.schema_arrow.names if name != "audio"])
    except (pa.ArrowException, OSError) as error:
        raise Damaged(f"{where} cannot be read: {error}") from error
    if rows.num_rows != len(sha256):
        raise Damaged(f"{where} has {rows.num_rows} rows, {ITEMS} lists {len(sha256)}")
    groups = [meta.row_group(number).num_rows for number in range(meta.num_row_groups)]
    return Shard(file, rows, _written_schema(shard), groups, sha256)


def _written_schema(shard: pq.ParquetFile) -> pa.Schema:
    """The schema that a shard was written with: what Parquet itself keeps has no names of lists' elements."""
    kept = (shard.metadata.metadata or {}).get(b"ARROW:schema")
    return shard.schema_arrow if kept is None else pa.ipc.read_schema(pa.py_buffer(base64.b64decode(kept)))


def remake_shard(
    shard: Shard,
    bench: Bench,
    remake: Callable[[Published], tuple[Remade | None, str]],
    pool: Executor,
) -> list[Otherwise]:
    """Make the items of a shard and write it; when anything is otherwise, nothing is written and all of it told.

    Args:
        shard: what was published.
        bench: where.
        remake: makes one item.
        pool: does so for several at once.
    """
    config = shard.file.config or ""

    def one(item: Published) -> str:
        if item.sha256 is None or bench.holds(item.sha256):
            return ""
        made, why = remake(item)
        if made is not None and not why:
            bench.keep(made.sound, item.sha256)
        return why

    items = [Published(*pair) for pair in zip(shard.rows.to_pylist(), shard.sha256, strict=True)]
    whys = list(pool.map(one, items))
    otherwise = [
        Otherwise(item.row["item_id"], config, why) for item, why in zip(items, whys, strict=True) if why
    ]
    return otherwise or _written(shard, bench)


def _written(shard: Shard, bench: Bench) -> list[Otherwise]:
    file = shard.file
    target = bench.folder / file.path
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(target.name + PART_SUFFIX)
    try:
        _write(shard, bench, part)
    except (pa.ArrowException, LookupError) as error:
        part.unlink(missing_ok=True)
        raise Damaged(f"{file.path}: its schema does not fit its rows: {error}") from error
    if (found := sha256_of(part)) != file.sha256:
        part.unlink()
        why = f"its items are the same, and as a file it has SHA-256 {found}, published {file.sha256} ({_WRITER})"
        return [Otherwise(file.path, file.config or "", why)]
    sync(part)
    part.replace(target)
    for digest in set(shard.sha256) - {None}:
        (bench.sounds / str(digest)).unlink(missing_ok=True)
    return []


def _write(shard: Shard, bench: Bench, path: Path) -> None:
    """The rows with their sounds, in the row groups in which they were published."""
    first = 0
    with pq.ParquetWriter(path, shard.schema, **writer_options(shard.schema)) as writer:
        for rows in shard.groups:
            table = shard.rows.slice(first, rows)
            if "audio" in shard.schema.names:
                table = table.add_column(
                    shard.schema.get_field_index("audio"),
                    "audio",
                    _sounds(table, shard.sha256[first : first + rows], bench),
                )
            writer.write_table(table.cast(shard.schema), row_group_size=max(1, rows))
            first += rows


def _sounds(table: pa.Table, sha256: Sequence[str | None], bench: Bench) -> pa.Array:
    sounds = [None if digest is None else bench.read(digest) for digest in sha256]
    named = zip(table["item_id"].to_pylist(), sounds, strict=True)
    return audio_column(sounds, [None if sound is None else audio_name(item, sound) for item, sound in named])

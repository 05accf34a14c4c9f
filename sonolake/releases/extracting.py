"""Chosen rows of a shard, without fetching the rest of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from sonolake.errors import Damaged
from sonolake.releases.disk import sync
from sonolake.releases.layout import PART_SUFFIX
from sonolake.releases.origins import Origin
from sonolake.releases.pace import Gate
from sonolake.releases.ranged import Sound, groups_of, open_shard, read_sounds
from sonolake.releases.shards import AUDIO_BYTES, GROUP_ROWS, audio_column, leaves, writer_options
from sonolake.releases.tables import FileRow

BATCH_BYTES = 16 * 1024 * 1024
"""Bytes of sounds in a row group of chosen items: several workers hold one each."""
Item = dict[str, Any]
"""A row of ``items.parquet``."""


class Gated:
    """An origin whose every block goes through a gate."""

    def __init__(self, origin: Origin, gate: Gate) -> None:
        self._origin, self._gate = origin, gate

    @property
    def name(self) -> str:
        """The origin's."""
        return self._origin.name

    @property
    def address(self) -> str:
        """The origin's."""
        return self._origin.address

    def below(self, path: str) -> Gated:
        """The place ``path`` under this one, through the same gate."""
        return Gated(self._origin.below(path), self._gate)

    def stream(self, path: str, start: int = 0, end: int | None = None) -> Iterator[bytes]:
        """See :meth:`~sonolake.releases.origins.base.Origin.stream`."""
        for block in self._origin.stream(path, start, end):
            self._gate.take(len(block))
            yield block


def write_chosen(origin: Origin, file: FileRow, items: Sequence[Item], dest: Path) -> None:
    """Write the rows ``items`` of a shard of ``origin`` as the shard of that name in ``dest``, in their order.

    Raises:
        Damaged: when a sound, or a page with other columns, is not what it must be.
    """
    target = dest / file.path
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(target.name + PART_SUFFIX)
    shard = open_shard(origin, file)
    schema = shard.schema_arrow
    by_row = {item["row"]: item for item in items}
    with pq.ParquetWriter(part, schema, **writer_options(schema)) as writer:
        for group, first, rows in groups_of(shard, sorted(by_row)):
            others = _without_bytes(shard, group)
            for few in _batches([by_row[row] for row in rows]):
                table = others.take([item["row"] - first for item in few])
                writer.write_table(_with_bytes(table, origin, file.path, few).cast(schema))
    sync(part)
    part.replace(target)


def _batches(items: Sequence[Item]) -> Iterator[list[Item]]:
    """``items`` in row groups whose sounds are held at once."""
    held, size = list[Item](), 0
    for item in items:
        extra = item["bytes"] or 0
        if held and (size + extra > BATCH_BYTES or len(held) == GROUP_ROWS):
            yield held
            held, size = [], 0
        held.append(item)
        size += extra
    yield held


def _without_bytes(shard: pq.ParquetFile, group: int) -> pa.Table:
    """A row group with everything but the sounds' bytes.

    Raises:
        Damaged: when a page is not what its checksum says.
    """
    try:
        return shard.read_row_group(
            group, columns=[c for c in leaves(shard.schema_arrow) if c != AUDIO_BYTES]
        )
    except (pa.ArrowException, OSError) as error:
        raise Damaged(f"row group {group} cannot be read: {error}") from error


def _with_bytes(table: pa.Table, origin: Origin, path: str, items: Sequence[Item]) -> pa.Table:
    if "audio" not in table.column_names:
        return table
    there = [
        Sound(*(item[key] for key in ("item_id", "offset", "bytes", "sha256")))
        for item in items
        if item["sha256"]
    ]
    found = read_sounds(origin, path, there)
    sounds = [next(found) if item["sha256"] else None for item in items]
    names = [None if audio is None else audio["path"] for audio in table["audio"].to_pylist()]
    return table.set_column(table.column_names.index("audio"), "audio", audio_column(sounds, names))

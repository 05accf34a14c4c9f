"""The records of one table of a release: dicts with samples as numpy arrays."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from sonolake.errors import Damaged, InvalidInput
from sonolake.ids import canonical_json, sha256_hex
from sonolake.loading.order import Order
from sonolake.loading.sound import ENCODED, samples_of
from sonolake.releases.layout import ITEMS
from sonolake.releases.origins import Origin, open_origin
from sonolake.releases.ranged import groups_of, open_shard
from sonolake.releases.tables import FileRow

if TYPE_CHECKING:
    from sonolake.loading.torch_dataset import TorchRecords

Record = dict[str, Any]
AUDIO = "audio"


@dataclass(frozen=True)
class Shard:
    """A shard and which of its rows are wanted: ``row``, ``item_id`` and ``sha256`` of the sound, by row."""

    file: FileRow
    rows: pa.Table = field(repr=False)

    def __len__(self) -> int:
        return int(self.rows.num_rows)


@dataclass(frozen=True)
class Records:
    """Iterates over records; made by :func:`sonolake.load`.

    A record is a dict of the table's columns. ``audio`` is an array ``(frames, channels)``, four channels (W, Y, Z, X)
    for first-order Ambisonics, or None where an item has no sound; ``sample_rate`` is in Hz, ``split`` says which it
    is of. A record's sound is held against its SHA-256 before it is decoded.

    It can be sent to other processes; each opens the release's place for itself.
    """

    place: str | Path
    manifest_sha256: str
    config: str
    shards: tuple[Shard, ...]
    where: str
    columns: tuple[str, ...] | None
    dtype: str
    _opened: dict[int, Origin] = field(default_factory=dict, repr=False, compare=False)

    def __len__(self) -> int:
        return sum(map(len, self.shards))

    def __iter__(self) -> Iterator[Record]:
        return self.read(range(len(self.shards)), Order())

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_opened": {}}

    @cached_property
    def fingerprint(self) -> str:
        """A hash of which records these are and in which order; not of columns and dtype."""
        shards = [[s.file.path, s.rows["row"].to_pylist()] for s in self.shards]
        parts = {"manifest": self.manifest_sha256, "shards": shards}
        return sha256_hex(canonical_json(parts).encode())

    @property
    def schema(self) -> pa.Schema:
        """The columns as the release has them, ``audio`` as bytes and name."""
        return self._open(self.shards[0]).schema_arrow.remove_metadata()

    def only(self, columns: Sequence[str]) -> Records:
        """The same records with these columns (and ``split``) alone.

        Raises:
            InvalidInput: for a column that there is not.
        """
        there = self.schema.names
        if unknown := [c for c in columns if c not in there]:
            raise InvalidInput("columns", f"some of {', '.join(there)}", unknown)
        return replace(self, columns=tuple(columns))

    def torch(
        self,
        transform: Callable[[Record], Any] | None = None,
        *,
        shuffle: int | None = None,
        rank: int = 0,
        world: int = 1,
    ) -> TorchRecords:
        """An ``IterableDataset`` of PyTorch over these records, which resumes where it stopped.

        Args:
            transform: from a record, its audio a tensor ``(frames, channels)``, to what is yielded.
            shuffle: a seed; the order is another one in each epoch. In the order of the release when None.
            rank: which of ``world`` processes this is; each has shards of its own, and so has each worker.
            world: how many processes train together.

        Raises:
            MissingPackage: when PyTorch is not installed.
        """
        from sonolake.loading.torch_dataset import TorchRecords

        return TorchRecords(self, transform, shuffle, rank, world)

    def read(self, shards: Sequence[int], order: Order, skip: int = 0) -> Iterator[Record]:
        """The records of these shards one after the other, but for the first ``skip``, which are not read."""
        for number in shards:
            if skip >= len(self.shards[number]):
                skip -= len(self.shards[number])
                continue
            yield from self._shard(self.shards[number], order, skip)
            skip = 0

    def _shard(self, shard: Shard, order: Order, skip: int) -> Iterator[Record]:
        opened = self._open(shard)
        wanted = {row["row"]: row for row in shard.rows.to_pylist()}
        if (last := max(wanted, default=-1)) >= opened.metadata.num_rows:
            there = f"{shard.file.path} has {opened.metadata.num_rows:,} rows"
            raise Damaged(f"{there}, {ITEMS} lists an item in row {last:,}")
        for group, first, rows in order.groups(list(groups_of(opened, sorted(wanted))), shard.file.path):
            if skip >= len(rows):
                skip -= len(rows)
                continue
            table = self._read_group(opened, group, shard)
            for row in rows[skip:]:
                yield self._record(table.slice(row - first, 1), wanted[row], shard)
            skip = 0

    def _read_group(self, opened: pq.ParquetFile, group: int, shard: Shard) -> pa.Table:
        try:
            return opened.read_row_group(group, columns=None if self.columns is None else list(self.columns))
        except (pa.ArrowException, OSError) as error:
            raise Damaged(f"{shard.file.path}: row group {group} cannot be read: {error}") from error

    def _record(self, row: pa.Table, item: Record, shard: Shard) -> Record:
        record: Record = row.to_pylist()[0]
        record["split"] = shard.file.split
        sound = record.get(AUDIO)
        if sound is None:
            return record
        if sound["bytes"] is None:
            raise Damaged(f"{shard.file.path}: {item['item_id']} has the name of a sound and no bytes")
        if item["sha256"] not in (None, hashlib.sha256(sound["bytes"]).hexdigest()):
            raise Damaged(f"{shard.file.path}: the sound of {item['item_id']} has another SHA-256")
        if self.dtype == ENCODED:
            record[AUDIO] = sound["bytes"]
        else:
            record[AUDIO], record["sample_rate"] = samples_of(sound["bytes"], self.dtype, item["item_id"])
        return record

    def _open(self, shard: Shard) -> pq.ParquetFile:
        process = os.getpid()
        if process not in self._opened:
            self._opened.clear()
            self._opened[process] = open_origin(self.place)
        return open_shard(self._opened[process], shard.file)

"""Parts of a release's files, without the rest: a shard's columns, and the sounds of single items."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from sonolake.errors import Damaged
from sonolake.releases.features import AUDIO_TYPE
from sonolake.releases.modest import require_shard
from sonolake.releases.origins import FolderOrigin, Origin
from sonolake.releases.tables import FileRow

GAP = 64 * 1024
"""Bytes between two sounds that are cheaper to read over than to ask for again."""
MOST_AT_ONCE = 16 * 1024 * 1024
"""Bytes of sounds that are asked for at once."""


class RangedFile(io.RawIOBase):
    """A file of an origin, to be read at any place; ``size`` in bytes is what the manifest says."""

    def __init__(self, origin: Origin, path: str, size: int) -> None:
        self._origin, self._path, self._size = origin, path, size
        self._at = 0

    def readable(self) -> bool:
        """It is."""
        return True

    def seekable(self) -> bool:
        """It is."""
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Go to a byte, counted from the start, from here or from the end."""
        self._at = offset + (0, self._at, self._size)[whence]
        return self._at

    def tell(self) -> int:
        """Where it is."""
        return self._at

    def readinto(self, buffer: Any) -> int:
        """Fill ``buffer`` as far as the file goes; the bytes that were read."""
        end = min(self._at + len(buffer), self._size)
        filled = 0
        for block in self._origin.stream(self._path, self._at, end) if end > self._at else ():
            buffer[filled : filled + len(block)] = block
            filled += len(block)
        self._at += filled
        return filled


def open_shard(origin: Origin, file: FileRow) -> pq.ParquetFile:
    """A shard, of which only what is asked for is read; pages that carry a checksum are held against it.

    Raises:
        Damaged: when it is no Parquet file, or one that no release has.
    """
    try:
        source: Any = (
            origin.folder / file.path
            if isinstance(origin, FolderOrigin)
            else pa.PythonFile(RangedFile(origin, file.path, file.bytes), mode="r")
        )
        shard = pq.ParquetFile(source, pre_buffer=True, page_checksum_verification=True)
    except (pa.ArrowException, FileNotFoundError) as error:
        raise Damaged(f"{origin.name}/{file.path} cannot be read: {error}") from error
    where = f"{origin.name}/{file.path}"
    require_shard(shard.metadata, file.bytes, where)
    _require_columns(shard.schema_arrow, where)
    return shard


def _require_columns(schema: pa.Schema, where: str) -> None:
    """Let a shard pass that names its items, and whose sounds are bytes with a name.

    Raises:
        Damaged: for any other.
    """
    if "item_id" not in schema.names or not pa.types.is_string(schema.field("item_id").type):
        raise Damaged(f"{where} has no column item_id of text")
    sound = schema.field("audio").type if "audio" in schema.names else None
    if sound is not None and not sound.equals(AUDIO_TYPE):
        raise Damaged(f"{where}: the column audio is {sound}, not {AUDIO_TYPE}")


def groups_of(shard: pq.ParquetFile, rows: Iterable[int]) -> Iterator[tuple[int, int, list[int]]]:
    """The row groups that hold any of ``rows`` (ascending): number, the group's first row, and which rows."""
    waiting = list(rows)
    first = 0
    for group in range(shard.metadata.num_row_groups):
        end = first + shard.metadata.row_group(group).num_rows
        if here := [row for row in waiting if first <= row < end]:
            yield group, first, here
        first = end


@dataclass(frozen=True)
class Sound:
    """Where the sound of an item lies in its shard, and what it must be."""

    item_id: str
    offset: int
    bytes: int
    sha256: str


def read_sounds(origin: Origin, path: str, sounds: Sequence[Sound]) -> Iterator[bytes]:
    """The bytes of each sound, in the order given, which is that of their offsets; near ones are asked for together.

    Raises:
        Damaged: when the bytes there are others.
    """
    for near in _together(sounds):
        start = near[0].offset
        held = b"".join(origin.stream(path, start, near[-1].offset + near[-1].bytes))
        for sound in near:
            data = held[sound.offset - start : sound.offset - start + sound.bytes]
            if hashlib.sha256(data).hexdigest() != sound.sha256:
                raise Damaged(f"{origin.name}/{path}: the sound of {sound.item_id} has another SHA-256")
            yield data


def _together(sounds: Sequence[Sound]) -> Iterator[list[Sound]]:
    held: list[Sound] = []
    for sound in sounds:
        far = held and sound.offset - (held[-1].offset + held[-1].bytes) > GAP
        if held and (far or sound.offset + sound.bytes - held[0].offset > MOST_AT_ONCE):
            yield held
            held = []
        held.append(sound)
    if held:
        yield held

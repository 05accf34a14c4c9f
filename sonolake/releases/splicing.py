"""Sounds put into a Parquet file as it is written, without passing through its writer.

Arrow's writer copies a value twice before it is on disk: a sound of 100 MB takes 300. So it is given empty values where
sounds belong, and what it writes is completed on its way into the file: the page of sounds gets their lengths and bytes
(Parquet format, Encodings, PLAIN), its header the sizes and the checksum (CRC-32) that follow, and the indexes and the
footer at the end get the places and sizes of what has moved. The bytes are those that Arrow would have written.
"""

from __future__ import annotations

import hashlib
import os
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from sonolake.errors import Refused
from sonolake.releases.compact import Fields, Reader, written

MAGIC = b"PAR1"
_LENGTH, _LARGEST = 4, 2**31 - 1
_END = _LENGTH + len(MAGIC)


class _Page(NamedTuple):
    """A page in a part of a file: where its header, its body, and what comes after it begin."""

    start: int
    body: int
    end: int


@dataclass(frozen=True)
class _Moved:
    """A page of sounds: where Arrow has it, how many bytes longer it is, and how many of these are of sounds."""

    at: int
    longer: int
    sounds: int


class _Sink:
    """What Arrow's writer writes to, to be taken from in between."""

    closed = False

    def __init__(self) -> None:
        self._held, self._at = bytearray(), 0

    def write(self, data: Any) -> int:
        self._held += data
        self._at += len(data)
        return len(data)

    def tell(self) -> int:
        return self._at

    def take(self) -> tuple[int, bytes]:
        """What was written since the last time, and where it begins."""
        taken, self._held = bytes(self._held), bytearray()
        return self._at - len(taken), taken

    def flush(self) -> None:
        """Nothing is kept back."""

    def close(self) -> None:
        """Nothing is open."""


class SplicedWriter:
    """A Parquet file at ``path`` with a column of sounds, plain and uncompressed.

    Args:
        path: of the file.
        schema: its columns.
        options: of Arrow's ``ParquetWriter``.

    Attributes:
        sha256: of what is written so far; of the file once it is closed.
        size: the same in bytes.
    """

    def __init__(self, path: Path, schema: pa.Schema, options: dict[str, Any]) -> None:
        self.sha256, self.size = hashlib.sha256(), 0
        self._sink, self._moved, self._token = _Sink(), list[_Moved](), os.urandom(16)
        self._writer = pq.ParquetWriter(pa.PythonFile(self._sink, "w"), schema, **options)
        self._file = path.open("wb")

    def __enter__(self) -> SplicedWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        with self._file:
            self._writer.close()
            if kind is None:
                self._finish(*self._sink.take())

    def placeholders(self, sounds: Sequence[bytes | None]) -> list[bytes | None]:
        """What a table has in the place of ``sounds``: something to be found by for the first, nothing for others."""
        first = next((row for row, sound in enumerate(sounds) if sound is not None), None)
        return [
            None if sound is None else self._token if row == first else b""
            for row, sound in enumerate(sounds)
        ]

    def write(self, table: pa.Table, sounds: Sequence[bytes | None]) -> list[int | None]:
        """Write a row group of ``table``, which has the placeholders of ``sounds``; where each of these lies.

        Raises:
            Refused: when they are more than a page of Parquet can hold.
        """
        self._writer.write_table(table, row_group_size=max(1, table.num_rows))
        began, part = self._sink.take()
        there = [sound for sound in sounds if sound is not None]
        if not there:
            self._put(part)
            return [None] * len(sounds)
        page, levels = self._find(part, len(there))
        head = _head(part[page.start : page.body], levels, there, len(self._token))
        added = sum(map(len, there)) - len(self._token)
        self._moved.append(_Moved(began + page.start, added + len(head) - (page.body - page.start), added))
        for piece in (part[: page.start], head, levels):
            self._put(piece)
        places = [None if sound is None else self._put_sound(sound) for sound in sounds]
        self._put(part[page.end :])
        return places

    def _find(self, part: bytes, sounds: int) -> tuple[_Page, bytes]:
        """The page that ends in placeholders, and what is before them in it."""
        values = len(self._token).to_bytes(_LENGTH, "little") + self._token + bytes(_LENGTH * (sounds - 1))
        for page in _pages(part):
            body = part[page.body : page.end]
            if body.endswith(values):
                return page, body.removesuffix(values)
        raise ValueError("Arrow has not written the sounds of a row group as one plain page")

    def _put(self, data: bytes) -> None:
        self._file.write(data)
        self.sha256.update(data)
        self.size += len(data)

    def _put_sound(self, sound: bytes) -> int:
        self._put(len(sound).to_bytes(_LENGTH, "little"))
        self._put(sound)
        return self.size - len(sound)

    def _finish(self, began: int, part: bytes) -> None:
        """Write the indexes and the footer, with what has moved in its place."""
        size = int.from_bytes(part[-_END:-_LENGTH], "little")
        footer = Reader(part, len(part) - _END - size).fields()
        moving = _Moving(self._moved)
        moving.groups(footer)
        if began == 0:
            self._put(part[: len(MAGIC)])
        at = max(began, len(MAGIC))
        for start, column, (offset, length), has_places in sorted(
            _indexes(footer), key=lambda index: index[0]
        ):
            if start != at:
                break
            at += column[length].held
            raw = part[start - began : at - began]
            raw = moving.index(raw) if has_places else raw
            column[offset].held, column[length].held = self.size, len(raw)
            self._put(raw)
        if at - began != len(part) - _END - size:
            raise ValueError("Arrow has written something between row groups and footer that is no index")
        foot = written(footer)
        self._put(foot + len(foot).to_bytes(_LENGTH, "little") + MAGIC)


class _Moving:
    """What moves behind pages that are longer than Arrow knows."""

    def __init__(self, moved: Sequence[_Moved]) -> None:
        self._at = {page.at: page for page in moved}
        self._ends = [0, *accumulate(page.longer for page in moved)]
        self._starts = np.array([page.at for page in moved], np.int64)

    def groups(self, footer: Fields) -> None:
        """Have the row groups of ``footer`` say where their columns lie, and how long they are."""
        for group in (one.held for one in footer[4].held):
            longer = sum(self._column(column) for column in _columns(group))
            self._add(group, 2, longer)
            self._add(group, 6, longer)
            self._move(group, 5)

    def index(self, raw: bytes) -> bytes:
        """An index of the places of a column's pages."""
        index = Reader(raw).fields()
        for number, place in enumerate(one.held for one in index[1].held):
            page = self._at.get(place[1].held)
            if page is not None:
                self._add(place, 2, page.longer)
                if 2 in index:
                    index[2].held[number].held += page.sounds
            self._move(place, 1)
        return written(index)

    def _column(self, column: Fields) -> int:
        """A column of a row group; how many bytes longer it is."""
        facts: Fields = column[3].held
        page = self._at.get(facts[9].held)
        if page is not None:
            self._add(facts, 6, page.longer)
            self._add(facts, 7, page.longer)
            if 16 in facts:
                self._add(facts[16].held, 1, page.sounds)
        for number in (9, 11):
            self._move(facts, number)
        self._move(column, 2)
        return 0 if page is None else page.longer

    def _move(self, fields: Fields, number: int) -> None:
        if number in fields:
            at = fields[number].held
            fields[number].held = at + self._ends[int(np.searchsorted(self._starts, at))]

    @staticmethod
    def _add(fields: Fields, number: int, more: int) -> None:
        if number in fields:
            fields[number].held += more


def _columns(group: Fields) -> Iterator[Fields]:
    return (column.held for column in group[1].held)


def _indexes(footer: Fields) -> Iterator[tuple[int, Fields, tuple[int, int], bool]]:
    """Where each index begins, its column, the fields that say where it is and how long, and if it has places."""
    for group in footer[4].held:
        for column in _columns(group.held):
            for offset, length, has_places in ((6, 7, False), (4, 5, True)):
                if offset in column:
                    yield column[offset].held, column, (offset, length), has_places


def _pages(part: bytes) -> Iterator[_Page]:
    """The pages of a row group, which the file's first bytes may precede."""
    at = len(MAGIC) if part.startswith(MAGIC) else 0
    while at < len(part):
        reader = Reader(part, at)
        size = reader.fields()[3].held
        yield _Page(at, reader.at, reader.at + size)
        at = reader.at + size


def _head(raw: bytes, levels: bytes, sounds: Iterable[bytes], without: int) -> bytes:
    """The header of a page of sounds, from that of their placeholders, which take ``without`` bytes."""
    header = Reader(raw).fields()
    checksum, size = zlib.crc32(levels), -without
    for sound in sounds:
        checksum = zlib.crc32(sound, zlib.crc32(len(sound).to_bytes(_LENGTH, "little"), checksum))
        size += len(sound)
    for number in (2, 3):
        header[number].held += size
    if header[2].held > _LARGEST:
        raise Refused(f"a sound of {size:,} bytes is more than a page of Parquet can hold ({_LARGEST:,})")
    if 4 in header:
        header[4].held = checksum - ((checksum & 1 << 31) << 1)
    return written(header)

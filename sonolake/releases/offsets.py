"""Where each item's sound lies in its shard.

A plain-encoded binary value is its length (four bytes, little-endian) and its bytes (Parquet format, Encodings,
PLAIN), in row order; between pages lie small headers. So the values are found by walking the column once: the next
place after the value before that has the right length and first bytes. A value too short to be known by those is
held against its hash.
"""

from __future__ import annotations

import hashlib
import mmap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet as pq

from sonolake.errors import Damaged

_HEAD = 48


@dataclass(frozen=True)
class Mark:
    """What is remembered of a value while its shard is written: length, first bytes, SHA-256."""

    length: int
    head: bytes
    sha256: str


def mark_of(data: bytes, sha256: str) -> Mark:
    """The mark of a value whose SHA-256 (hexadecimal) is known."""
    return Mark(len(data), data[:_HEAD], sha256)


def find_offsets(path: Path, marks: Sequence[Mark | None]) -> list[int | None]:
    """The offset in bytes of each value of ``audio.bytes`` in the shard at ``path``; None where there is none.

    Raises:
        Damaged: when a value is not where it should be.
    """
    if all(m is None for m in marks):
        return [None] * len(marks)
    found: list[int | None] = []
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as view:
        for start, end, rows in _chunks(path):
            cursor = start
            for mark in marks[len(found) : len(found) + rows]:
                at = None if mark is None else _find(view, mark, cursor, end, path)
                found.append(at)
                if mark is not None and at is not None:
                    cursor = at + mark.length
    return found


def _chunks(path: Path) -> list[tuple[int, int, int]]:
    """First byte, end and rows of the audio column in each row group."""
    meta = pq.read_metadata(path)
    chunks = []
    for group in range(meta.num_row_groups):
        row_group = meta.row_group(group)
        columns = [row_group.column(i) for i in range(row_group.num_columns)]
        audio = next(c for c in columns if c.path_in_schema == "audio.bytes")
        start = audio.data_page_offset
        chunks.append((start, start + audio.total_compressed_size, row_group.num_rows))
    return chunks


def _find(view: mmap.mmap, mark: Mark, start: int, end: int, path: Path) -> int:
    needle = mark.length.to_bytes(4, "little") + mark.head
    at = view.find(needle, start, end)
    while at >= 0:
        first = at + 4
        if (
            mark.length > _HEAD
            or hashlib.sha256(view[first : first + mark.length]).hexdigest() == mark.sha256
        ):
            return first
        at = view.find(needle, at + 1, end)
    raise Damaged(f"{path.name}: a sound is not in one piece after byte {start}")

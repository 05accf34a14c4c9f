"""Rows and sounds to Parquet shards, with flat memory.

An item's shard is chosen by a hash of its id and the number of shards is a power of two, so an edit touches one
shard and growth splits shards instead of reshuffling them. Row groups hold at most 100 rows and 8 MiB (of a
longer sound, one), and as much is in memory. Audio bytes are stored plain (no compression,
dictionary or statistics), so each lies in one piece of its shard and ``items.parquet`` can say where: one item is one
byte range. Stores that split files by content find equal sounds in them without the writer's content-defined chunking,
which would cost as much time again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from sonolake.errors import Damaged
from sonolake.releases.features import AUDIO_TYPE, with_features
from sonolake.releases.records import AUDIO_COLUMN
from sonolake.releases.splicing import SplicedWriter

GROUP_ROWS = 100
GROUP_BYTES = 8 * 1024 * 1024
AUDIO_BYTES = "audio.bytes"
Media = Callable[[str], bytes]
"""From an asset's SHA-256 to its bytes."""


def shard_of(item_id: str, shards: int) -> int:
    """The shard of an item, 0 to ``shards`` - 1: the top bits of SHA-256 of its id (UTF-8)."""
    head = int.from_bytes(hashlib.sha256(item_id.encode()).digest()[:8], "big")
    return (head * shards) >> 64


def shards_for(rows: int, rows_per_shard: int) -> int:
    """The smallest power of two that gives at most ``rows_per_shard`` rows a shard on average."""
    needed = max(1, -(-rows // rows_per_shard))
    return 1 << (needed - 1).bit_length()


def released_schema(schema: pa.Schema, sample_rate: int | None) -> pa.Schema:
    """The schema as released: ``audio_asset`` is replaced by ``audio``, and the loader's metadata is there."""
    fields = [pa.field("audio", AUDIO_TYPE) if f.name == AUDIO_COLUMN else f for f in schema]
    audio = "audio" if AUDIO_COLUMN in schema.names else None
    return with_features(pa.schema(fields), audio, sample_rate)


def audio_name(item_id: str, data: bytes) -> str:
    """A file name for an item's sound: its id, made safe, and the suffix that its first bytes ask for."""
    safe = "".join(c if c.isascii() and (c.isalnum() or c in "-_") else "_" for c in item_id)
    suffixes = {
        b"RIFF": "wav",
        b"RF64": "wav",
        b"RIFX": "wav",
        b"fLaC": "flac",
        b"OggS": "ogg",
        b"FORM": "aiff",
    }
    return f"{safe}.{suffixes.get(data[:4], 'mp3' if data[:3] == b'ID3' else 'bin')}"


class Place(NamedTuple):
    """Where a sound lies in its shard, how long it is (both in bytes), and its SHA-256 (hexadecimal)."""

    offset: int
    bytes: int
    sha256: str


@dataclass(frozen=True)
class Written:
    """A shard: its SHA-256 and bytes, and the place of the sound of each row that has one."""

    sha256: str
    bytes: int
    places: list[Place | None]


def write_shard(table: pa.Table, schema: pa.Schema, media: Media, path: Path) -> Written:
    """Write the rows of ``table`` (with ``audio_asset``) as one shard.

    Raises:
        Damaged: when ``media`` gives bytes of another hash than the one asked for.
    """
    places: list[Place | None] = []
    assets = _assets(table)
    with SplicedWriter(path, schema, writer_options(schema)) as writer:
        for start, sounds in _groups(assets, media):
            part = table.slice(start, len(sounds))
            if AUDIO_COLUMN in table.column_names:
                part = _with_audio(part, sounds, writer.placeholders(sounds))
            found = writer.write(part.cast(schema), sounds)
            places += map(_place, found, sounds, assets[start : start + len(sounds)])
            sounds.clear()
        if table.num_rows == 0:
            writer.write(schema.empty_table(), [])
    return Written(writer.sha256.hexdigest(), writer.size, places)


def _place(offset: int | None, sound: bytes | None, asset: str | None) -> Place | None:
    return None if offset is None or sound is None or asset is None else Place(offset, len(sound), asset)


def _groups(assets: Sequence[str | None], media: Media) -> Iterator[tuple[int, list[bytes | None]]]:
    """Consecutive rows that fit one row group: the first row's index and each row's bytes, which are let go of."""
    start, held, size = 0, list[bytes | None](), 0
    for index, asset in enumerate(assets):
        if size >= GROUP_BYTES or index - start == GROUP_ROWS:
            yield start, held
            start, held, size = index, [], 0
        data = None if asset is None else _checked(media, asset)
        extra = len(data or b"")
        if held and size + extra > GROUP_BYTES:
            yield start, held
            start, held, size = index, [], 0
        held.append(data)
        size += extra
        del data
    if held:
        yield start, held


def _assets(table: pa.Table) -> Sequence[str | None]:
    if AUDIO_COLUMN in table.column_names:
        assets: list[str | None] = table[AUDIO_COLUMN].to_pylist()
        return assets
    return [None] * table.num_rows


def _checked(media: Media, asset: str) -> bytes:
    data = media(asset)
    if hashlib.sha256(data).hexdigest() != asset:
        raise Damaged(f"media {asset}: the bytes there have another hash")
    return data


def _with_audio(part: pa.Table, sounds: Sequence[bytes | None], held: Sequence[bytes | None]) -> pa.Table:
    names = [
        None if data is None else audio_name(item, data)
        for item, data in zip(part["item_id"].to_pylist(), sounds, strict=True)
    ]
    return part.set_column(part.column_names.index(AUDIO_COLUMN), "audio", audio_column(held, names))


def audio_column(sounds: Sequence[bytes | None], names: Sequence[str | None]) -> pa.Array:
    """The column ``audio`` from the bytes and the name of each sound; both None where there is none."""
    values = [_binary(sounds), pa.array(names, pa.string())]
    absent = pa.array([data is None for data in sounds])
    return pa.StructArray.from_arrays(values, fields=list(AUDIO_TYPE), mask=absent)


def _binary(sounds: Sequence[bytes | None]) -> pa.Array:
    """The bytes as an Arrow array; a single long sound is not copied."""
    if len(sounds) == 1 and sounds[0] is not None:
        ends = pa.py_buffer(np.array([0, len(sounds[0])], np.int32))
        return pa.Array.from_buffers(pa.binary(), 1, [None, ends, pa.py_buffer(sounds[0])])
    return pa.array(sounds, pa.binary())


def writer_options(schema: pa.Schema) -> dict[str, Any]:
    """How a shard is written: sound plain and in one piece, the rest compressed, pages indexed and with checksums."""
    others = [leaf for leaf in leaves(schema) if leaf != AUDIO_BYTES]
    return {
        "compression": dict.fromkeys(others, "ZSTD") | {AUDIO_BYTES: "NONE"},
        "use_dictionary": others,
        "write_statistics": others,
        "write_page_index": True,
        "write_page_checksum": True,
    }


def leaves(schema: pa.Schema) -> list[str]:
    """The dotted paths of the Parquet columns of ``schema``."""
    sink = pa.BufferOutputStream()
    pq.write_table(schema.empty_table(), sink)
    parquet = pq.ParquetFile(pa.BufferReader(sink.getvalue())).schema
    return [parquet.column(i).path for i in range(len(parquet.names))]

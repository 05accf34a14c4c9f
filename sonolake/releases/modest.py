"""Parquet files of others, held against what a release can be before they are read into memory.

A small file may declare more rows or bytes than any machine holds. Its footer says so beforehand; columns of text are
read as dictionaries, so that a long text that is repeated a million times is held once.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from sonolake.errors import Damaged

RATIO = 1000
"""Bytes in memory for one in the file, beyond which a file is no table but a trap: texts of a release come to 20."""
FREE = 64 * 1024 * 1024
"""Bytes that are read whatever the file's size."""
LONGEST_TEXT = 4096
"""Characters of a path, an id, a hash or an edge of lineage."""
MOST_FILES = 500_000
"""Files of a release: at 64 items a file, 32 million items."""
MOST_ROWS = 50_000_000
"""Rows of another index table."""
MOST_IN_GROUP = 1000
"""Rows of a row group of a shard; releases have 100."""


def require_modest(meta: pq.FileMetaData, size: int, where: str, most_rows: int = MOST_ROWS) -> None:
    """Let a Parquet file of ``size`` bytes pass that can be read into memory, row group by row group.

    Raises:
        Damaged: for more rows than ``most_rows``, or rows that take far more memory than bytes.
    """
    if meta.num_rows > most_rows:
        raise Damaged(
            f"{where} declares {meta.num_rows:,} rows; {most_rows:,} are the most that a release has"
        )
    declared = sum(meta.row_group(n).total_byte_size for n in range(meta.num_row_groups))
    if declared > FREE and declared > RATIO * size:
        raise Damaged(
            f"{where} has {size:,} bytes and declares {declared:,} in memory, as no table of a release does"
        )


def require_shard(meta: pq.FileMetaData, size: int, where: str) -> None:
    """:func:`require_modest`, for a shard, of which a row group is read at a time.

    Raises:
        Damaged: also for a row group of too many rows.
    """
    require_modest(meta, size, where)
    longest = max((meta.row_group(n).num_rows for n in range(meta.num_row_groups)), default=0)
    if longest > MOST_IN_GROUP:
        raise Damaged(f"{where} has a row group of {longest:,} rows; {MOST_IN_GROUP:,} are the most")


def read_index(
    source: Any, schema: pa.Schema, where: str, what: str, size: int, most_rows: int = MOST_ROWS
) -> pa.Table:
    """The columns of ``schema`` of an index table; those that the file lacks are left out.

    Args:
        source: a path, or a reader, which this thread reads alone; see :func:`table_in`.
        schema: its columns.
        where, what: what messages call the file, and what it should be.
        size: bytes of the file.
        most_rows: that it may have.

    Raises:
        Damaged: for what is no such table, and for one that no release has.
    """
    try:
        names = pq.ParquetFile(source).schema_arrow.names
        there = [field for field in schema if field.name in names]
        texts = [field.name for field in there if pa.types.is_string(field.type)]
        file = pq.ParquetFile(source, read_dictionary=texts)
        require_modest(file.metadata, size, where, most_rows)
        table = file.read([field.name for field in there], use_threads=isinstance(source, Path))
        for name in texts:
            _require_short(table[name], f"{where}: {name}")
        return table.cast(pa.schema(there))
    except (pa.ArrowException, OSError, ValueError) as error:
        raise Damaged(f"{where}: not {what} ({error})") from error


def table_in(data: bytes) -> pa.Table:
    """The Parquet table in ``data``, read by this thread alone.

    Arrow's threads let go of what Python owns a moment after they are done with it; a process that ends in that moment
    is aborted (apache/arrow issue 34314).

    Raises:
        pa.ArrowException: when it is none.
    """
    return pq.ParquetFile(pa.BufferReader(data)).read(use_threads=False)


def _require_short(column: pa.ChunkedArray, where: str) -> None:
    for chunk in column.chunks:
        texts = chunk.dictionary if pa.types.is_dictionary(chunk.type) else chunk
        longest = pc.max(pc.binary_length(texts)).as_py() or 0
        if longest > LONGEST_TEXT:
            raise Damaged(f"{where} has a text of {longest:,} bytes, {LONGEST_TEXT:,} are the most")

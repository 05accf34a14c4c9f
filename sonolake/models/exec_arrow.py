"""Vectors from an Arrow file that somebody else wrote: every row is checked."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sonolake.errors import InvalidInput
from sonolake.models.base import Vectors

COLUMN = "vector"
_FILE = b"ARROW1"


def vectors_in(written: bytes, count: int, dim: int) -> Vectors:
    """The column ``vector`` of an Arrow file or stream as ``(count, dim)`` float32.

    Raises:
        InvalidInput: bytes that are no Arrow data, no such column of lists of numbers, another number of rows, a
            vector of another length, null, NaN or infinity; the message says which row.
    """
    rows = _column(written)
    if len(rows) != count:
        raise InvalidInput("vectors", f"{count}, one for each line given", len(rows))
    lengths = pc.list_value_length(rows).to_pylist()
    for number, length in enumerate(lengths):
        if length != dim:
            raise InvalidInput(f"vector {number}", f"{dim} numbers, as describe says", length)
    values = pc.list_flatten(rows)
    if values.null_count:
        raise InvalidInput("vectors", "numbers", "null")
    flat = values.to_numpy().astype(np.float32).reshape(count, dim)
    if odd := np.flatnonzero(~np.isfinite(flat).all(axis=1)).tolist():
        raise InvalidInput(f"vector {odd[0]}", "finite numbers", "NaN or infinity")
    return np.asarray(flat)


def _column(written: bytes) -> pa.ChunkedArray:
    try:
        source = pa.BufferReader(written)
        opened = pa.ipc.open_file(source) if written.startswith(_FILE) else pa.ipc.open_stream(source)
        table = opened.read_all()
    except pa.ArrowInvalid as error:
        raise InvalidInput(
            "vectors", "an Arrow file or stream", f"{len(written)} bytes", str(error)
        ) from None
    if COLUMN not in table.column_names:
        raise InvalidInput("columns", f"{COLUMN!r}", table.column_names)
    column = table[COLUMN]
    kind = column.type
    lists = pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind)
    if not lists or not pa.types.is_floating(kind.value_type):
        raise InvalidInput(f"type of {COLUMN!r}", "a list of floating-point numbers", str(kind))
    return column

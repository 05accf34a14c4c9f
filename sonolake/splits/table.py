"""The ledger as Arrow rows, for the lake's tables ``splits`` and ``partitions``."""

from __future__ import annotations

from collections.abc import Iterable

import pyarrow as pa

from sonolake.splits.records import LedgerRow

SCHEMA = pa.schema(
    [
        pa.field("item", pa.string(), nullable=False),
        pa.field("kind", pa.string(), nullable=False),
        pa.field("group_id", pa.string(), nullable=False),
        pa.field("split", pa.string(), nullable=False),
        pa.field("batch", pa.string(), nullable=False),
        pa.field("stratum", pa.string(), nullable=False),
        pa.field("keys", pa.list_(pa.string()), nullable=False),
    ]
)
"""One row an item; ``keys`` is ``VARCHAR[]`` in SQL."""


def to_table(rows: Iterable[LedgerRow]) -> pa.Table:
    """Ledger rows as a table of :data:`SCHEMA`, sorted by kind and item."""
    ordered = sorted(rows, key=lambda row: (row.kind, row.item))
    return pa.Table.from_pylist([{**vars(row), "keys": list(row.keys)} for row in ordered], schema=SCHEMA)


def from_table(table: pa.Table) -> list[LedgerRow]:
    """Ledger rows of a table that has the columns of :data:`SCHEMA`, in any order, among others."""
    rows = table.select(SCHEMA.names).to_pylist()
    return [LedgerRow(**{**row, "keys": tuple(row["keys"] or ())}) for row in rows]

"""Tables as they are declared, and as the catalog has them: what is missing is made, types only grow wider.

No file is rewritten: DuckLake reads a column that a file lacks as null, and one of a narrower type as the wider one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from sonolake.errors import InvalidInput
from sonolake.lake.catalog import quoted
from sonolake.lake.spec import Column, TableSpec
from sonolake.lake.transaction import Transaction

if TYPE_CHECKING:
    import duckdb

THERE = "SELECT table_name, column_name, data_type FROM duckdb_columns() WHERE database_name = 'lake'"
"""The columns that the catalog has."""

Query = Callable[[str], pa.Table]

WIDER = {"INTEGER": ("BIGINT", "DOUBLE"), "FLOAT": ("DOUBLE",), "FLOAT[]": ("DOUBLE[]",)}
"""Types that hold every value of a narrower one."""


@dataclass(frozen=True)
class Change:
    """The columns of ``spec`` that the catalog lacks, all of them for a new table, and those that grow wider."""

    spec: TableSpec
    lacking: tuple[Column, ...]
    widened: tuple[Column, ...]


def changes(there: Iterable[Mapping[str, Any]], specs: Sequence[TableSpec]) -> list[Change]:
    """What has to change for the catalog to have the tables as declared, or with wider types.

    Args:
        there: rows of :data:`THERE`.
        specs: the tables as declared.

    Raises:
        InvalidInput: when a column is there with a type that is neither narrower nor wider.
    """
    types = {(row["table_name"], row["column_name"]): row["data_type"] for row in there}
    found = [_change(spec, {c.name: types.get((spec.name, c.name)) for c in spec.columns}) for spec in specs]
    return [change for change in found if change.lacking or change.widened]


def _change(spec: TableSpec, types: Mapping[str, str | None]) -> Change:
    lacking, widened = [], []
    for column in spec.columns:
        known = types[column.name]
        if known is None:
            lacking.append(column)
        elif column.type in WIDER.get(known, ()):
            widened.append(column)
        elif known != column.type and known not in WIDER.get(column.type, ()):
            cause = "the lake was made with another version of the schema"
            raise InvalidInput(
                f"type of {spec.name}.{column.name}",
                f"{known}, as in the lake, or a wider type",
                column.type,
                cause,
            )
    return Change(spec, tuple(lacking), tuple(widened))


def has_table(query: Query, name: str) -> bool:
    """Whether the lake that ``query`` asks has a table: one of an earlier version that is only read may lack some."""
    return bool(query(f"SELECT 1 FROM duckdb_columns() WHERE table_name = {quoted(name)} LIMIT 1").num_rows)


def make(tx: Transaction, change: Change) -> None:
    """Make the table, or what it lacks (null in the rows that are there), with units and meanings."""
    tx.sql("; ".join(_statements(change)))


def count_from_nothing(con: duckdb.DuckDBPyConnection, metadata: str) -> None:
    """Tell DuckLake that tables without rows have none: where it has no count of a table, it asks the catalog anew for
    each column of every query, some 2 ms a column (duckdb/ducklake, pull request 1313, in no version that we use).

    Args:
        con: a connection with the lake attached, outside of a transaction, whose caller holds the lake's lock.
        metadata: where DuckLake's own tables are.
    """
    tables, columns = f"{metadata}.ducklake_table_stats", f"{metadata}.ducklake_table_column_stats"
    con.execute(
        f"INSERT INTO {tables} (table_id, record_count, next_row_id, file_size_bytes) "
        f"SELECT table_id, 0, 0, 0 FROM {metadata}.ducklake_table "
        f"WHERE end_snapshot IS NULL AND table_id NOT IN (SELECT table_id FROM {tables})"
    )
    con.execute(
        f"INSERT INTO {columns} (table_id, column_id, contains_null, contains_nan) "
        "SELECT table_id, column_id, false, CASE WHEN column_type LIKE 'float%' THEN false END "
        f"FROM {metadata}.ducklake_column JOIN {tables} USING (table_id) "
        "WHERE end_snapshot IS NULL AND record_count = 0 AND column_type <> 'list' "
        f"AND (table_id, column_id) NOT IN (SELECT (table_id, column_id) FROM {columns})"
    )


def _statements(change: Change) -> Iterator[str]:
    name = change.spec.name
    if change.lacking == change.spec.columns:
        yield f"CREATE TABLE {name} ({', '.join(map(_definition, change.lacking))})"
        yield f"COMMENT ON TABLE {name} IS {quoted(change.spec.meaning)}"
    else:
        for column in change.lacking:
            yield f"ALTER TABLE {name} ADD COLUMN {_definition(column)}"
    for column in change.widened:
        yield f'ALTER TABLE {name} ALTER COLUMN "{column.name}" SET DATA TYPE {column.type}'
    for column in (*change.lacking, *change.widened):
        yield f'COMMENT ON COLUMN {name}."{column.name}" IS {quoted(column.comment)}'


def _definition(column: Column) -> str:
    return f'"{column.name}" {column.type}'

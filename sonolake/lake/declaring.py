"""Tables as they are declared, and as the catalog has them: what is missing is made, nothing is changed or dropped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sonolake.errors import InvalidInput
from sonolake.lake.catalog import quoted
from sonolake.lake.spec import Column, TableSpec
from sonolake.lake.transaction import Transaction

THERE = "SELECT table_name, column_name, data_type FROM duckdb_columns() WHERE database_name = 'lake'"
"""The columns that the catalog has."""

Missing = list[tuple[TableSpec, tuple[Column, ...]]]


def missing(there: Iterable[Mapping[str, Any]], specs: Sequence[TableSpec]) -> Missing:
    """The tables that lack columns, with those columns; all of them where the table itself is not there.

    Args:
        there: rows of :data:`THERE`.
        specs: the tables as declared.

    Raises:
        InvalidInput: when a column is there with another type.
    """
    types = {(row["table_name"], row["column_name"]): row["data_type"] for row in there}
    for spec in specs:
        for column in spec.columns:
            known = types.get((spec.name, column.name), column.type)
            if known != column.type:
                cause = "the lake was made with another version of the schema"
                raise InvalidInput(
                    f"type of {spec.name}.{column.name}", f"{known}, as in the lake", column.type, cause
                )
    lacking = [(s, tuple(c for c in s.columns if (s.name, c.name) not in types)) for s in specs]
    return [(spec, columns) for spec, columns in lacking if columns]


def make(tx: Transaction, spec: TableSpec, columns: tuple[Column, ...]) -> None:
    """Make the table, or the ``columns`` it lacks (null in the rows that are there), with units and meanings."""
    if columns == spec.columns:
        tx.sql(f"CREATE TABLE {spec.name} ({', '.join(map(_definition, columns))})")
        tx.sql(f"COMMENT ON TABLE {spec.name} IS {quoted(spec.meaning)}")
    else:
        for column in columns:
            tx.sql(f"ALTER TABLE {spec.name} ADD COLUMN {_definition(column)}")
    for column in columns:
        tx.sql(f'COMMENT ON COLUMN {spec.name}."{column.name}" IS {quoted(column.comment)}')


def _definition(column: Column) -> str:
    return f'"{column.name}" {column.type}'

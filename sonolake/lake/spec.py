"""What a table is: its columns with types, units and meaning, and its key.

The lake stores whatever it is given a :class:`TableSpec` for. Units and meanings are written into the catalog as
comments, so that any SQL client can read them; keys are checked by the lake, since DuckLake has none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import pyarrow as pa

from sonolake.errors import InvalidInput

ARROW_TYPES: dict[str, pa.DataType] = {
    "VARCHAR": pa.string(),
    "INTEGER": pa.int32(),
    "BIGINT": pa.int64(),
    "FLOAT": pa.float32(),
    "DOUBLE": pa.float64(),
    "BOOLEAN": pa.bool_(),
    "TIMESTAMP WITH TIME ZONE": pa.timestamp("us", tz="UTC"),
    "VARCHAR[]": pa.list_(pa.string()),
    "FLOAT[]": pa.list_(pa.float32()),
    "DOUBLE[]": pa.list_(pa.float64()),
}
"""DuckDB types that a column may have, with the Arrow type that rows are brought to before the write."""

_NAME = re.compile(r"[a-z][a-z0-9_]*\Z")


@dataclass(frozen=True)
class Column:
    """One column: ``type`` is a key of :data:`ARROW_TYPES`, ``unit`` is empty where there is none."""

    name: str
    type: str
    meaning: str
    unit: str = ""

    def __post_init__(self) -> None:
        if not _NAME.match(self.name):
            raise InvalidInput("column name", "lower-case letters, digits and underscores", self.name)
        if self.type not in ARROW_TYPES:
            raise InvalidInput(f"type of column {self.name}", f"one of {', '.join(ARROW_TYPES)}", self.type)

    @property
    def comment(self) -> str:
        """What the catalog says of the column: ``[unit] meaning``."""
        return f"[{self.unit}] {self.meaning}" if self.unit else self.meaning


@dataclass(frozen=True)
class TableSpec:
    """One table: a name, its columns, the columns of its key (empty where rows have none) and its meaning."""

    name: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    meaning: str

    def __post_init__(self) -> None:
        if not _NAME.match(self.name):
            raise InvalidInput("table name", "lower-case letters, digits and underscores", self.name)
        names = [c.name for c in self.columns]
        if len(set(names)) != len(names):
            raise InvalidInput(f"columns of {self.name}", "distinct names", names)
        if unknown := set(self.key) - set(names):
            raise InvalidInput(f"key of {self.name}", f"columns among {names}", sorted(unknown))

    @property
    def schema(self) -> pa.Schema:
        """The Arrow schema that rows are brought to."""
        return pa.schema([pa.field(c.name, ARROW_TYPES[c.type]) for c in self.columns])

    def rows(self, rows: list[dict[str, object]] | pa.Table) -> pa.Table:
        """``rows`` in this table's columns and types; a column left out is null.

        Raises:
            InvalidInput: for a column the table does not have, a value of another type, or a null in the key.
        """
        given = set(rows.column_names) if isinstance(rows, pa.Table) else {k for row in rows for k in row}
        if unknown := given - {c.name for c in self.columns}:
            allowed = ", ".join(c.name for c in self.columns)
            raise InvalidInput(
                f"columns of {self.name}", allowed, sorted(unknown), "the schema is older than the rows"
            )
        table = self._typed(rows)
        for name in self.key:
            if table[name].null_count:
                raise InvalidInput(f"{self.name}.{name}", "a value in every row, being the key", None)
        return table

    def _typed(self, rows: list[dict[str, object]] | pa.Table) -> pa.Table:
        try:
            if isinstance(rows, pa.Table):
                columns = [
                    rows[f.name].cast(f.type)
                    if f.name in rows.column_names
                    else pa.nulls(rows.num_rows, f.type)
                    for f in self.schema
                ]
                return pa.Table.from_arrays(columns, schema=self.schema)
            return pa.Table.from_pylist(rows, schema=self.schema)
        except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
            raise InvalidInput(f"rows of {self.name}", str(self.schema), str(error)) from None

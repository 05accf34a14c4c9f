"""Answers as CSV, JSON, Parquet or a table for people."""

from __future__ import annotations

import json
from collections.abc import Callable
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from sonolake.cli.grid import grid
from sonolake.cli.values import distinct, plain, rows_of, text
from sonolake.errors import InvalidInput

if TYPE_CHECKING:
    import pyarrow as pa

SHOWN = 200
"""Rows of a table for people; the other formats have all."""


class Format(StrEnum):
    """Formats of an answer."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"
    PARQUET = "parquet"


def as_table(table: pa.Table) -> str:
    """Aligned columns, then the number of rows; wide cells are cut."""
    lines = grid(table.column_names, [list(row) for row in rows_of(table.slice(0, SHOWN))])
    count = f"({table.num_rows:,} row{'' if table.num_rows == 1 else 's'}"
    hidden = f", {SHOWN} shown; --format csv has all" if table.num_rows > SHOWN else ""
    return "\n".join([*lines, f"{count}{hidden})"]) + "\n"


def as_csv(table: pa.Table) -> str:
    """RFC 4180 with line feeds; a null is nothing, an empty text is ``""``."""
    lines = [",".join(_cell(name) for name in table.column_names)]
    lines += [",".join(_cell(value) for value in row) for row in rows_of(table)]
    return "\n".join(lines) + "\n"


def _cell(value: Any) -> str:
    written = text(value)
    if (written == "" and value is not None) or any(mark in written for mark in ',"\r\n'):
        return '"' + written.replace('"', '""') + '"'
    return written


def as_json(table: pa.Table) -> str:
    """An array with an object a row, a row a line."""
    names = distinct(table.column_names)
    rows = (dict(zip(names, map(plain, row), strict=True)) for row in rows_of(table))
    body = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    return f"[\n{body}\n]\n" if body else "[]\n"


def as_parquet(table: pa.Table) -> bytes:
    """A Parquet file with the types of the answer.

    Raises:
        InvalidInput: for a type that Parquet does not have.
    """
    import io

    import pyarrow as pa
    import pyarrow.parquet as pq

    sink = io.BytesIO()
    try:
        pq.write_table(table.rename_columns(distinct(table.column_names)), sink, compression="zstd")
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid) as error:
        cause = "an INTERVAL or a UNION; cast it, as in i::VARCHAR"
        raise InvalidInput("columns of the answer", "types that Parquet has", str(error), cause) from None
    return sink.getvalue()


WRITERS: dict[Format, Callable[[pa.Table], str | bytes]] = {
    Format.TABLE: as_table,
    Format.CSV: as_csv,
    Format.JSON: as_json,
    Format.PARQUET: as_parquet,
}
"""How an answer is written, by format."""

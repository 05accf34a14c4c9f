"""Values of tables as text: for JSON, for CSV, for people."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa

_AS_TEXT = ("interval", "extension<", "[ns")
"""Kinds of Arrow types that have no counterpart in Python, or one only where pandas is installed."""


def plain(value: Any) -> Any:
    """``value`` as JSON can hold it: NaN and infinities are null, times ISO 8601, bytes hexadecimal."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, dict):
        return {str(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in value]
    if isinstance(value, bytes):
        return value.hex()
    return value.isoformat() if isinstance(value, datetime | date) else str(value)


def text(value: Any) -> str:
    """``value`` as text; null is empty, lists and structs are JSON."""
    if value is None:
        return ""
    if isinstance(value, float):
        return repr(value)
    simple = plain(value)
    if isinstance(simple, str):
        return simple
    return json.dumps(simple, ensure_ascii=False)


def rows_of(table: pa.Table) -> Iterable[tuple[Any, ...]]:
    """The rows; columns of one name are kept apart."""
    return zip(*map(_values, table.columns), strict=True)


def _values(column: pa.ChunkedArray) -> list[Any]:
    """The column in Python's types; what they cannot hold (years beyond 9999, nanoseconds, intervals) is text."""
    if not any(name in str(column.type) for name in _AS_TEXT):
        try:
            return column.to_pylist()  # type: ignore[no-any-return]
        except (OverflowError, ValueError):
            pass
    return _by_duckdb(column)


def _by_duckdb(column: pa.ChunkedArray) -> list[Any]:
    import duckdb
    import pyarrow as pa

    with duckdb.connect(config={"autoinstall_known_extensions": "false"}) as con:
        con.execute("SET TimeZone = 'UTC'")
        written = con.from_arrow(pa.table({"value": column})).project("to_json(value)::VARCHAR").fetchall()
    return [None if value is None else json.loads(value) for (value,) in written]


def distinct(names: Iterable[str]) -> list[str]:
    """``names``, those that come again numbered: ``n``, ``n_2``."""
    made: list[str] = []
    for name in names:
        number, candidate = 1, name
        while candidate in made:
            number += 1
            candidate = f"{name}_{number}"
        made.append(candidate)
    return made

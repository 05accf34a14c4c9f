"""Which assets may be found: a condition of the user's, evaluated by SQL before any vector is looked at."""

from __future__ import annotations

from typing import Any, Protocol

import pyarrow as pa

from sonolake.errors import InvalidInput
from sonolake.lake.vectors import VectorStore


class Searchable(Protocol):
    """What a search needs of a lake."""

    @property
    def vectors(self) -> VectorStore:
        """The lake's vector spaces."""

    def sql(self, query: str, /) -> pa.Table:
        """The answer to one SQL statement; ``assets`` is a table of it."""


FACTS = ("title", "event", "licence", "kind", "item", "source_id")
"""Columns of ``assets`` that a result row shows."""


def assets_where(lake: Searchable, where: str | None) -> dict[str, dict[str, Any]]:
    """The facts of the assets that fulfil ``where``, by asset id; of all when None.

    Args:
        lake: where to look.
        where: an SQL condition over the columns of ``assets``.

    Raises:
        InvalidInput: a condition that DuckDB refuses, or more than a condition; the message carries DuckDB's and
            the columns there are.
    """
    import duckdb

    chosen = f"SELECT asset_id, {', '.join(FACTS)} FROM assets"
    if where is None:
        return _by_id(lake.sql(chosen))
    query = f"{chosen} WHERE (\n{where}\n)"
    try:
        statements = len(duckdb.extract_statements(query))
        rows = lake.sql(query) if statements == 1 else None
    except (duckdb.Error, InvalidInput) as error:
        columns = ", ".join(lake.sql("SELECT * FROM assets LIMIT 0").column_names)
        allowed = f"an SQL condition over the columns of assets ({columns})"
        said = error.received if isinstance(error, InvalidInput) else error
        raise InvalidInput("where", allowed, where, str(said).split("\n\nLINE")[0]) from None
    if rows is None:
        raise InvalidInput("where", "one condition", where, "a semicolon")
    return _by_id(rows)


def _by_id(rows: pa.Table) -> dict[str, dict[str, Any]]:
    return {row.pop("asset_id"): row for row in rows.to_pylist()}

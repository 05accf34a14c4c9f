"""Which assets may be found: a condition of the user's, evaluated by SQL before any vector is looked at."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Protocol

import pyarrow as pa

from sonolake.errors import InvalidInput
from sonolake.lake.catalog import among
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


MOST_IDS = 100_000
"""Of so many assets the ids are handed to the vector search; of more, what it finds is filtered afterwards."""


class Chosen:
    """The assets that may be found, which are asked for as far as they are needed.

    Args:
        lake: where they are.
        where: the condition that they fulfil; None for all.
        ids: all of them, where there is a condition and they are few.
    """

    def __init__(self, lake: Searchable, where: str | None, ids: frozenset[str] | None) -> None:
        self.ids = ids
        self._lake = lake
        self._where = "true" if where is None else where
        self._asked: dict[str, dict[str, Any] | None] = {}

    def among(self, ids: Collection[str]) -> set[str]:
        """Those of ``ids`` that may be found."""
        new = sorted({one for one in ids if one not in self._asked})
        if new:
            rows = self._lake.sql(_asking(f"asset_id, {', '.join(FACTS)}", self._where, new)).to_pylist()
            self._asked |= dict.fromkeys(new) | {row.pop("asset_id"): row for row in rows}
        return {one for one in ids if self._asked[one] is not None}

    def facts(self, asset_id: str) -> dict[str, Any]:
        """The facts of an asset that may be found.

        Raises:
            KeyError: for one that may not.
        """
        self.among([asset_id])
        facts = self._asked[asset_id]
        if facts is None:
            raise KeyError(asset_id)
        return facts


def chosen(lake: Searchable, where: str | None) -> Chosen:
    """The assets that fulfil ``where``, all when None.

    Args:
        lake: where to look.
        where: an SQL condition over the columns of ``assets``.

    Raises:
        InvalidInput: a condition that DuckDB refuses, or more than a condition; the message carries DuckDB's and
            the columns there are.
    """
    import duckdb

    if where is None:
        return Chosen(lake, None, None)
    query = f"{_asking('asset_id', where)} LIMIT {MOST_IDS + 1}"
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
    few = rows.num_rows <= MOST_IDS
    return Chosen(lake, where, frozenset(rows["asset_id"].to_pylist()) if few else None)


def _asking(columns: str, where: str, ids: Collection[str] | None = None) -> str:
    """SQL for the assets that fulfil ``where``, of ``ids`` only when given; ``where`` may end in a comment."""
    only = "" if ids is None else f"asset_id IN {among(ids)} AND "
    return f"SELECT {columns} FROM assets WHERE {only}(\n{where}\n)"

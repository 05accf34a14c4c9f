"""Which items a condition chooses: SQL over the columns of ``items.parquet``."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pyarrow as pa

from sonolake.errors import Damaged, InvalidInput
from sonolake.releases.fetching import fetch
from sonolake.releases.layout import ITEMS
from sonolake.releases.offered import Offered
from sonolake.releases.pace import Gate, Rate
from sonolake.releases.tables import ITEMS_SCHEMA, read_items


def require_condition(where: str) -> None:
    """Let ``where`` pass when it can be asked of items.

    Raises:
        InvalidInput: when it is no condition, or names a column that items have not.
    """
    choose(ITEMS_SCHEMA.empty_table(), where)


def choose(items: pa.Table, where: str) -> pa.Table:
    """The rows of ``items`` for which ``where`` is true, in their order.

    ``where`` is a condition in DuckDB's SQL, which may read files: ``item_id IN (FROM 'mine.csv')``.

    Raises:
        InvalidInput: when it is no condition, or names a column that items have not.
    """
    import duckdb

    with duckdb.connect() as link:
        link.register("items", items.append_column("place", pa.array(range(items.num_rows), pa.int64())))
        try:
            kept = link.execute(
                f"SELECT place FROM items WHERE (\n{where}\n) ORDER BY place"
            ).to_arrow_table()
        except duckdb.Error as error:
            columns = ", ".join(ITEMS_SCHEMA.names)
            raise InvalidInput("where", f"a condition on {columns}", where, str(error)) from None
    return items.take(kept["place"])


def items_of(release: Offered) -> pa.Table:
    """``items.parquet`` of a release, held against its manifest; see :func:`read_items`.

    Raises:
        Damaged: when it is not what the manifest says, or not in it.
        Unreachable: when the release's place does not answer.
    """
    file = next((f for f in release.files if f.path == ITEMS), None)
    if file is None:
        raise Damaged(f"{release.origin.name} lists no {ITEMS}")
    with tempfile.TemporaryDirectory(prefix="sonolake-") as apart:
        fetch(release.origin, Path(apart), file, Gate(Rate()))
        return read_items(Path(apart) / ITEMS)

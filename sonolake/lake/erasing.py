"""Taking things out of a lake for good: rows, and then the files, snapshots, media and vectors that still hold them.

Rows go in one commit. Everything after it can be done again, and is, until nothing is left.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TYPE_CHECKING

from sonolake.lake.catalog import among
from sonolake.lake.gc import table_files
from sonolake.lake.transaction import Transaction

if TYPE_CHECKING:
    from sonolake.lake.lake import Lake

LEDGERS = ("splits", "partitions")
"""Their rows name others, too: whoever shares a group with what goes stays, and stays where it is."""
_ASSET_ID = re.compile(r"[0-9a-f]{64}")
KEPT = ("tombstones", "releases", "runs", "step_counts")
"""Tables that say what was done, not what there is."""
_COLUMNS = (
    "SELECT table_name, column_name, data_type FROM duckdb_columns() "
    "WHERE database_name = 'lake' AND data_type IN ('VARCHAR', 'VARCHAR[]') ORDER BY ALL"
)


def delete_rows(tx: Transaction, ids: Collection[str], in_media: Callable[[str], bool]) -> set[str]:
    """Delete every row that names one of ``ids`` in a column of text; of ledgers, those that are about one.

    Args:
        tx: the commit.
        ids: what goes.
        in_media: whether media has bytes of that name.

    Returns:
        The media that these rows named and that no row names any more.
    """
    tables, mentioned = dict(_tables(tx)), set[str]()
    for table, columns in tables.items():
        found = _naming(tx, table, {"item": "VARCHAR"} if table in LEDGERS else columns, ids)
        if found:
            query = f'SELECT DISTINCT unnest({_listed(columns)}) AS v FROM "{table}" WHERE rowid IN {_numbers(found)}'
            mentioned |= set(filter(_ASSET_ID.fullmatch, filter(None, tx.sql(query)["v"].to_pylist())))
            tx.sql(f'DELETE FROM "{table}" WHERE rowid IN {_numbers(found)}')
    mentioned = set(filter(in_media, mentioned - set(ids)))
    for table, columns in tables.items() if mentioned else ():
        query = f'SELECT DISTINCT v FROM (SELECT unnest({_listed(columns)}) AS v FROM "{table}")'
        mentioned -= set(tx.sql(f"{query} WHERE v IN {among(sorted(mentioned))}")["v"].to_pylist())
    return mentioned


def delete_speaker(tx: Transaction, speaker: str) -> None:
    """Take a speaker out of the ledger."""
    tx.sql("DELETE FROM splits WHERE kind = 'speaker' AND item = ?", [speaker])


def _tables(tx: Transaction) -> Iterator[tuple[str, dict[str, str]]]:
    """Columns of text, with their types, by table."""
    found: dict[str, dict[str, str]] = {}
    for row in tx.sql(_COLUMNS).to_pylist():
        found.setdefault(row["table_name"], {})[row["column_name"]] = row["data_type"]
    yield from ((table, columns) for table, columns in found.items() if table not in KEPT)


def _naming(tx: Transaction, table: str, columns: Mapping[str, str], ids: Collection[str]) -> list[int]:
    """The rows that have one of ``ids`` in one of the columns."""
    query = f'SELECT rowid AS r, unnest({_listed(columns)}) AS v FROM "{table}"'
    rows: list[int] = tx.sql(f"SELECT DISTINCT r FROM ({query}) WHERE v IN {among(sorted(ids))}")[
        "r"
    ].to_pylist()
    return rows


def _listed(columns: Mapping[str, str]) -> str:
    """All texts of these columns of a row, as a list in SQL."""
    single = ", ".join(f'"{name}"' for name, kind in columns.items() if kind == "VARCHAR")
    lists = [f'"{name}"' for name, kind in columns.items() if kind != "VARCHAR"]
    return f"list_concat({', '.join([f'[{single}]::VARCHAR[]', *lists])})"


def _numbers(rows: Collection[int]) -> str:
    return f"(SELECT unnest({list(rows)}::BIGINT[]))"


def erase_media(lake: Lake, asset_ids: Collection[str]) -> int:
    """Delete these bytes, also where a killed writer left them on their way in; how many there were."""
    there = [asset_id for asset_id in sorted(asset_ids) if asset_id in lake.media]
    for asset_id in there:
        lake.media.discard(asset_id, time.time() + 1.0)
    for entry in lake.media.leftovers():
        lake.storage.delete(f"media/{entry.path}")
    return len(there)


def erase_vectors(lake: Lake, asset_ids: Collection[str]) -> int:
    """Write every space anew that has, or had, vectors of these assets; how many rows went."""
    return sum(lake.vectors.erase(space, asset_ids) for space in lake.vectors.spaces())


def erase_history(lake: Lake) -> None:
    """Leave one snapshot, the newest, and only files that hold what it holds.

    The published copy of the catalog is the one that the last commit leaves.
    """
    calls = (
        "ducklake_rewrite_data_files('lake', delete_threshold => 0)",
        "ducklake_expire_snapshots('lake', older_than => now())",
        "ducklake_cleanup_old_files('lake', cleanup_all => true)",
    )
    for call in calls:
        with lake.transaction("take down") as tx:
            tx.sql(f"CALL {call}")
    table_files(lake, 0.0, delete=True)

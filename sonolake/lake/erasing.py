"""Taking things out of a lake for good: rows, and then the files, snapshots, media and vectors that still hold them.

Rows go in one commit. Everything after it can be done again, and is, until nothing is left.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING

from sonolake.lake.catalog import among
from sonolake.lake.gc import table_files
from sonolake.lake.transaction import Transaction

if TYPE_CHECKING:
    from sonolake.lake.lake import Lake

LEDGERS = ("splits", "partitions")
"""Their rows name others, too: whoever shares a group with what goes stays, and stays where it is."""
KEPT = ("tombstones", "releases", "runs", "step_counts")
"""Tables that say what was done, not what there is."""
_COLUMNS = (
    "SELECT table_name, column_name, data_type FROM duckdb_columns() "
    "WHERE database_name = 'lake' AND data_type IN ('VARCHAR', 'VARCHAR[]') ORDER BY ALL"
)
_ASSET_ID = "regexp_full_match(v, '[0-9a-f]{64}')"


def delete_rows(tx: Transaction, ids: Collection[str]) -> set[str]:
    """Delete every row that names one of ``ids`` in a column of text; of ledgers, those that are about one.

    Returns:
        What these rows named that reads like an asset's id and that no row names any more.
    """
    wanted, mentioned = among(sorted(ids)), set[str]()
    tables = dict(_tables(tx))
    for table, columns in tables.items():
        where = _naming({"item": "VARCHAR"} if table in LEDGERS else columns, wanted)
        mentioned |= _values(tx, table, columns, where, _ASSET_ID)
        tx.sql(f'DELETE FROM "{table}" WHERE {where}')
    for table, columns in tables.items():
        mentioned -= _values(tx, table, columns, "true", f"v IN {among(sorted(mentioned))}")
    return mentioned


def delete_speaker(tx: Transaction, speaker: str) -> None:
    """Take a speaker out of the ledger."""
    tx.sql("DELETE FROM splits WHERE kind = 'speaker' AND item = ?", [speaker])


def _tables(tx: Transaction) -> Iterator[tuple[str, dict[str, str]]]:
    found: dict[str, dict[str, str]] = {}
    for row in tx.sql(_COLUMNS).to_pylist():
        found.setdefault(row["table_name"], {})[row["column_name"]] = row["data_type"]
    yield from ((table, columns) for table, columns in found.items() if table not in KEPT)


def _naming(columns: Mapping[str, str], wanted: str) -> str:
    """A condition for rows of which a column has a value among those ``wanted``, a subquery."""
    listed = f"(SELECT list(i) FROM {wanted} AS t(i))"
    tests = (
        f'"{name}" IN {wanted}' if kind == "VARCHAR" else f'list_has_any("{name}", {listed})'
        for name, kind in columns.items()
    )
    return " OR ".join(tests)


def _values(tx: Transaction, table: str, columns: Mapping[str, str], where: str, kept: str) -> set[str]:
    """The distinct values ``v`` in these columns of text, of rows ``where``, that are ``kept``."""
    values = (f'"{name}"' if kind == "VARCHAR" else f'unnest("{name}")' for name, kind in columns.items())
    each = (f'SELECT {value} AS v FROM "{table}" WHERE {where}' for value in values)
    found: list[str] = tx.sql(f"SELECT DISTINCT v FROM ({' UNION ALL '.join(each)}) WHERE {kept}")[
        "v"
    ].to_pylist()
    return set(found)


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

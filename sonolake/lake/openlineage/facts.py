"""What a run read and wrote, from the lake's own catalog: it is there whichever processes committed it."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sonolake.lake.openlineage.events import Dataset
from sonolake.lake.storage import LocalStorage

if TYPE_CHECKING:
    from sonolake.lake.lake import Lake

_WRITTEN = """
SELECT t.table_name AS name, sum(f.record_count)::BIGINT AS "rowCount", sum(f.file_size_bytes)::BIGINT AS size,
    count(*) AS "fileCount", max(f.begin_snapshot) AS snapshot
FROM {metadata}.ducklake_data_file f JOIN {metadata}.ducklake_table t USING (table_id)
WHERE f.begin_snapshot IN (
    SELECT snapshot_id FROM ducklake_snapshots('lake') WHERE commit_extra_info::JSON ->> 'run' = ?)
    AND t.end_snapshot IS NULL
GROUP BY ALL ORDER BY ALL
"""
_READ = """
SELECT DISTINCT name FROM (
    SELECT 'assets' AS name FROM lineage l JOIN assets a ON a.asset_id = l.parent WHERE l.run_id = $run
    UNION ALL SELECT regexp_extract(parent, '^([a-z]+)-[0-9a-f]{20}$', 1) || 's' FROM lineage WHERE run_id = $run)
ORDER BY name
"""
"""Tables of what the run's things were made from: made things are named by their kind, ``scene-…`` of ``scenes``."""
_RELEASED = (
    "SELECT DISTINCT child FROM lineage WHERE run_id = ? AND starts_with(child, 'release:') ORDER BY child"
)


def namespace_of(lake: Lake) -> str:
    """What the lake's tables and releases are called by others, wherever it lies."""
    return f"sonolake://{lake.lake_id}"


def written_by(lake: Lake, run_id: str) -> list[Dataset]:
    """The tables and releases that a run wrote, with columns, snapshot and how much came."""
    columns = _columns(lake)
    found = [
        _table(lake, row.pop("name"), str(row.pop("snapshot")), columns, row)
        for row in lake.rows(_WRITTEN.format(metadata=lake.metadata), [run_id])
    ]
    for row in lake.rows(_RELEASED, [run_id]):
        name, _, version = row["child"].removeprefix("release:").rpartition("@")
        found.append(Dataset(namespace_of(lake), f"releases/{name}", _uri(lake), version))
    return found


def read_by(lake: Lake, run_id: str) -> list[Dataset]:
    """The tables of what a run made things from."""
    columns, now = _columns(lake), str(lake.snapshot)
    names = (row["name"] for row in lake.rows(_READ, {"run": run_id}))
    return [_table(lake, name, now, columns) for name in names if name in columns]


def _table(lake: Lake, name: str, snapshot: str, columns: Any, statistics: Any = None) -> Dataset:
    return Dataset(namespace_of(lake), name, _uri(lake), snapshot, columns.get(name, ()), statistics or {})


def _columns(lake: Lake) -> dict[str, list[tuple[str, str, str]]]:
    found: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
    for row in lake.columns().to_pylist():
        found[row["table_name"]].append((row["column_name"], row["type"], row["meaning"] or ""))
    return found


def _uri(lake: Lake) -> str:
    return Path(lake.place).as_uri() if isinstance(lake.storage, LocalStorage) else lake.place

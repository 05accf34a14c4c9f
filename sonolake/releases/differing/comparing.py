"""Two sides, item by item: by DuckDB, so that a large release takes no more memory than its ids and hashes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import pyarrow as pa

from sonolake.releases.differing.difference import Change, Difference, Item, Move
from sonolake.releases.differing.leaves import leaves_of
from sonolake.releases.differing.sides import Side

if TYPE_CHECKING:
    import duckdb

ABOUT = frozenset({"title", "author", "licence", "licence_url", "source_url", "attribution"})
"""Columns that say something about an item and are no label of it: a change is one of metadata."""

_JOINED = "FROM old_items o JOIN new_items n USING (config, item_id)"
_ONLY = """SELECT config, split, item_id FROM {here} ANTI JOIN {there} USING (config, item_id)
    ORDER BY ALL"""


def compare(old: Side, new: Side) -> Difference:
    """What has changed from one to the other.

    Raises:
        Damaged, NotFound, Unreachable: when a side cannot be read.
    """
    import duckdb

    with duckdb.connect() as link:
        link.register("old_items", old.items)
        link.register("new_items", new.items)
        changes = _changes(link, old, new)
        added, removed = _only(link, "new_items", "old_items"), _only(link, "old_items", "new_items")
        moved = link.execute(
            f"SELECT config, n.split, item_id, o.split {_JOINED} WHERE o.split <> n.split ORDER BY ALL"
        ).fetchall()
    columns = [_columns(side) for side in (old, new)]
    common = set(old.schemas) & set(new.schemas)
    records = _records(old, new)
    found = Difference(
        old.name,
        new.name,
        added=tuple(Item(*row) for row in added),
        removed=tuple(Item(*row) for row in removed),
        moved=tuple(Move(*row) for row in moved),
        edited=tuple(c for c in changes if not _is_about(c)),
        described=tuple(c for c in changes if _is_about(c)),
        columns_added=_paths(columns[1] - columns[0], common),
        columns_removed=_paths(columns[0] - columns[1], common),
        records_added=tuple(path for path, extended in records if extended),
        records_edited=tuple(path for path, extended in records if not extended),
        about=_about(old, new),
    )
    return found if found.bump or not new.shards else _repackaged(found, old, new)


def _only(link: duckdb.DuckDBPyConnection, here: str, there: str) -> list[tuple[str, str, str]]:
    return link.execute(_ONLY.format(here=here, there=there)).fetchall()


def _is_about(change: Change) -> bool:
    return {what.partition(".")[0] for what in change.what} <= ABOUT


def _columns(side: Side) -> set[tuple[str, str]]:
    return {(config, path) for config, schema in side.schemas.items() for path in leaves_of(schema)}


def _paths(columns: Iterable[tuple[str, str]], configs: set[str]) -> tuple[str, ...]:
    return tuple(sorted(f"{config}.{path}" for config, path in columns if config in configs))


def _changes(link: duckdb.DuckDBPyConnection, old: Side, new: Side) -> list[Change]:
    """Items of both sides with another sound or another value anywhere."""
    rows = link.execute(
        f"SELECT config, n.split, item_id {_JOINED} WHERE o.sha256 IS DISTINCT FROM n.sha256"
    ).fetchall()
    found = {row: ["sound"] for row in rows}
    equal = {path for path, sha256 in old.shards.items() if new.shards.get(path) == sha256}
    for config in sorted(set(old.schemas) & set(new.schemas)):
        for split, item, what in _relabelled(link, config, old, new, equal):
            found.setdefault((config, split, item), []).extend(what)
    return sorted(Change(config, split, item, tuple(what)) for (config, split, item), what in found.items())


def _relabelled(
    link: duckdb.DuckDBPyConnection, config: str, old: Side, new: Side, equal: set[str]
) -> list[tuple[str, str, list[str]]]:
    """Split, id and the leaves that differ; shards that are ``equal`` are not read."""
    leaves = [leaves_of(side.schemas[config]) for side in (old, new)]
    common = [path for path in leaves[1] if path in leaves[0]]
    if not common:
        return []
    for name, side, own in (("old_facts", old, leaves[0]), ("new_facts", new, leaves[1])):
        hashes = [
            f"hash({own[path].expression}{'' if leaves[0][path].kind == leaves[1][path].kind else '::VARCHAR'})"
            f" AS h{number}"
            for number, path in enumerate(common)
        ]
        columns = ", ".join(f"h{number} UBIGINT" for number in range(len(common)))
        link.execute(f"CREATE OR REPLACE TEMP TABLE {name} (item_id VARCHAR, {columns})")
        for part in side.rows(config, equal):
            link.register("part", part)
            link.execute(f"INSERT INTO {name} SELECT item_id, {', '.join(hashes)} FROM part")
            link.unregister("part")
    link.register("names", pa.table({"number": range(len(common)), "path": common}))
    differ = ", ".join(f"CASE WHEN o.h{n} <> n.h{n} THEN {n} END" for n in range(len(common)))
    rows = link.execute(
        f"SELECT split, item_id, list_filter([{differ}], lambda x: x IS NOT NULL) AS what "
        f"FROM old_facts o JOIN new_facts n USING (item_id) "
        f"JOIN new_items i USING (item_id) WHERE i.config = ? AND len(what) > 0",
        [config],
    ).fetchall()
    return [(split, item, [common[number] for number in what]) for split, item, what in rows]


def _about(old: Side, new: Side) -> tuple[str, ...]:
    """What is said of the whole and is other: sources that both know, and fields of the description."""
    there, here = ({row["asset_id"]: row for row in side.sources} for side in (old, new))
    known = sorted(set(there) & set(here))
    found = [f"source {here[one]['source_id']}" for one in known if there[one] != here[one]]
    if old.about is not None and new.about is not None:
        common = sorted(set(old.about) & set(new.about))
        found += [key for key in common if old.about[key] != new.about[key]]
    return tuple(found)


def _records(old: Side, new: Side) -> list[tuple[str, bool]]:
    """Files of the benchmark that differ, and whether all that was in them still is: what they hold is data."""
    there, here = old.records, new.records
    if there is None or here is None:
        return []
    return [
        (path, path in here and (path not in there or old.lines(path) <= new.lines(path)))
        for path in sorted(set(there) | set(here))
        if there.get(path) != here.get(path)
    ]


def _repackaged(found: Difference, old: Side, new: Side) -> Difference:
    """The same data and nothing new said of it: which shards are other files."""
    other = {path for path, sha256 in new.shards.items() if old.shards.get(path) != sha256}
    gone = set(old.shards) - set(new.shards)
    return replace(found, repackaged=tuple(sorted(other | gone)))

"""Who made what the release is made from: one table for machines, one list for people."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Collection
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from sonolake.releases.layout import ATTRIBUTION_CSV
from sonolake.releases.records import SOURCE_COLUMNS, Content

ATTRIBUTION_COLUMNS = (*SOURCE_COLUMNS, "used_in", "items")
NAMED = 5
"""Of the items that use a source, how many the list names."""
BATCH = 4096
"""Rows that are written as text at once."""
LONGEST_ROW = 8 << 20
"""Bytes of a row that DuckDB reads, some 300,000 items of one source: by itself it reads 2 MB at most."""
READ_ATTRIBUTION = (
    f"read_csv(getvariable('root') || '/{ATTRIBUTION_CSV}', header = true, all_varchar = true,\n"
    f"      max_line_size = {LONGEST_ROW}, buffer_size = {LONGEST_ROW})"
)
"""SQL for the table of a release that lies at the variable ``root``."""
_HEAD = f"""{{}} sources. Of the items that use each, the first {NAMED} are named; `{ATTRIBUTION_CSV}` has all of them:

```sql
SELECT unnest(string_split(items, ' ')) AS item_id
FROM read_csv('{ATTRIBUTION_CSV}', header = true, all_varchar = true,
  max_line_size = {LONGEST_ROW}, buffer_size = {LONGEST_ROW})
WHERE source_id = 'the source in question';
```
"""
Numbers = npt.NDArray[np.int64]


def attribution_table(content: Content, items: pa.Table) -> pa.Table:
    """A row a source, by source id: ``SOURCE_COLUMNS``, how many items use it, and which (blank-separated)."""
    sources = content.sources.select(SOURCE_COLUMNS)
    order = sources.append_column("by", pc.fill_null(sources["source_id"], ""))
    sources = sources.take(pc.sort_indices(order, [("by", "ascending"), ("asset_id", "ascending")]))
    users = items_using(content.lineage, items["item_id"])
    at = pc.index_in(sources["asset_id"].cast(pa.string()), users["thing"])
    return sources.append_column("used_in", pc.fill_null(users["used_in"].take(at), 0)).append_column(
        "items", pc.fill_null(users["items"].take(at), "")
    )


def items_using(lineage: pa.Table, items: pa.ChunkedArray) -> pa.Table:
    """For each ancestor in the lineage the items that come from it, directly or not.

    Columns ``thing``, ``used_in`` (how many), ``items`` (which, by name, blank-separated). Names are numbers here: a
    pair of an item and what it comes from takes 8 bytes.
    """
    names = pc.unique(items).sort()
    edges = lineage.select(["child", "parent"]).drop_null()
    every = pc.unique(pa.chunked_array([names, *edges["child"].chunks, *edges["parent"].chunks], pa.string()))
    child, parent = (_numbers(edges[end], every) for end in ("child", "parent"))
    pairs = _reached(len(names), len(every), child, parent)
    thing, item = np.divmod(pairs, max(1, len(names)))
    starts = np.flatnonzero(np.diff(thing, prepend=-1))
    ends = pa.array(np.append(starts, len(pairs)), pa.int32())
    used = pa.ListArray.from_arrays(ends, names.cast(pa.large_string()).take(pa.array(item)))
    return pa.table({
        "thing": every.take(pa.array(thing[starts])),
        "used_in": pa.array(np.diff(starts, append=len(pairs)), pa.int64()),
        "items": pc.binary_join(used, pa.scalar(" ", pa.large_string())),
    })  # fmt: skip


def _numbers(names: pa.ChunkedArray, every: pa.Array) -> Numbers:
    return np.asarray(pc.index_in(names, every), np.int64)


def _reached(items: int, things: int, child: Numbers, parent: Numbers) -> Numbers:
    """Pairs of an item (a number below ``items``) and a thing it comes from, but itself, as thing * items + item.

    Edges are followed a level at a time, each pair once: circles end.
    """
    by_child = np.argsort(child, kind="stable")
    parents, ends = parent[by_child], np.cumsum(np.bincount(child, minlength=things))
    own = np.arange(items, dtype=np.int64) * (items + 1)
    found = level = own
    while level.size:
        thing, item = np.divmod(level, items)
        count = ends[thing] - (begin := np.concatenate([[0], ends])[thing])
        first = np.repeat(begin - np.cumsum(count) + count, count)
        above = parents[first + np.arange(len(first))] * items + np.repeat(item, count)
        level = np.setdiff1d(above, found)
        found = np.union1d(found, level)
    return np.setdiff1d(found, own, assume_unique=True)


def descendants(lineage: pa.Table, things: Collection[str]) -> set[str]:
    """``things``, and all that the edges of ``lineage`` make of them, directly or not."""
    children = defaultdict(set)
    for edge in lineage.to_pylist():
        children[edge["parent"]].add(edge["child"])
    waiting, seen = list(things), set(things)
    while waiting:
        new = children[waiting.pop()] - seen
        seen |= new
        waiting += new
    return seen


def write_attribution_csv(sources: pa.Table, path: Path) -> None:
    """Write the table as CSV (RFC 4180, lines end in a newline)."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ATTRIBUTION_COLUMNS, lineterminator="\n")
        writer.writeheader()
        for batch in sources.to_batches(BATCH):
            writer.writerows(batch.to_pylist())


def attribution_md(content: Content, sources: pa.Table) -> str:
    """The list, grouped by licence: title, author, source, what was changed, which items use it, and how many do."""
    lines = [f"# Attribution of {content.title} {content.version}", "", _HEAD.format(sources.num_rows)]
    users = pc.list_slice(pc.split_pattern(sources["items"], " ", max_splits=NAMED), 0, NAMED)
    told = sources.set_column(sources.column_names.index("items"), "items", users)
    named = pc.if_else(pc.equal(told["licence"], ""), "unknown", pc.fill_null(told["licence"], "unknown"))
    for licence in sorted(pc.unique(named).to_pylist()):
        some = told.filter(pc.equal(named, licence))
        url = next((url for url in pc.unique(some["licence_url"]).to_pylist() if url), None)
        lines += [f"## {_link(licence, url)}", ""]
        lines += [_entry(row) for batch in some.to_batches(BATCH) for row in batch.to_pylist()]
        lines.append("")
    return "\n".join(lines)


def _entry(row: dict[str, Any]) -> str:
    made = " Synthetic." if row["synthetic"] else ""
    changed = f" Changed: {_plain(row['changes'])}." if row["changes"] else " Unchanged."
    title = _link(row["title"] or row["source_id"], row["source_url"])
    author = _plain(row["author"] or "unknown author")
    return f"- {title}, {author} (`{_plain(row['source_id'])}`).{made}{changed} Used in {_users(row)}."


def _users(row: dict[str, Any]) -> str:
    count, named = row["used_in"], ", ".join(map(_plain, row["items"]))
    if not count:
        return "no item itself"
    more = f" and {count - NAMED:,} more" if count > NAMED else ""
    return f"{count:,} item{'' if count == 1 else 's'}: {named}{more}"


def _plain(text: str | None) -> str:
    """Text that Markdown takes literally, on one line."""
    flat = " ".join((text or "").split())
    return "".join(f"\\{c}" if c in "\\`*_[]<>|" else c for c in flat)


def _link(text: str, url: str | None) -> str:
    if url and url.startswith(("https://", "http://")) and not set(url) & set(" ()<>\n"):
        return f"[{_plain(text)}]({url})"
    return _plain(text)

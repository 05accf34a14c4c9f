"""Who made what the release is made from: one table for machines, one list for people."""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Collection
from typing import Any

import pyarrow as pa

from sonolake.releases.records import SOURCE_COLUMNS, Content
from sonolake.releases.tables import ItemRow

ATTRIBUTION_COLUMNS = (*SOURCE_COLUMNS, "used_in", "items")


def attribution_rows(content: Content, items: list[ItemRow]) -> list[dict[str, Any]]:
    """A row a source, by source id: ``SOURCE_COLUMNS``, how many items use it, and which (blank-separated)."""
    users = items_using(content, items)
    rows = []
    for source in content.sources.select(SOURCE_COLUMNS).to_pylist():
        used = sorted(users.get(source["asset_id"], ()))
        rows.append({**source, "used_in": len(used), "items": " ".join(used)})
    return sorted(rows, key=lambda r: (r["source_id"] or "", r["asset_id"]))


def items_using(content: Content, items: list[ItemRow]) -> dict[str, set[str]]:
    """From each ancestor in the lineage to the items that come from it, directly or not."""
    parents: dict[str, list[str]] = defaultdict(list)
    names: dict[str, str] = {}
    for batch in content.lineage.select(["child", "parent"]).to_batches(max_chunksize=4096):
        for child, parent in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            parents[names.setdefault(child, child)].append(names.setdefault(parent, parent))
    users: dict[str, set[str]] = defaultdict(set)
    for item in {i.item_id for i in items}:
        waiting, seen = [item], {item}
        while waiting:
            new = set(parents.get(waiting.pop(), ())) - seen
            seen |= new
            waiting += new
        for ancestor in seen - {item}:
            users[ancestor].add(item)
    return users


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


def attribution_csv(rows: list[dict[str, Any]]) -> str:
    """The table as CSV (RFC 4180, lines end in a newline)."""
    out = io.StringIO()
    writer = csv.DictWriter(out, ATTRIBUTION_COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def attribution_md(content: Content, rows: list[dict[str, Any]]) -> str:
    """The list, grouped by licence: title, author, source, what was changed, how many items use it."""
    by_licence = defaultdict(list)
    for row in rows:
        by_licence[row["licence"] or "unknown"].append(row)
    lines = [f"# Attribution of {content.title} {content.version}", ""]
    lines += [f"{len(rows)} sources. The items that use each are in `ATTRIBUTION.csv`.", ""]
    for licence in sorted(by_licence):
        url = next((r["licence_url"] for r in by_licence[licence] if r["licence_url"]), None)
        lines += [f"## {_link(licence, url)}", ""]
        lines += [_entry(row) for row in by_licence[licence]]
        lines.append("")
    return "\n".join(lines)


def _entry(row: dict[str, Any]) -> str:
    made = " Synthetic." if row["synthetic"] else ""
    changed = f" Changed: {_plain(row['changes'])}." if row["changes"] else " Unchanged."
    title = _link(row["title"] or row["source_id"], row["source_url"])
    author = _plain(row["author"] or "unknown author")
    return (
        f"- {title}, {author} (`{_plain(row['source_id'])}`).{made}{changed} Used in {row['used_in']} items."
    )


def _plain(text: str | None) -> str:
    """Text that Markdown takes literally, on one line."""
    flat = " ".join((text or "").split())
    return "".join(f"\\{c}" if c in "\\`*_[]<>|" else c for c in flat)


def _link(text: str, url: str | None) -> str:
    if url and url.startswith(("https://", "http://")) and not set(url) & set(" ()<>\n"):
        return f"[{_plain(text)}]({url})"
    return _plain(text)

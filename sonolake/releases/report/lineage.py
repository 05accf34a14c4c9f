"""What items are made from, to be drawn by the page's script: a few items, and all that they come from."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from sonolake.releases.records import Content
from sonolake.releases.report.markup import Html, el, joined
from sonolake.releases.report.proven import Answers, answer_grid, captioned, column
from sonolake.releases.tables import ItemRow

ITEMS = 120
"""Items that can be looked at: those that are played, then others, evenly picked over tables and splits."""
EDGES = 4_000
"""Edges that the page carries at most; items beyond it are left out."""
_LABEL = 80
_SELECT = "SELECT parent, role FROM lineage WHERE child = 'ITEM'"


def lineage_section(content: Content, items: Sequence[ItemRow], answers: Answers) -> Html:
    """A choice of items, the data of their graphs, and how often each role is played in the whole release."""
    if not content.lineage.num_rows:
        return Html("")
    graphs = _graphs(content, items)
    groups: dict[str, list[str]] = defaultdict(list)
    drawn = set(graphs["items"])
    for item in items:
        if item.item_id in drawn:
            groups[item.config].append(item.item_id)
    options = [
        el("optgroup", {"label": name}, *(el("option", {"value": item}, item) for item in sorted(members)))
        for name, members in sorted(groups.items())
    ]
    return joined([_card(joined(options), graphs), _roles(answers)])


def _card(options: Html, graphs: Mapping[str, list[Any]]) -> Html:
    data = json.dumps(graphs, ensure_ascii=False, separators=(",", ":"), sort_keys=True).replace(
        "<", "\\u003c"
    )
    select = el(
        "select", {"id": "item", "data-quoted": True}, el("option", {"value": ""}, "Choose an item"), options
    )
    about = el(
        "p",
        None,
        "Items that are played above, and others from every table and split. For any other: ",
        el("code", None, _SELECT),
        " over ",
        el("code", None, "views.sql"),
        ", and the same again for its parents.",
    )
    without = el(
        "noscript",
        None,
        el(
            "p",
            None,
            "The graph is drawn by a script; ",
            el("code", None, "lineage.parquet"),
            " has all of it.",
        ),
    )
    graph = el("div", {"id": "graph", "class": "graph", "role": "status", "aria-live": "polite"})
    block = Html(f'<script type="application/json" id="lineage-data">{data}</script>')
    chooser = el("label", {"class": "chooser", "for": "item"}, "Item")
    return el(
        "article",
        {"class": "card"},
        about,
        el("div", {"class": "choice"}, chooser, select),
        without,
        graph,
        block,
    )


def _roles(answers: Answers) -> Html:
    names = ("role", "parents", "children", "edges")
    table = answer_grid(answers["counts-lineage"], "counts-lineage", {n: column(n) for n in names})
    fold = el("details", None, el("summary", None, "Parents, children and edges by role"), table)
    return el("article", {"class": "card"}, captioned("Roles in the whole release", "counts-lineage"), fold)


def _graphs(content: Content, items: Sequence[ItemRow]) -> dict[str, list[Any]]:
    """Ids of items, edges by numbers (child, parent, role), and of each node its id, and a name where it has one."""
    chosen = _chosen(content, items)
    parents = _parents(content.lineage, chosen)
    numbers: dict[str, int] = {}
    kept: list[str] = []
    drawn: dict[tuple[str, str, str], None] = {}
    for item in chosen:
        own = _reached(item, parents)
        if len(drawn) + len(own) > EDGES:
            continue
        kept.append(item)
        drawn |= dict.fromkeys(own)
    roles = sorted({role for _, _, role in drawn})
    for node in [*kept, *(end for child, parent, _ in drawn for end in (child, parent))]:
        numbers.setdefault(node, len(numbers))
    names = _names(content, list(numbers))
    return {
        "items": kept,
        "roles": roles,
        "nodes": [[node, *names.get(node, ())] for node in numbers],
        "edges": [[numbers[c], numbers[p], roles.index(r)] for c, p, r in drawn],
    }


def _parents(lineage: pa.Table, items: Iterable[str]) -> dict[str, list[tuple[str, str]]]:
    """Parents with their roles, of the items and of all that they come from: a level at a time."""
    found: dict[str, list[tuple[str, str]]] = {}
    level = set(items)
    while level:
        edges = lineage.filter(pc.is_in(lineage["child"], pa.array(sorted(level), pa.string()))).to_pylist()
        found |= {child: [] for child in level}
        for child, parent, role in sorted({(e["child"], e["parent"], e["role"]) for e in edges}):
            found[child].append((parent, role))
        level = {e["parent"] for e in edges} - set(found)
    return found


def _reached(item: str, parents: Mapping[str, list[tuple[str, str]]]) -> list[tuple[str, str, str]]:
    """All edges from an item backwards, nearest first."""
    found, waiting, seen = [], [item], {item}
    for child in waiting:
        for parent, role in parents[child]:
            found.append((child, parent, role))
            if parent not in seen:
                seen.add(parent)
                waiting.append(parent)
    return found


def _chosen(content: Content, items: Sequence[ItemRow]) -> list[str]:
    played = dict.fromkeys(s.item_id for s in content.samples)
    ordered = sorted(items, key=lambda i: (i.config, i.split, i.item_id))
    step = max(1, -(-len(ordered) // ITEMS))
    return list(dict.fromkeys([*played, *(i.item_id for i in ordered[::step])]))[:ITEMS]


def _names(content: Content, nodes: list[str]) -> dict[str, tuple[str, str]]:
    """Title and licence of each source among the nodes."""
    sources = content.sources.select(["asset_id", "title", "source_id", "licence"])
    wanted = sources.filter(pc.is_in(sources["asset_id"], pa.array(nodes, pa.string())))
    return {
        row["asset_id"]: (str(row["title"] or row["source_id"])[:_LABEL], row["licence"] or "")
        for row in wanted.to_pylist()
    }

"""What items are made from, to be drawn by the page's script: a few items, and all that they come from."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

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
    configs = {(i.item_id): i.config for i in items}
    for item in graphs["items"]:
        groups[configs[item]].append(item)
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
    parents: dict[str, list[tuple[str, str]]] = defaultdict(list)
    edges = {(e["child"], e["parent"], e["role"]) for e in content.lineage.to_pylist()}
    for child, parent, role in sorted(edges):
        parents[child].append((parent, role))
    numbers: dict[str, int] = {}
    kept: list[str] = []
    drawn: dict[tuple[str, str, str], None] = {}
    for item in _chosen(content, items):
        own = _reached(item, parents)
        if len(drawn) + len(own) > EDGES:
            continue
        kept.append(item)
        drawn |= dict.fromkeys(own)
    roles = sorted({role for _, _, role in drawn})
    for node in [*kept, *(end for child, parent, _ in drawn for end in (child, parent))]:
        numbers.setdefault(node, len(numbers))
    names = _names(content)
    return {
        "items": kept,
        "roles": roles,
        "nodes": [[node, *names.get(node, ())] for node in numbers],
        "edges": [[numbers[c], numbers[p], roles.index(r)] for c, p, r in drawn],
    }


def _reached(item: str, parents: Mapping[str, list[tuple[str, str]]]) -> list[tuple[str, str, str]]:
    """All edges from an item backwards, nearest first."""
    found, waiting, seen = [], [item], {item}
    while waiting:
        child = waiting.pop(0)
        for parent, role in parents.get(child, ()):
            found.append((child, parent, role))
            if parent not in seen:
                seen.add(parent)
                waiting.append(parent)
    return found


def _chosen(content: Content, items: Sequence[ItemRow]) -> Iterable[str]:
    played = dict.fromkeys(s.item_id for s in content.samples)
    ordered = sorted(items, key=lambda i: (i.config, i.split, i.item_id))
    step = max(1, -(-len(ordered) // ITEMS))
    return list(dict.fromkeys([*played, *(i.item_id for i in ordered[::step])]))[:ITEMS]


def _names(content: Content) -> dict[str, tuple[str, str]]:
    """Title and licence of each source."""
    rows = content.sources.select(["asset_id", "title", "source_id", "licence"]).to_pylist()
    return {
        row["asset_id"]: (str(row["title"] or row["source_id"])[:_LABEL], row["licence"] or "")
        for row in rows
    }

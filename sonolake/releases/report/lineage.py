"""What items are made from, to be drawn by the page's script: every item, and all that they come from."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sonolake.releases.records import Content
from sonolake.releases.report.markup import Html, el, joined, void
from sonolake.releases.report.proven import Answers, answer_grid, captioned, column

ITEMS, EDGES = 20_000, 400_000
"""Items and edges that the page carries at most, some 160 bytes an item; of more items, as many, evenly picked."""
OFFERED = 120
"""Items in the list: those that are played, then others, of every table and split. Any other is typed in."""
_LABEL = 80
_PLACE = ["config", "split", "item_id"]
_SELECT = "SELECT parent, role FROM lineage WHERE child = 'ITEM'"


def lineage_section(content: Content, items: pa.Table, answers: Answers) -> Html:
    """A choice of items, the data of their graphs, and how often each role is played in the whole release.

    ``items`` are the rows of ``items.parquet``.
    """
    if not content.lineage.num_rows:
        return Html("")
    ordered = items.select(_PLACE).sort_by([(name, "ascending") for name in _PLACE])
    played = [sample.item_id for sample in content.samples]
    kept, edges = _carried(content.lineage, played, ordered["item_id"])
    groups: dict[str, set[str]] = defaultdict(set)
    offered = pa.array(_picked(played, pa.array(kept, pa.string()), OFFERED), pa.string())
    for row in ordered.filter(pc.is_in(ordered["item_id"], offered)).to_pylist():
        groups[row["config"]].add(row["item_id"])
    options = [
        el("optgroup", {"label": name}, *(el("option", {"value": item}, item) for item in sorted(members)))
        for name, members in sorted(groups.items())
    ]
    whole = len(kept) == pc.count_distinct(ordered["item_id"]).as_py()
    return joined([_card(joined(options), _graphs(content, kept, edges), whole), _roles(answers)])


def _card(options: Html, graphs: Mapping[str, Any], whole: bool) -> Html:
    data = json.dumps(graphs, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    select = el(
        "select", {"id": "item", "data-quoted": True}, el("option", {"value": ""}, "Choose an item"), options
    )
    typed = void("input", {"id": "find", "type": "search", "autocomplete": "off", "spellcheck": "false"})
    query = [el("code", None, _SELECT), " over ", el("code", None, "views.sql")]
    about = el(
        "p",
        None,
        "The list has the items that are played above, and some of every table and split. Any other item is drawn by "
        "its id, or how that begins. " if whole else
        "The list has the items that are played above, and some of every table and split. Of so large a release the "
        "page carries a part, whose items are drawn by their ids, or how they begin; all are found by ",
        *([] if whole else [*query, "."]),
    )  # fmt: skip
    without = el(
        "noscript",
        None,
        el(
            "p",
            None,
            "The graph is drawn by a script; without one, ask ",
            *query,
            ", and again for the parents.",
        ),
    )
    graph = el("div", {"id": "graph", "class": "graph", "role": "status", "aria-live": "polite"})
    block = Html(f'<script type="application/json" id="lineage-data">{data}</script>')
    choosers = [
        el("label", {"class": "chooser", "for": "item"}, "Item"),
        select,
        el("label", {"class": "chooser", "for": "find"}, "or its id"),
        typed,
    ]
    return el(
        "article", {"class": "card"}, about, el("div", {"class": "choice"}, *choosers), without, graph, block
    )


def _roles(answers: Answers) -> Html:
    names = ("role", "parents", "children", "edges")
    table = answer_grid(answers["counts-lineage"], "counts-lineage", {n: column(n) for n in names})
    fold = el("details", None, el("summary", None, "Parents, children and edges by role"), table)
    return el("article", {"class": "card"}, captioned("Roles in the whole release", "counts-lineage"), fold)


def _carried(
    lineage: pa.Table, played: Sequence[str], ordered: pa.ChunkedArray
) -> tuple[list[str], pa.Table]:
    """The items that the page carries, and all edges from them backwards."""
    most = ITEMS
    while True:
        kept = _picked(played, ordered, most)
        edges = _reached(lineage, kept)
        if edges.num_rows <= EDGES or most == 1:
            return kept, edges
        most = max(1, min(most, len(kept)) * EDGES // edges.num_rows)


def _picked(played: Sequence[str], ordered: pa.Array | pa.ChunkedArray, most: int) -> list[str]:
    """What is played, then others, evenly picked, in all at most so many."""
    others = ordered.take(np.arange(0, len(ordered), max(1, -(-len(ordered) // most))))
    return list(dict.fromkeys([*played, *others.to_pylist()]))[:most]


def _reached(lineage: pa.Table, items: Sequence[str]) -> pa.Table:
    """The edges of the items and of all that they come from: a level at a time."""
    level, seen = pa.array(items, pa.string()), pa.array([], pa.string())
    found = [lineage.slice(0, 0)]
    while len(level):
        found.append(lineage.filter(pc.is_in(lineage["child"], level)).drop_null())
        seen = pa.concat_arrays([seen, level])
        above = pc.unique(found[-1]["parent"])
        level = above.filter(pc.invert(pc.is_in(above, seen)))
    return pa.concat_tables(found).group_by(["child", "parent", "role"], use_threads=False).aggregate([])


def _graphs(content: Content, items: Sequence[str], edges: pa.Table) -> dict[str, Any]:
    """Nodes (an id, or id, title and licence), those of items last, and by node its roles and parents in turn.

    What much is made of has a small number, so that the text is short.
    """
    ids = pa.array(items, pa.string())
    used = pc.value_counts(edges["parent"])
    by_use = sorted(zip(used.field("counts").to_pylist(), used.field("values").to_pylist(), strict=True))
    known = set(items)
    others = [node for _, node in reversed(by_use) if node not in known]
    every = pa.concat_arrays([pa.array(others, pa.string()), ids])
    roles = sorted(pc.unique(edges["role"]).to_pylist())
    child, parent, role = (
        np.asarray(pc.index_in(edges[name], among))
        for name, among in (("child", every), ("parent", every), ("role", pa.array(roles, pa.string())))
    )
    above: list[list[int]] = [[] for _ in range(len(every))]
    for at in np.lexsort((parent, role, child)).tolist():
        above[child[at]] += (int(role[at]), int(parent[at]))
    names = _names(content, every)
    return {
        "roles": roles,
        "nodes": [[node, *names[node]] if node in names else node for node in every.to_pylist()],
        "parents": above,
        "items": len(others),
    }


def _names(content: Content, nodes: pa.Array) -> dict[str, tuple[str, str]]:
    """Title and licence of each source among the nodes."""
    sources = content.sources.select(["asset_id", "title", "source_id", "licence"])
    wanted = sources.filter(pc.is_in(sources["asset_id"], nodes))
    return {
        row["asset_id"]: (str(row["title"] or row["source_id"])[:_LABEL], row["licence"] or "")
        for row in wanted.to_pylist()
    }

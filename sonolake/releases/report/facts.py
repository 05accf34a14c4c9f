"""The parts of the page that are read: headline figures, tables of columns, proofs, sources, limits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from sonolake.releases.proving import Proof
from sonolake.releases.records import AUDIO_COLUMN, Config, Content
from sonolake.releases.report.markup import Html, el, joined
from sonolake.releases.tables import FileRow, ItemRow


def headline(
    content: Content, items: Sequence[ItemRow], sources: Sequence[dict[str, Any]], proofs: Sequence[Proof]
) -> Html:
    """The figures that say most, as tiles."""
    seconds = sum(i.duration_s or 0.0 for i in items)
    length = f"{seconds / 3600:.1f} h" if seconds >= 3600 else f"{seconds / 60:.1f} min"
    synthetic = sum(bool(s["synthetic"]) for s in sources)
    musts = sum(p.policy == "must" for p in proofs)
    tiles = [
        ("items", f"{len(items):,}", f"in {len(content.configs)} tables"),
        ("sound", length, "to listen to"),
        ("sources", f"{len(sources):,}", f"{synthetic} synthetic, {len(sources) - synthetic} recorded"),
        ("licence", content.licence, "of the whole"),
        ("proofs", f"{musts} of {musts}", "must hold, and do"),
    ]
    pieces = [
        el("div", {"class": "tile"}, el("dt", None, name), el("dd", None, value), el("p", None, note))
        for name, value, note in tiles
    ]
    return el("dl", {"class": "tiles"}, joined(pieces))


def tables_section(content: Content, items: Sequence[ItemRow], data: Sequence[FileRow]) -> Html:
    """A card a table: its splits in figures, its columns behind a fold."""
    return joined([_table_card(c, items, data) for c in content.configs])


def _table_card(config: Config, items: Sequence[ItemRow], data: Sequence[FileRow]) -> Html:
    rows = []
    for split, table in config.ordered:
        seconds = sum(i.duration_s or 0.0 for i in items if (i.config, i.split) == (config.name, split))
        shards = [f for f in data if (f.config, f.split) == (config.name, split)]
        size = sum(f.bytes for f in shards) / 1e6
        rows.append((split, f"{table.num_rows:,}", f"{seconds / 60:.1f}", str(len(shards)), f"{size:,.2f}"))
    counts = grid(("split", "items", "minutes", "shards", "MB"), rows)
    columns = [
        ("audio", "struct<bytes, path>", "the sound as a file's bytes, and a name for it")
        if f.name == AUDIO_COLUMN
        else (f.name, str(f.type).replace("item: ", ""), config.meanings[f.name])
        for f in config.schema
    ]
    summary = el("summary", None, f"{len(columns)} columns")
    fold = el("details", None, summary, grid(("column", "type", "meaning"), columns))
    name = el("h3", None, config.title, " ", el("code", None, config.name))
    return el("article", {"class": "card"}, name, el("p", None, config.description), counts, fold)


def proofs_section(proofs: Sequence[Proof]) -> Html:
    """What is proven, by which file, with which answer."""
    rows = [(p.id, p.policy, p.meaning, "1 row" if p.expected == 1 else f"{p.expected} rows") for p in proofs]
    return el("div", {"class": "card"}, grid(("proof", "policy", "meaning", "answer"), rows))


def sources_section(sources: Sequence[dict[str, Any]]) -> Html:
    """Sources by licence and kind, and the ones used most."""
    kinds = Counter((s["licence"] or "none", "synthetic" if s["synthetic"] else "recorded") for s in sources)
    by_kind = grid(("licence", "kind", "sources"), [(*k, f"{n:,}") for k, n in sorted(kinds.items())])
    ranked = sorted(sources, key=lambda s: (-s["used_in"], s["source_id"] or ""))[:12]
    most = [
        (s["title"] or s["source_id"], s["author"] or "", s["licence"] or "", str(s["used_in"]))
        for s in ranked
    ]
    used = grid(("title", "author", "licence", "items"), most)
    left = el("article", {"class": "card"}, el("h3", None, "By licence"), by_kind)
    right = el("article", {"class": "card"}, el("h3", None, "Used most"), used)
    return el("div", {"class": "pair"}, left, right)


def checks_section(content: Content) -> Html:
    """What was looked for in the content, and what was found."""
    cards = [
        el(
            "article",
            {"class": "card"},
            el("h3", None, c.title),
            el("p", None, c.verdict),
            grid(c.head, c.rows),
        )
        for c in content.checks
    ]
    return joined(cards)


def limits_section(content: Content) -> Html:
    """What the release is not."""
    notes = [el("li", None, note) for note in content.notes]
    return el("ul", {"class": "card notes"}, joined(notes))


def grid(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Html:
    """A table that scrolls sideways on narrow screens; columns of figures stand right."""
    figures = [all(_figure(r[i]) for r in rows) and bool(rows) for i in range(len(head))]
    kinds = ["num" if f else None for f in figures]
    top = joined([el("th", {"scope": "col", "class": k}, h) for h, k in zip(head, kinds, strict=True)])
    body = [
        el("tr", None, joined([el("td", {"class": k}, c) for c, k in zip(row, kinds, strict=True)]))
        for row in rows
    ]
    return el("div", {"class": "scroll"}, el("table", None, el("thead", None, el("tr", None, top)), *body))


def _figure(text: str) -> bool:
    return text.replace(",", "").replace(".", "").isdigit()

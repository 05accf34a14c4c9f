"""Counts as horizontal bars, stacked by split, drawn as SVG that takes its colours from the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from sonolake.releases.layout import SPLITS
from sonolake.releases.paths import values_at
from sonolake.releases.records import Content
from sonolake.releases.report.marks import MARKS
from sonolake.releases.report.markup import Html, el, joined, readable
from sonolake.releases.samples import Chart

SHOWN = 14
"""Bars of a chart; the rest is summed up in one more."""
_WIDTH, _ROW, _LEFT, _RIGHT = 460, 26, 150, 44
Counts = Mapping[str, Counter[str]]
"""From a label to its count in each split."""


def charts_section(content: Content) -> Html:
    """All charts of a release: tables, licences, and what the release asks for."""
    licences = [_licences(content)]
    asked = [(c.title, c.unit, _counted(content, c)) for c in content.charts]
    drawn = [
        _figure(title, unit, counts)
        for title, unit, counts in [_tables(content), *asked, *licences]
        if counts
    ]
    return el("div", {"class": "charts"}, joined(drawn))


def split_legend(content: Content) -> Html:
    """Which colour is which split, with the number of items in it."""
    sizes = Counter[str]()
    for config in content.configs:
        for split, table in config.ordered:
            sizes[split] += table.num_rows
    keys = [
        el("li", None, el("span", {"class": f"swatch split-{s}"}), f"{s} ", el("b", None, f"{sizes[s]:,}"))
        for s in SPLITS
        if s in sizes
    ]
    note = el("li", None, "A stroke is an item, its height the length of its sound.")
    return el("ul", {"class": "legend", "aria-label": "Colours of splits"}, joined([*keys, note]))


def _tables(content: Content) -> tuple[str, str, Counts]:
    counts = {c.title: Counter({s: t.num_rows for s, t in c.ordered}) for c in content.configs}
    return "Items by table and split", "items", counts


def _licences(content: Content) -> tuple[str, str, Counts]:
    counts: dict[str, Counter[str]] = {}
    for config in content.configs:
        for split, table in config.ordered:
            for licence in table["licence"].to_pylist():
                counts.setdefault(licence or "none", Counter())[split] += 1
    return "Licences of items", "items", _ranked(counts, ())


def _counted(content: Content, chart: Chart) -> Counts:
    counts: dict[str, Counter[str]] = {}
    for split, table in content.config(chart.config).ordered:
        for value in values_at(table, chart.column):
            counts.setdefault(str(value), Counter())[split] += 1
    return _ranked(counts, chart.labels)


def _ranked(counts: Counts, first: Sequence[str]) -> Counts:
    """Named labels first, then by count; what is beyond ``SHOWN`` is summed up."""
    order = {label: index for index, label in enumerate(first)}
    ranked = sorted(counts, key=lambda k: (order.get(k, len(order)), -counts[k].total(), k))
    shown = {label: counts[label] for label in ranked[:SHOWN]}
    if rest := ranked[SHOWN:]:
        shown[f"{len(rest)} more"] = sum((counts[label] for label in rest), Counter[str]())
    return shown


def _figure(title: str, unit: str, counts: Counts) -> Html:
    total = sum(c.total() for c in counts.values())
    caption = el(
        "figcaption", None, el("h3", None, title), el("span", {"class": "muted"}, f"{total:,} {unit}")
    )
    return el("figure", {"class": "chart card"}, caption, _svg(title, unit, counts))


def _svg(title: str, unit: str, counts: Counts) -> Html:
    longest = max((c.total() for c in counts.values()), default=0) or 1
    rows = [_bar(i, label, c, unit, longest) for i, (label, c) in enumerate(counts.items())]
    told = "; ".join(f"{readable(label)} {c.total()}" for label, c in counts.items())
    box = f"0 0 {_WIDTH} {_ROW * len(counts)}"
    return el("svg", {"viewBox": box, "role": "img", "aria-label": f"{title}: {told}"}, joined(rows))


def _bar(index: int, label: str, count: Counter[str], unit: str, longest: int) -> Html:
    top, room = index * _ROW, _WIDTH - _LEFT - _RIGHT
    x = float(_LEFT)
    parts = []
    for split in SPLITS:
        width = room * count[split] / longest
        if width > 0:
            box = {
                "x": f"{x:.2f}",
                "y": top + 4,
                "width": f"{width:.2f}",
                "height": _ROW - 9,
                "class": f"split-{split}",
            }
            parts.append(
                el("rect", box, el("title", None, f"{readable(label)}, {split}: {count[split]} {unit}"))
            )
        x += width
    sign = f"{MARKS[label]} " if label in MARKS else ""
    name = el("text", {"x": _LEFT - 8, "y": top + 17, "class": "name"}, _short(sign + readable(label)))
    value = el("text", {"x": f"{x + 6:.2f}", "y": top + 17, "class": "value"}, f"{count.total():,}")
    return el("g", None, name, *parts, value)


def _short(label: str, limit: int = 22) -> str:
    return label if len(label) <= limit else f"{label[: limit - 1]}…"

"""Counts as horizontal bars, stacked by split, drawn as SVG that takes its colours from the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sonolake.releases.answers import EVERY
from sonolake.releases.layout import SPLITS
from sonolake.releases.records import Content
from sonolake.releases.report.marks import MARKS
from sonolake.releases.report.markup import Html, el, joined, readable
from sonolake.releases.report.proven import Answers, figure, mark
from sonolake.releases.samples import Chart

_WIDTH, _ROW, _LEFT, _RIGHT = 460, 26, 164, 56


@dataclass(frozen=True)
class Bar:
    """A bar: number of its row in the answer, its name, and how long it is in each split."""

    row: int
    label: str
    counts: Mapping[str, int]

    @property
    def length(self) -> int:
        """Of all splits together."""
        return sum(self.counts.values())


def charts_section(content: Content, answers: Answers) -> Html:
    """All charts of a release: tables, what the release asks for, licences."""
    drawn = [_tables(content, answers)]
    drawn += [_values(chart, answers) for chart in content.charts]
    drawn.append(_licences(answers))
    return el("div", {"class": "charts"}, joined(drawn))


def split_legend(answers: Answers) -> Html:
    """Which colour is which split, with the number of items in it."""
    keys = []
    for split in SPLITS:
        count = figure(answers, "counts-items", "items", config=EVERY, split=split)
        if count:
            swatch = el("span", {"class": f"swatch split-{split}"})
            keys.append(el("li", None, swatch, f"{split} ", el("b", None, count)))
    note = el("li", None, "A stroke is an item, its height the length of its sound.")
    return el("ul", {"class": "legend", "aria-label": "Colours of splits"}, joined([*keys, note]))


def _tables(content: Content, answers: Answers) -> Html:
    """A bar a table; its splits are rows of their own, so its row is the one of all of them."""
    answer, bars = answers["counts-items"], []
    for config in content.configs:
        rows = {r["split"]: int(r["items"]) for r in answer.records if r["config"] == config.name}
        whole = answer.find(config=config.name, split=EVERY)
        if whole is not None:
            bars.append(Bar(whole[0], config.title, {s: rows.get(s, 0) for s in SPLITS}))
    total = figure(answers, "counts-items", "items", config=EVERY, split=EVERY)
    return _figure("Items by table and split", "items", "counts-items", bars, total, by_row=False)


def _values(chart: Chart, answers: Answers) -> Html:
    name = f"values-{chart.config}"
    answer = answers.get(name)
    rows = (
        [] if answer is None else [(n, r) for n, r in enumerate(answer.records) if r["chart"] == chart.title]
    )
    if not rows:
        return Html("")
    bars = [Bar(n, r["label"], {s: int(r[s]) for s in SPLITS}) for n, r in rows]
    total = figure(answers, name, "of_all", chart=chart.title)
    return _figure(chart.title, chart.unit, name, bars, total)


def _licences(answers: Answers) -> Html:
    records = answers["counts-licences"].records
    bars = [Bar(n, r["licence"], {s: int(r[s]) for s in SPLITS}) for n, r in enumerate(records)]
    bars = sorted((bar for bar in bars if bar.length), key=lambda bar: (-bar.length, bar.label))
    total = figure(answers, "counts-items", "items", config=EVERY, split=EVERY)
    return _figure("Licences of items", "items", "counts-licences", bars, total)


def _figure(title: str, unit: str, proof: str, bars: Sequence[Bar], total: Html, by_row: bool = True) -> Html:
    """``by_row``: whether the row of a bar has the counts of its splits too."""
    head = el("h3", {"data-quoted": True}, title)
    caption = el("figcaption", None, head, el("span", {"class": "muted"}, total, f" {unit} "), mark(proof))
    about = {"class": "chart card", "data-proof": proof}
    return el("figure", about, caption, _svg(title, unit, bars, by_row))


def _svg(title: str, unit: str, bars: Sequence[Bar], by_row: bool) -> Html:
    longest = max((bar.length for bar in bars), default=0) or 1
    drawn = [_bar(i, bar, unit, longest, by_row) for i, bar in enumerate(bars)]
    told = "; ".join(f"{readable(bar.label)} {bar.length}" for bar in bars)
    box = f"0 0 {_WIDTH} {_ROW * len(bars)}"
    return el("svg", {"viewBox": box, "role": "img", "aria-label": f"{title}: {told}"}, joined(drawn))


def _bar(index: int, bar: Bar, unit: str, longest: int, by_row: bool) -> Html:
    top, room = index * _ROW, _WIDTH - _LEFT - _RIGHT
    x = float(_LEFT)
    parts = []
    for split in SPLITS:
        count = bar.counts[split]
        width = room * count / longest
        if width > 0:
            box = {
                "x": f"{x:.2f}",
                "y": top + 4,
                "width": f"{width:.2f}",
                "height": _ROW - 9,
                "class": f"split-{split}",
            }
            parts.append(
                el("rect", box, el("title", None, f"{readable(bar.label)}, {split}: {count} {unit}"))
            )
        x += width
    sign = f"{MARKS[bar.label]} " if bar.label in MARKS else ""
    where = {"x": _LEFT - 8, "y": top + 17, "class": "name", "data-quoted": True}
    name = el("text", where, _short(sign + readable(bar.label)))
    value = el("text", {"x": f"{x + 6:.2f}", "y": top + 17, "class": "value"}, f"{bar.length:,}")
    return el("g", {"data-row": bar.row} if by_row else None, name, *parts, value)


def _short(label: str, limit: int = 21) -> str:
    return label if len(label) <= limit else f"{label[: limit - 1]}…"

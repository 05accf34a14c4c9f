"""The picture at the head of the page: every item as a stroke, its height the length of its sound."""

from __future__ import annotations

from collections.abc import Sequence

from sonolake.releases.layout import SPLITS
from sonolake.releases.report.markup import Html, el, joined
from sonolake.releases.tables import ItemRow

_WIDTH, _HEIGHT, _MOST = 1200.0, 96.0, 300


def items_strip(items: Sequence[ItemRow]) -> Html:
    """Up to 300 items, evenly picked, by table and split."""
    ordered = sorted(items, key=lambda i: (i.config, SPLITS.index(i.split), i.item_id))
    picked = ordered[:: -(-len(ordered) // _MOST) or 1]
    if not picked:
        return Html("")
    longest = {
        c: max((i.duration_s or 0) for i in picked if i.config == c) or 1 for c in {i.config for i in picked}
    }
    strokes = [_stroke(i, item, _WIDTH / len(picked), longest[item.config]) for i, item in enumerate(picked)]
    label = (
        "Every item as a stroke: its height is the length of its sound among its table, its colour the split."
    )
    shape = {"class": "strip", "viewBox": f"0 0 {_WIDTH:g} {_HEIGHT:g}", "preserveAspectRatio": "none"}
    return el("svg", {**shape, "role": "img", "aria-label": label}, joined(strokes))


def _stroke(index: int, item: ItemRow, step: float, longest_s: float) -> Html:
    height = _HEIGHT * (0.12 + 0.88 * (item.duration_s or 0) / longest_s)
    box = {
        "x": f"{index * step + 0.15 * step:.2f}",
        "y": f"{(_HEIGHT - height) / 2:.2f}",
        "width": f"{0.7 * step:.2f}",
        "height": f"{height:.2f}",
        "rx": f"{min(3.0, 0.3 * step):.2f}",
        "class": f"split-{item.split}",
    }
    name = el("title", {"data-quoted": True}, f"{item.config} {item.split}: {item.item_id}")
    return el("rect", box, name)

"""The picture at the head of the page: every item as a stroke, its height the length of its sound."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from sonolake.releases.layout import SPLITS
from sonolake.releases.report.markup import Html, el, joined

_WIDTH, _HEIGHT, _MOST = 1200.0, 96.0, 300


def items_strip(items: pa.Table) -> Html:
    """Up to 300 of the rows of ``items.parquet``, evenly picked, by table and split."""
    picked = _picked(items.select(["config", "split", "item_id", "duration_s"]))
    if not picked:
        return Html("")
    longest: dict[str, float] = defaultdict(float)
    for item in picked:
        longest[item["config"]] = max(longest[item["config"]], item["duration_s"] or 0.0)
    strokes = [
        _stroke(i, item, _WIDTH / len(picked), longest[item["config"]] or 1.0)
        for i, item in enumerate(picked)
    ]
    label = (
        "Every item as a stroke: its height is the length of its sound among its table, its colour the split."
    )
    shape = {"class": "strip", "viewBox": f"0 0 {_WIDTH:g} {_HEIGHT:g}", "preserveAspectRatio": "none"}
    return el("svg", {**shape, "role": "img", "aria-label": label}, joined(strokes))


def _picked(items: pa.Table) -> list[dict[str, Any]]:
    ranked = items.append_column("rank", pc.index_in(items["split"], pa.array(SPLITS)))
    order = pc.sort_indices(ranked, [(name, "ascending") for name in ("config", "rank", "item_id")])
    rows: list[dict[str, Any]] = items.take(order[:: -(-len(order) // _MOST) or 1]).to_pylist()
    return rows


def _stroke(index: int, item: Mapping[str, Any], step: float, longest_s: float) -> Html:
    height = _HEIGHT * (0.12 + 0.88 * (item["duration_s"] or 0.0) / longest_s)
    box = {
        "x": f"{index * step + 0.15 * step:.2f}",
        "y": f"{(_HEIGHT - height) / 2:.2f}",
        "width": f"{0.7 * step:.2f}",
        "height": f"{height:.2f}",
        "rx": f"{min(3.0, 0.3 * step):.2f}",
        "class": f"split-{item['split']}",
    }
    name = el("title", {"data-quoted": True}, "{config} {split}: {item_id}".format_map(item))
    return el("rect", box, name)

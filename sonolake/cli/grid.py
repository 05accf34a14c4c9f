"""Aligned columns of text, as wide as the terminal."""

from __future__ import annotations

import shutil
import sys
import unicodedata
from collections.abc import Sequence
from typing import Any

from sonolake.cli.values import text

WIDEST = 60
"""Widest cell, in columns of the terminal."""
NARROWEST = 8
"""A column is not made narrower than this to fit the terminal."""
GAP = "  "


def grid(
    names: Sequence[str], rows: Sequence[Sequence[Any]], fit: bool | None = None, whole_last: bool = False
) -> list[str]:
    """Lines of aligned columns under ``names``; numbers to the right, nulls as ``-``, what does not fit cut by ``…``.

    Args:
        names: heads of the columns.
        rows: values, one a column.
        fit: whether columns are narrowed to the terminal; by default when standard output is one.
        whole_last: whether the last column is left as long as it is.
    """
    cells = [[_shown(value) for value in row] for row in rows]
    widths = [
        min(WIDEST, max([_width(name), *(_width(row[n]) for row in cells)])) for n, name in enumerate(names)
    ]
    if sys.stdout.isatty() if fit is None else fit:
        widths = _fitted(widths, shutil.get_terminal_size().columns)
    if whole_last and widths:
        widths[-1] = max([_width(names[-1]), *(_width(row[-1]) for row in cells)])
    right = [_numeric([row[n] for row in rows]) for n in range(len(names))]
    lines = [list(names), ["─" * width for width in widths], *cells]
    return [GAP.join(map(_padded, line, widths, right)).rstrip() for line in lines]


def _shown(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.6g}"
    return "".join(mark if mark.isprintable() else "·" for mark in text(value))


def _numeric(values: Sequence[Any]) -> bool:
    known = [v for v in values if v is not None]
    return bool(known) and all(isinstance(v, int | float) and not isinstance(v, bool) for v in known)


def _width(shown: str) -> int:
    """Columns of a terminal: two for wide characters (Unicode Standard Annex 11), none for combining ones."""
    return sum(
        0 if unicodedata.combining(mark) else 2 if unicodedata.east_asian_width(mark) in "WF" else 1
        for mark in shown
    )


def _fitted(widths: list[int], room: int) -> list[int]:
    """Widths that fit into ``room``: the widest column gives first, none falls below :data:`NARROWEST`."""
    widths = list(widths)
    excess = sum(widths) + len(GAP) * (len(widths) - 1) - room
    while excess > 0 and max(widths) > NARROWEST:
        widths[widths.index(max(widths))] -= 1
        excess -= 1
    return widths


def _padded(shown: str, width: int, right: bool) -> str:
    if _width(shown) > width:
        kept = ""
        for mark in shown:
            if _width(kept + mark) > width - 1:
                break
            kept += mark
        shown = kept + "…"
    blanks = " " * (width - _width(shown))
    return blanks + shown if right else shown + blanks

"""Scores as figures, SVG: grounded accuracy by dimension, origin, sources at once and distance (RMS-AQA, figure 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

from sonolake.spatial.benchmark.scoring import Accuracy, Scorecard

COLOURS = ("#3d7ea6", "#d08a2e", "#6a8f4f", "#b5495b", "#5b5ea6", "#8c6d46")
"""One a system, told apart in print as well; a seventh system has the first one's again."""
_FIGURES = {
    "dimension": ("per_dimension", "Grounded accuracy by dimension"),
    "origin": ("per_origin", "Grounded accuracy by origin"),
    "concurrency": ("per_concurrency", "Grounded accuracy by sources at once"),
    "distance": ("per_distance", "Grounded accuracy by distance"),
}
_HEIGHT, _TOP, _LEFT, _BAR, _GAP = 240, 40, 50, 22, 24
_STYLE = "font:12px system-ui,sans-serif"


def figures(cards: Sequence[Scorecard]) -> dict[str, str]:
    """The figures by name: ``dimension``, ``origin``, ``concurrency``, ``distance``; what has no groups is left out.

    Args:
        cards: a colour each.
    """
    found = {}
    for name, (field, title) in _FIGURES.items():
        series = {card.system: getattr(card, field) for card in cards}
        if any(series.values()):
            found[name] = bars(title, series)
    return found


def bars(title: str, series: Mapping[str, Mapping[str, Accuracy]]) -> str:
    """Bars in percent with 95 % intervals: groups from left to right, in each a bar a system.

    Args:
        title: what is shown.
        series: for each system, its accuracy by group.
    """
    groups = list(dict.fromkeys(name for accuracies in series.values() for name in accuracies))
    width = len(series) * _BAR + _GAP
    parts = [_text(_LEFT, 20, title, "start", "font-weight:600"), *_axis(_LEFT + width * len(groups))]
    for at, group in enumerate(groups):
        left = _LEFT + _GAP / 2 + at * width
        middle = left + len(series) * _BAR / 2
        parts.append(_text(middle, _TOP + _HEIGHT + 18, group, "middle"))
        for number, (system, accuracies) in enumerate(series.items()):
            if group in accuracies:
                parts += _bar(left + number * _BAR, number, f"{system}, {group}", accuracies[group])
    below = _TOP + _HEIGHT + 44
    for number, system in enumerate(series):
        y = below + 18 * number
        parts.append(f'<rect x="{_LEFT}" y="{y - 10}" width="12" height="12" fill="{_colour(number)}"/>')
        parts.append(_text(_LEFT + 18, y, system, "start"))
    return _svg(max(360, _LEFT + width * len(groups) + 20), below + 18 * len(series), title, parts)


def _bar(x: float, number: int, label: str, accuracy: Accuracy) -> list[str]:
    score = accuracy.grounded
    top, middle = _y(score.value), x + (_BAR - 2) / 2
    said = f"{label}: {100 * score.value:.1f} % ({100 * score.low:.1f} to {100 * score.high:.1f}), {accuracy.n} records"
    return [
        f'<rect x="{x:.1f}" y="{top:.1f}" width="{_BAR - 2}" height="{_y(0) - top:.1f}" fill="{_colour(number)}">'
        f"<title>{escape(said)}</title></rect>",
        f'<path d="M{middle:.1f} {_y(score.low):.1f}V{_y(score.high):.1f}" stroke="#222" fill="none"/>',
    ]


def _axis(right: float) -> list[str]:
    lines = []
    for percent in range(0, 101, 25):
        y = _y(percent / 100)
        lines.append(f'<path d="M{_LEFT} {y:.1f}H{right:.1f}" stroke="#ccc"/>')
        lines.append(_text(_LEFT - 6, y + 4, f"{percent} %", "end"))
    return lines


def _y(share: float) -> float:
    return _TOP + _HEIGHT * (1 - share)


def _colour(number: int) -> str:
    return COLOURS[number % len(COLOURS)]


def _text(x: float, y: float, text: str, anchor: str, style: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" style="{style}">{escape(text)}</text>'


def _svg(width: float, height: float, title: str, parts: Sequence[str]) -> str:
    box = f'viewBox="0 0 {width:.0f} {height:.0f}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {box} style="{_STYLE}" role="img">'
    white = f'<rect width="{width:.0f}" height="{height:.0f}" fill="#fff"/>'
    return "\n".join([head, f"<title>{escape(title)}</title>", white, *parts, "</svg>"]) + "\n"

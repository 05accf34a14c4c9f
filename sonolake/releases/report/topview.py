"""Where sounds come from, seen from above: front is up, +90 degrees (left) is left, rings are metres."""

from __future__ import annotations

import math
from collections.abc import Sequence

from sonolake.releases.report.markup import Html, el, joined, readable
from sonolake.releases.report.seen import Seen
from sonolake.releases.samples import Direction

_SIZE, _RADIUS = 300, 112
_SECTORS = ("front", "front-left", "left", "rear-left", "rear", "rear-right", "right", "front-right")


def top_view(directions: Sequence[Direction], item: Seen) -> Html:
    """A plan with a numbered dot a source, and the list that says what is what."""
    reach = _reach(directions)
    rings = [_ring(share * reach, reach) for share in (0.25, 0.5, 0.75, 1.0)]
    dots = [_dot(i, d, reach, item) for i, d in enumerate(directions, 1)]
    told = "; ".join(_words(d) for d in directions)
    plan = el(
        "svg",
        {
            "viewBox": f"0 0 {_SIZE} {_SIZE}",
            "role": "img",
            "aria-label": f"Seen from above: {told}",
            **item.about(told),
        },
        *rings,
        _names(),
        _listener(),
        joined(dots),
    )
    items = [
        el(
            "li",
            {"data-label": d.label, **item.about(_words(d))},
            el("b", None, readable(d.label)),
            el("span", None, _place(d)),
        )
        for d in directions
    ]
    return el("div", {"class": "plan"}, plan, el("ol", None, joined(items)))


def sector(azimuth_deg: float) -> str:
    """One of eight words, each 45 degrees wide and centred on its direction."""
    return _SECTORS[round((azimuth_deg % 360) / 45) % 8]


def position(azimuth_deg: float, distance_m: float, reach_m: float) -> tuple[float, float]:
    """Where a source is drawn: x to the right, y downwards, front up."""
    length = _RADIUS * min(distance_m / reach_m, 1.0)
    angle = math.radians(azimuth_deg)
    return _SIZE / 2 - length * math.sin(angle), _SIZE / 2 - length * math.cos(angle)


def _reach(directions: Sequence[Direction]) -> float:
    farthest = max((d.distance_m for d in directions), default=1.0)
    return next((float(r) for r in (1, 2, 4, 6, 8, 12, 16, 24, 32) if r >= farthest), farthest)


def _ring(distance: float, reach: float) -> Html:
    middle, radius = _SIZE / 2, _RADIUS * distance / reach
    circle = el("circle", {"cx": middle, "cy": middle, "r": f"{radius:.1f}", "class": "ring"})
    label = el(
        "text",
        {"x": middle + 3, "y": f"{middle + radius - 3:.1f}", "class": "scale", "data-quoted": True},
        f"{distance:g} m",
    )
    return joined([circle, label])


def _names() -> Html:
    middle, out = _SIZE // 2, _RADIUS + 16
    places = {
        "front": (middle, middle - out),
        "rear": (middle, middle + out + 8),
        "left": (middle - out - 8, middle + 4),
        "right": (middle + out + 10, middle + 4),
    }
    return joined([el("text", {"x": x, "y": y, "class": "side"}, name) for name, (x, y) in places.items()])


def _listener() -> Html:
    m = _SIZE // 2
    nose = f"M{m - 6} {m - 8} L{m} {m - 18} L{m + 6} {m - 8} Z"
    return joined(
        [
            el("path", {"d": nose, "class": "listener"}),
            el("circle", {"cx": m, "cy": m, "r": 10, "class": "listener"}),
        ]
    )


def _dot(number: int, direction: Direction, reach: float, item: Seen) -> Html:
    x, y = position(direction.azimuth_deg, direction.distance_m, reach)
    ray = {"x1": _SIZE // 2, "y1": _SIZE // 2, "x2": f"{x:.1f}", "y2": f"{y:.1f}", "class": "ray"}
    return el(
        "g",
        {"class": "source", "data-label": direction.label, **item.about(_words(direction))},
        el("title", None, _words(direction)),
        el("line", ray),
        el("circle", {"cx": f"{x:.1f}", "cy": f"{y:.1f}", "r": 12}),
        el("text", {"x": f"{x:.1f}", "y": f"{y + 4.5:.1f}", "data-quoted": True}, str(number)),
    )


def _words(direction: Direction) -> str:
    return f"{readable(direction.label)}, {_place(direction)}"


def _place(direction: Direction) -> str:
    raised = f", elevation {direction.elevation_deg:g}°" if direction.elevation_deg else ""
    return f"{sector(direction.azimuth_deg)}, azimuth {direction.azimuth_deg:g}°{raised}, {direction.distance_m:g} m"

"""The tags of a set as figures, SVG: a ring of aggregates and tags (the paper's figure 2), bars (figure 5)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from xml.sax.saxutils import escape

from sonolake.wesr.taxonomy import AGGREGATES, BY_NAME, TAGS

COLOURS = ("#b5495b", "#d08a2e", "#6a8f4f", "#3d7ea6", "#5b5ea6", "#8c6d46", "#8a4f7d")
"""One for each aggregate, told apart in print as well."""
_STYLE = "font:12px system-ui,sans-serif"


def ring(tags: Mapping[str, int], title: str) -> str:
    """Inside the aggregates, outside their tags, each as large as its share; tags that do not occur are left out.

    Args:
        tags: occurrences by tag.
        title: what is shown.
    """
    total = max(1, sum(tags.values()))
    shapes: list[str] = []
    labels = [_text(320, 20, title, "middle", "font-weight:600")]
    at = 0.0
    for name, colour in zip(AGGREGATES, COLOURS, strict=True):
        inside = [tag for tag in TAGS if tag.aggregate == name and tags.get(tag.name)]
        width = sum(tags[tag.name] for tag in inside) / total
        if width:
            shapes.append(_sector(at, at + width, 60, 130, colour, f"{name} {100 * width:.1f} %"))
            labels += _label(at, at + width, 95, name, "fill:#fff")
        for tag in inside:
            share = tags[tag.name] / total
            words = f"{tag.text} {100 * share:.1f} %"
            shapes.append(_sector(at, at + share, 133, 195, _paler(colour), words))
            labels += _label(at, at + share, 206, words)
            at += share
    return _svg(640, 480, title, [*shapes, *labels])


def bars(tags: Mapping[str, int], title: str) -> str:
    """A bar a tag, the most frequent first, with its number.

    Args:
        tags: occurrences by tag.
        title: what is shown.
    """
    ordered = sorted((tag.name for tag in TAGS), key=lambda name: (-tags.get(name, 0), name))
    most = max(1, *tags.values()) if tags else 1
    parts = [_text(320, 20, title, "middle", "font-weight:600")]
    for row, name in enumerate(ordered):
        y, number = 40 + 20 * row, tags.get(name, 0)
        colour = COLOURS[AGGREGATES.index(BY_NAME[name].aggregate)]
        parts.append(_text(130, y + 12, BY_NAME[name].text, "end"))
        parts.append(f'<rect x="140" y="{y}" width="{420 * number / most:.1f}" height="15" fill="{colour}"/>')
        parts.append(_text(146 + 420 * number / most, y + 12, f"{number:,}"))
    return _svg(640, 50 + 20 * len(ordered), title, parts)


def _sector(begin: float, end: float, inner: int, outer: int, colour: str, words: str) -> str:
    """A piece of a ring around (320, 250), from 0 to 1 clockwise."""
    end = min(end, begin + 0.99999)
    large = int(end - begin > 0.5)
    (ax, ay), (bx, by) = _at(begin, outer), _at(end, outer)
    (cx, cy), (dx, dy) = _at(end, inner), _at(begin, inner)
    return (
        f'<path d="M{ax} {ay}A{outer} {outer} 0 {large} 1 {bx} {by}L{cx} {cy}A{inner} {inner} 0 {large} 0 {dx} {dy}Z"'
        f' fill="{colour}" stroke="#fff"><title>{escape(words)}</title></path>'
    )


def _label(begin: float, end: float, reach: int, words: str, style: str = "") -> list[str]:
    """Words at the middle of a piece, where it is large enough for them."""
    if end - begin < 0.02:
        return []
    x, y = _at((begin + end) / 2, reach)
    anchor = "middle" if reach < 130 or abs(x - 320) < 30 else "start" if x > 320 else "end"
    return [_text(x, y + 4, words, anchor, style)]


def _paler(colour: str) -> str:
    """Half way to white."""
    return "#" + "".join(f"{(int(colour[i : i + 2], 16) + 255) // 2:02x}" for i in (1, 3, 5))


def _at(turn: float, radius: float) -> tuple[float, float]:
    angle = 2 * math.pi * turn - math.pi / 2
    return round(320 + radius * math.cos(angle), 2), round(250 + radius * math.sin(angle), 2)


def _text(x: float, y: float, text: str, anchor: str = "start", style: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" style="{style}">{escape(text)}</text>'


def _svg(width: int, height: int, title: str, parts: list[str]) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" style="{_STYLE}" role="img">'
    )
    body = "\n".join(
        [f"<title>{escape(title)}</title>", f'<rect width="{width}" height="{height}" fill="#fff"/>', *parts]
    )
    return f"{head}\n{body}\n</svg>\n"

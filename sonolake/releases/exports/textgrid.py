"""Praat TextGrid: a file an item, in the long form.

Interval tiers ``turns`` and ``words`` (one for each speaker where there are several, such as ``words A``), ``events``
for sounds that last and ``text`` for a transcript whose words have no place; point tiers ``points`` for sounds without
end and ``candidates`` for what a search proposed. Intervals of one tier cannot overlap in Praat: what does goes to
``events 2`` and so on. Names and facts beyond the label are not in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from sonolake.releases.exports.items import Item
from sonolake.releases.exports.labels import Labels, Turn
from sonolake.releases.exports.source import About
from sonolake.releases.exports.writer import Unfit, place_of

DIGITS = 9
"""Decimals of a time: nanoseconds, and never an exponent, which readers of the format do not know."""
Mark = tuple[float, float, str]
"""Start and end in seconds, and text."""


class TextGrid:
    """See this module: ``CONFIG/SPLIT/KEY.TextGrid``."""

    def __init__(self, folder: Path, about: About) -> None:
        self._folder = folder

    def write(self, item: Item) -> None:
        """See :class:`~sonolake.releases.exports.writer.Writer`."""
        text = textgrid(item.labels, item.duration_s)
        place_of(self._folder, item, "TextGrid").write_text(text, encoding="utf-8")

    def close(self) -> None:
        """Nothing comes last."""


def textgrid(labels: Labels, duration_s: float) -> str:
    """The labels of a sound of that length (seconds) as a TextGrid; what lies outside is cut off.

    Raises:
        Unfit: without labels, or without length.
    """
    duration_s = round(duration_s, DIGITS)
    if duration_s <= 0:
        raise Unfit("no length")
    intervals, points = _marks(labels, duration_s)
    tiers = [tier for name, marks in intervals.items() for tier in _lanes(name, marks, duration_s)]
    tiers += [_points(name, marks, duration_s) for name, marks in points.items() if marks]
    if not tiers:
        raise Unfit("no labels")
    head = ['File type = "ooTextFile"', 'Object class = "TextGrid"', "", *_span(duration_s, "")]
    head += ["tiers? <exists>", f"size = {len(tiers)}", "item []:"]
    lines = head
    for number, tier in enumerate(tiers, 1):
        lines = [*lines, f"    item [{number}]:", *(f"        {line}" for line in tier)]
    return "\n".join(lines) + "\n"


def _marks(labels: Labels, duration_s: float) -> tuple[dict[str, list[Mark]], dict[str, list[Mark]]]:
    """Intervals and points by tier; what has no length is a point, whatever it was meant to be."""
    intervals: dict[str, list[Mark]] = {}
    points: dict[str, list[Mark]] = {}
    for kind in ("turns", "words"):
        for name, marks in _spoken(labels.turns, kind):
            intervals[name] = marks
    intervals["events"] = [(e.onset_s, e.offset_s, e.label) for e in labels.events if e.offset_s is not None]
    if labels.text and not labels.turns:
        intervals["text"] = [(0.0, duration_s, labels.text)]
    points |= {
        "points": [(e.onset_s, e.onset_s, e.label) for e in labels.events if e.offset_s is None],
        "candidates": [(e.onset_s, e.onset_s, e.label) for e in labels.candidates],
    }
    intervals = {name: [_rounded(mark) for mark in marks] for name, marks in intervals.items()}
    points = {name: [_rounded(mark) for mark in marks] for name, marks in points.items()}
    for marks in intervals.values():
        points["points"] += [mark for mark in marks if mark[1] <= mark[0]]
    return {name: [m for m in marks if m[1] > m[0]] for name, marks in intervals.items()}, points


def _rounded(mark: Mark) -> Mark:
    return round(mark[0], DIGITS), round(mark[1], DIGITS), mark[2]


def _spoken(turns: Sequence[Turn], kind: str) -> Iterable[tuple[str, list[Mark]]]:
    speakers = sorted({turn.speaker for turn in turns})
    for speaker in speakers:
        ours = [turn for turn in turns if turn.speaker == speaker]
        name = kind if len(speakers) == 1 else f"{kind} {speaker}"
        if kind == "turns":
            yield name, [(turn.start_s, turn.end_s, turn.text) for turn in ours]
        else:
            yield name, [(word.start_s, word.end_s, word.text) for turn in ours for word in turn.words]


def _lanes(name: str, marks: list[Mark], duration_s: float) -> list[list[str]]:
    """Interval tiers; a mark goes to the first in which there is room."""
    lanes: list[list[Mark]] = []
    for start, end, text in sorted(marks):
        first, last = max(0.0, start), min(duration_s, end)
        if first >= last:
            continue
        lane = next((lane for lane in lanes if lane[-1][1] <= first), None)
        if lane is None:
            lanes.append(lane := [])
        lane.append((first, last, text))
    names = [name if number == 1 else f"{name} {number}" for number in range(1, len(lanes) + 1)]
    return [_intervals(title, lane, duration_s) for title, lane in zip(names, lanes, strict=True)]


def _intervals(name: str, marks: list[Mark], duration_s: float) -> list[str]:
    """A tier that is full: between marks lie empty intervals."""
    filled: list[Mark] = []
    at = 0.0
    for start, end, text in marks:
        if start > at:
            filled.append((at, start, ""))
        filled.append((start, end, text))
        at = end
    if at < duration_s:
        filled.append((at, duration_s, ""))
    lines = ['class = "IntervalTier"', f"name = {_quoted(name)}", *_span(duration_s, "")]
    lines.append(f"intervals: size = {len(filled)}")
    for number, (start, end, text) in enumerate(filled, 1):
        lines += [f"intervals [{number}]:", f"    xmin = {_time(start)}", f"    xmax = {_time(end)}"]
        lines.append(f"    text = {_quoted(text)}")
    return lines


def _points(name: str, marks: list[Mark], duration_s: float) -> list[str]:
    """A point tier; marks of one place, which Praat keeps apart no more than we can, are one."""
    by_place: dict[float, list[str]] = {}
    for start, _, text in sorted(marks):
        by_place.setdefault(min(max(0.0, start), duration_s), []).append(text)
    lines = ['class = "TextTier"', f"name = {_quoted(name)}", *_span(duration_s, "")]
    lines.append(f"points: size = {len(by_place)}")
    for number, (place, texts) in enumerate(by_place.items(), 1):
        lines += [
            f"points [{number}]:",
            f"    number = {_time(place)}",
            f"    mark = {_quoted(', '.join(texts))}",
        ]
    return lines


def _span(duration_s: float, pad: str) -> list[str]:
    return [f"{pad}xmin = 0.0", f"{pad}xmax = {_time(duration_s)}"]


def _time(seconds: float) -> str:
    return f"{seconds:.{DIGITS}f}".rstrip("0").ljust(len(f"{int(seconds)}.0"), "0")


def _quoted(text: str) -> str:
    """As Praat quotes: quotation marks doubled; line breaks become blanks."""
    return '"' + " ".join(text.split()).replace('"', '""') + '"'

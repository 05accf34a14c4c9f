"""What is said, line by line, with the sounds that people react to between the lines."""

from __future__ import annotations

import re
from collections.abc import Mapping

from sonolake.releases.report.marks import MARKS
from sonolake.releases.report.markup import Html, el, joined, readable
from sonolake.releases.report.seen import Seen
from sonolake.releases.report.timeline import clock
from sonolake.releases.samples import Line, ReportSample, Track

_TAGS = re.compile(r"(\[[^\]]+\]|</?[a-z_]+>)")
_REACTIONS = ("pivot", "verbal", "behavioral", "ambient")


def transcript(sample: ReportSample, item: Seen) -> Html:
    """Lines in the order given; where all have times, sounds stand where they begin."""
    starts = [line.start_s for line in sample.transcript]
    rows = [(s, _line(line, item)) for s, line in zip(starts, sample.transcript, strict=True)]
    if None not in starts:
        rows += [(t.start_s, _sound(t, item)) for t in sample.tracks if t.kind in _REACTIONS]
        rows.sort(key=lambda r: r[0] or 0.0)
    return el("ol", {"class": "lines"}, joined([row for _, row in rows]))


def _line(line: Line, item: Seen) -> Html:
    about = item.about(line.speaker, line.text, "" if line.start_s is None else clock(line.start_s))
    return _row(line.start_s, el("b", None, line.speaker), _marked(line.text), None, about)


def _sound(track: Track, item: Seen) -> Html:
    sign = el("span", {"class": f"key k-{track.kind}"}, MARKS[track.kind])
    return _row(
        track.start_s,
        sign,
        el("span", None, f"{readable(track.label)}, {track.kind}"),
        "sound",
        item.about(track.label, clock(track.start_s)),
    )


def _row(start_s: float | None, who: Html, text: Html, kind: str | None, about: Mapping[str, object]) -> Html:
    when = el("span", {"class": "when"}, "" if start_s is None else clock(start_s))
    inside = joined([who, el("span", {"class": "said"}, text), when])
    if start_s is None:
        return el("li", {"class": kind, **about}, inside)
    return el(
        "li",
        {"class": kind, **about},
        el("button", {"type": "button", "data-start": f"{start_s:.3f}"}, inside),
    )


def _marked(text: str) -> Html:
    """Text with its vocal tags (``[laughs]``, ``<singing>``) set off."""
    parts = [
        el("mark", None, p) if _TAGS.fullmatch(p) else el("span", None, p) for p in _TAGS.split(text) if p
    ]
    return joined(parts)

"""What happens when, under the spectrogram and in its time scale: lanes of labelled blocks, an axis, a playhead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sonolake.releases.report.marks import MARKS
from sonolake.releases.report.markup import Html, data_url, el, joined, percent, readable, void
from sonolake.releases.report.seen import Seen
from sonolake.releases.samples import ReportSample, Track

_PIXELS, _LETTER, _ROW = 880.0, 7.0, 26
_STEPS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300)


@dataclass(frozen=True)
class Block:
    """A track with its place: row in the lane, and on which side of its bar the label stands."""

    track: Track
    row: int
    label: str
    side: str


def stage(sample: ReportSample, item: Seen) -> Html:
    """Spectrogram, lanes and axis of a sample, one above the other."""
    picture = void(
        "img",
        {
            "src": data_url("image/png", sample.png),
            "alt": f"Spectrogram of {sample.title}",
            "draggable": "false",
            **item.about(sample.title),
        },
    )
    rows = [_row("spectrogram", "spec", picture, None)]
    for lane in dict.fromkeys(t.lane for t in sample.tracks):
        blocks = place([t for t in sample.tracks if t.lane == lane], sample.duration_s)
        height = _ROW * (1 + max(b.row for b in blocks)) + 4
        drawn = joined([_block(b, sample.duration_s, item) for b in blocks])
        rows.append(_row(lane, "lane", drawn, f"height:{height}px", item.about(lane)))
    rows.append(_row("", "axis", _axis(sample.duration_s), None))
    head = el("div", {"class": "overlay", "aria-hidden": "true"}, el("div", {"class": "head"}))
    return el(
        "div",
        {"class": "scroll", "tabindex": 0, "role": "region", "aria-label": "Timeline"},
        el("div", {"class": "stage"}, *rows, head),
    )


def place(tracks: Sequence[Track], duration_s: float) -> list[Block]:
    """Blocks of one lane, in as many rows as it takes for labels not to meet on a wide page."""
    free: list[float] = []
    blocks = []
    for track in sorted(tracks, key=lambda t: (t.start_s, t.end_s, t.label)):
        left = _PIXELS * track.start_s / duration_s
        bar = max(6.0, _PIXELS * (track.end_s - track.start_s) / duration_s)
        label = (
            f"{MARKS[track.kind]} {readable(track.label)}" if track.kind in MARKS else readable(track.label)
        )
        side = _side(track, label, left, bar)
        width = len(label) * _LETTER + 12
        first, last = left, left + bar
        if side == "after":
            last += width
        elif side == "before":
            first -= width
        row = next((i for i, end in enumerate(free) if end <= first), len(free))
        free[row : row + 1] = [last + 4]
        blocks.append(Block(track, row, label, side))
    return blocks


def _side(track: Track, label: str, left: float, bar: float) -> str:
    width = len(label) * _LETTER + 12
    if track.kind in ("speech", "ambience") or width <= bar:
        return "inside"
    return "after" if left + bar + width <= _PIXELS else "before"


def _row(
    name: str, kind: str, inside: Html, style: str | None, about: Mapping[str, object] | None = None
) -> Html:
    gutter = el("div", {"class": "gutter", **(about or {})}, name)
    return el("div", {"class": f"row {kind}"}, gutter, el("div", {"class": "time", "style": style}, inside))


def _block(block: Block, duration_s: float, item: Seen) -> Html:
    track = block.track
    span = track.end_s - track.start_s
    when = f"{track.start_s:.2f} s" if span == 0 else f"{track.start_s:.2f} to {track.end_s:.2f} s"
    said = f"{readable(track.label)}, {track.kind}, {when}"
    style = (
        f"left:{percent(track.start_s, duration_s)};width:{percent(span, duration_s)};"
        f"top:{2 + block.row * _ROW}px"
    )
    attributes = {
        "type": "button",
        "class": f"block {block.side} k-{track.kind}",
        "style": style,
        "data-start": f"{track.start_s:.3f}",
        "data-end": f"{track.end_s:.3f}",
        "data-label": track.label,
        "title": said,
        "aria-label": f"Play from {said}",
        **item.about(said, block.label),
    }
    return el("button", attributes, el("span", None, block.label))


def _axis(duration_s: float) -> Html:
    step = next((s for s in _STEPS if duration_s / s <= 12), _STEPS[-1])
    ticks = []
    for index in range(int(duration_s / step + 1e-9) + 1):
        at = index * step
        edge = " first" if index == 0 else " last" if at > 0.97 * duration_s else ""
        label = clock(at) if duration_s >= 60 else f"{at:g} s"
        place_at = f"left:{percent(at, duration_s)}"
        ticks.append(el("span", {"class": f"tick{edge}", "style": place_at, "data-quoted": True}, label))
    return joined(ticks)


def clock(seconds: float) -> str:
    """Minutes and seconds, ``1:05``."""
    whole = int(seconds)
    return f"{whole // 60}:{whole % 60:02d}"

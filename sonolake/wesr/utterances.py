"""From voice activity to utterances of 2 to 30 s, never cut inside what must stay whole.

Speech segments closer than a pause are one; neighbours are joined while they fit; what is still too long is cut where
it hurts least: in the longest pause that leaves two pieces of a useful length, or, in speech without pauses, as near to
equal parts as the protected intervals (vocal events) allow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from sonolake.errors import InvalidInput

Interval = tuple[float, float]
"""Start and end in seconds."""


@dataclass(frozen=True)
class Limits:
    """Lengths in seconds.

    Attributes:
        shortest_s, longest_s: of an utterance, margins included.
        pause_s: segments closer than this are one.
        gap_s: neighbours farther apart than this are never joined.
        margin_s: kept before and after speech where there is room.
    """

    shortest_s: float = 2.0
    longest_s: float = 30.0
    pause_s: float = 0.3
    gap_s: float = 1.5
    margin_s: float = 0.2

    def __post_init__(self) -> None:
        if (
            not 0 < self.shortest_s < self.longest_s - 2 * self.margin_s
            or min(self.pause_s, self.margin_s) < 0
        ):
            raise InvalidInput("limits", "0 < shortest < longest - 2 margins, pauses >= 0", self)


@dataclass(frozen=True)
class Utterance:
    """A stretch of a recording, in seconds."""

    start_s: float
    end_s: float


@dataclass(frozen=True)
class LeftOut:
    """A stretch that made no utterance and why: ``too_short``, or ``too_long`` where nothing may be cut."""

    start_s: float
    end_s: float
    reason: str


@dataclass(frozen=True)
class Segmented:
    """What became of the speech: every second of it is in one utterance or one of the stretches left out."""

    utterances: tuple[Utterance, ...]
    left_out: tuple[LeftOut, ...]


def utterances(
    segments: Sequence[Interval],
    duration_s: float,
    protected: Sequence[Interval] = (),
    limits: Limits | None = None,
) -> Segmented:
    """Utterances of a recording.

    Args:
        segments: speech as voice activity sees it, in any order.
        duration_s: the recording's length.
        protected: intervals that no cut may fall into, such as vocal events; they belong to the speech.
        limits: lengths, by default 2 to 30 s.

    Raises:
        InvalidInput: for an interval outside the recording or without length.
    """
    lim = limits or Limits()
    for start, end in (*segments, *protected):
        if not 0 <= start < end <= duration_s + 1e-6:
            raise InvalidInput("interval", f"0 <= start < end <= {duration_s}", (start, end))
    whole = _merged(protected, 0.0)
    pieces = _merged([*segments, *whole], lim.pause_s)
    room = lim.longest_s - 2 * lim.margin_s
    fitting = [part for piece in pieces for part in _divided(piece, segments, whole, room, lim)]
    joined = _joined(fitting, room, lim.gap_s)
    return _sorted_out(joined, duration_s, lim, room)


def _merged(intervals: Sequence[Interval], pause_s: float) -> list[Interval]:
    """Intervals in order, those that overlap or lie within ``pause_s`` of each other made one."""
    merged: list[Interval] = []
    for start, end in sorted(intervals):
        if merged and start - merged[-1][1] <= pause_s:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged


def _divided(
    piece: Interval, segments: Sequence[Interval], whole: Sequence[Interval], room_s: float, lim: Limits
) -> list[Interval]:
    """A piece in parts that fit ``room_s``; a part that cannot be cut stays too long."""
    todo, done = [piece], []
    while todo:
        start, end = todo.pop()
        at = _cut_at(start, end, segments, whole, lim) if end - start > room_s else None
        if at is None:
            done.append((start, end))
        else:
            todo += [(at, end), (start, at)]
    return done


def _cut_at(
    start: float, end: float, segments: Sequence[Interval], whole: Sequence[Interval], lim: Limits
) -> float | None:
    """Where to cut: the middle of the longest pause, else near the middle; None when everything is protected."""
    low, high = start + lim.shortest_s, end - lim.shortest_s
    speech = _merged([*segments, *whole], 0.0)
    pauses = [(a[1], b[0]) for a, b in pairwise(speech) if a[1] >= low and b[0] <= high]
    if pauses:
        left, right = max(pauses, key=lambda p: (p[1] - p[0], -p[0]))
        return (left + right) / 2
    middle = (start + end) / 2
    edges = [edge for interval in whole for edge in interval]
    allowed = [at for at in (middle, *edges) if low <= at <= high and not any(a < at < b for a, b in whole)]
    return min(allowed, key=lambda at: (abs(at - middle), at), default=None)


def _joined(parts: Sequence[Interval], room_s: float, gap_s: float) -> list[Interval]:
    """Neighbours made one from left to right while the whole fits and the gap is small."""
    joined: list[Interval] = []
    for start, end in parts:
        if joined and start - joined[-1][1] <= gap_s and end - joined[-1][0] <= room_s:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def _sorted_out(parts: Sequence[Interval], duration_s: float, lim: Limits, room_s: float) -> Segmented:
    """Margins up to half of each gap; what is too short with them, or too long without, is left out."""
    made, out = [], []
    for index, (start, end) in enumerate(parts):
        before = parts[index - 1][1] if index else -start
        after = parts[index + 1][0] if index + 1 < len(parts) else 2 * duration_s - end
        first = round(start - min(lim.margin_s, (start - before) / 2), 6)
        last = round(end + min(lim.margin_s, (after - end) / 2), 6)
        if end - start > room_s + 1e-9:
            out.append(LeftOut(start, end, "too_long"))
        elif last - first < lim.shortest_s:
            out.append(LeftOut(start, end, "too_short"))
        else:
            made.append(Utterance(first, last))
    return Segmented(tuple(made), tuple(out))

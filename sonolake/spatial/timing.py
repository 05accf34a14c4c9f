"""When the events of a clip begin and end: overlap under control, differences large enough to ask about."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sonolake.spatial.records import CLIP_S

EDGE_S = 0.3
"""No event is placed nearer to the clip's ends."""
GAP_S = 0.35
"""Least silence between events that do not overlap, and least difference of times that are compared."""
SHARED_S = 0.5
"""Least time that overlapping events sound together."""
SHORTEST_S = 0.25
"""No event is cut shorter."""

Times = tuple[float, float]
"""Onset and offset in seconds."""


def _free(rng: np.random.Generator, low: float, high: float) -> float:
    return float(rng.uniform(low, max(low, high)))


WHOLE: Times = (EDGE_S, CLIP_S - EDGE_S)
"""Where in a clip events may be."""


def anywhere(rng: np.random.Generator, length_s: float, within: Times = WHOLE) -> Times:
    """One event of a length, anywhere inside the clip, or a part of it, with equal chance."""
    onset = _free(rng, within[0], within[1] - length_s)
    return onset, onset + length_s


def in_turn(
    rng: np.random.Generator, lengths_s: Sequence[float], shares: Sequence[float] = ()
) -> list[Times]:
    """Events that never overlap, in the order given, uniform over all such layouts.

    Lengths shrink when they must, each to its share of the clip: ``shares`` against each other, equal ones by default.
    """
    room = CLIP_S - 2 * EDGE_S - GAP_S * (len(lengths_s) - 1)
    parts = shares or [1.0] * len(lengths_s)
    lengths = [min(length, room * part / sum(parts)) for length, part in zip(lengths_s, parts, strict=True)]
    cuts = np.sort(rng.uniform(0, max(0.0, room - sum(lengths)), len(lengths)))
    times, used = [], EDGE_S
    for cut, length in zip(cuts, lengths, strict=True):
        times.append((used + float(cut), used + float(cut) + length))
        used += length + GAP_S
    return times


def together(rng: np.random.Generator, lengths_s: Sequence[float], within: Times = WHOLE) -> list[Times]:
    """Events that all sound for :data:`SHARED_S` around one instant, or as long as the shortest lasts.

    Those that are longer than the part of the clip in which they are to be shrink to it.
    """
    low, high = within
    lengths = [min(length, high - low) for length in lengths_s]
    half = min(SHARED_S, *lengths) / 2
    instant = _free(rng, low + half, high - half)
    times = []
    for length in lengths:
        onset = _free(rng, max(low, instant + half - length), min(instant - half, high - length))
        times.append((onset, onset + length))
    return times


def overlapping(
    rng: np.random.Generator, relation: str, first_s: float, second_s: float, within: Times = WHOLE
) -> tuple[Times, Times] | None:
    """Two events of which one overlaps or holds the other, with all differences at least :data:`GAP_S`.

    Args:
        rng: of the clip.
        relation: one of ``plan.TOGETHER``.
        first_s, second_s: their lengths, which may shrink.
        within: the part of the clip in which they are to be.

    Returns:
        Both times; None when even then the takes are too short.
    """
    if relation in ("overlapped_by", "contains"):
        inverse = {"overlapped_by": "overlaps", "contains": "during"}[relation]
        swapped = overlapping(rng, inverse, second_s, first_s, within)
        return swapped and (swapped[1], swapped[0])
    return (_overlaps if relation == "overlaps" else _inside)(rng, first_s, second_s, within)


def _overlaps(
    rng: np.random.Generator, first_s: float, second_s: float, within: Times
) -> tuple[Times, Times] | None:
    width = within[1] - within[0]
    first, second = min(first_s, width - GAP_S), min(second_s, width - GAP_S)
    if min(first, second) < 2 * GAP_S:
        return None
    late = _free(rng, max(GAP_S, first - second + GAP_S), min(first - GAP_S, width - second))
    start, _ = anywhere(rng, late + second, within)
    return (start, start + first), (start + late, start + late + second)


def _inside(
    rng: np.random.Generator, inner_s: float, outer_s: float, within: Times
) -> tuple[Times, Times] | None:
    length = min(outer_s, within[1] - within[0])
    inner = min(inner_s, length - 2 * GAP_S)
    if inner < SHORTEST_S:
        return None
    outer = anywhere(rng, length, within)
    onset = _free(rng, outer[0] + GAP_S, outer[1] - GAP_S - inner)
    return (onset, onset + inner), outer


def polyphony(times: Sequence[Times], slack_s: float = 0.0) -> int:
    """Most events at once, each lengthened by ``slack_s`` at both ends (shortened when negative)."""
    grown = [(on - slack_s, off + slack_s) for on, off in times]
    return max((sum(on <= at < off for on, off in grown) for at, _ in grown), default=0)

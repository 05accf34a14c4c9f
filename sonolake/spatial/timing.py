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


def anywhere(rng: np.random.Generator, length_s: float) -> Times:
    """One event of a length, anywhere inside the clip with equal chance."""
    onset = _free(rng, EDGE_S, CLIP_S - EDGE_S - length_s)
    return onset, onset + length_s


def in_turn(rng: np.random.Generator, lengths_s: Sequence[float]) -> list[Times]:
    """Events that never overlap, in the order given, uniform over all such layouts; lengths shrink when they must."""
    room = CLIP_S - 2 * EDGE_S - GAP_S * (len(lengths_s) - 1)
    lengths = [min(length, room / len(lengths_s)) for length in lengths_s]
    cuts = np.sort(rng.uniform(0, room - sum(lengths), len(lengths)))
    times, used = [], EDGE_S
    for cut, length in zip(cuts, lengths, strict=True):
        times.append((used + float(cut), used + float(cut) + length))
        used += length + GAP_S
    return times


def together(rng: np.random.Generator, lengths_s: Sequence[float]) -> list[Times]:
    """Events that all sound for :data:`SHARED_S` around one instant, or as long as the shortest lasts."""
    half = min(SHARED_S, *lengths_s) / 2
    instant = _free(rng, EDGE_S + half, CLIP_S - EDGE_S - half)
    times = []
    for length in lengths_s:
        low = max(EDGE_S, instant + half - length)
        onset = _free(rng, low, min(instant - half, CLIP_S - EDGE_S - length))
        times.append((onset, onset + length))
    return times


def related(
    rng: np.random.Generator, relation: str, first_s: float, second_s: float
) -> tuple[Times, Times] | None:
    """Two events in a relation of ``plan.RELATIONS`` with all differences at least :data:`GAP_S`.

    Lengths may shrink; None when even then the takes are too short.
    """
    if relation in ("after", "overlapped_by", "contains"):
        inverse = {"after": "before", "overlapped_by": "overlaps", "contains": "during"}[relation]
        swapped = related(rng, inverse, second_s, first_s)
        return swapped and (swapped[1], swapped[0])
    if relation == "before":
        first, second = in_turn(rng, (first_s, second_s))
        return first, second
    if relation == "overlaps":
        return _overlapping(rng, first_s, second_s)
    return _inside(rng, first_s, second_s)


def _overlapping(rng: np.random.Generator, first_s: float, second_s: float) -> tuple[Times, Times] | None:
    if min(first_s, second_s) < 2 * GAP_S:
        return None
    late = _free(rng, max(GAP_S, first_s - second_s + GAP_S), first_s - GAP_S)
    start, _ = anywhere(rng, late + second_s)
    return (start, start + first_s), (start + late, start + late + second_s)


def _inside(rng: np.random.Generator, inner_s: float, outer_s: float) -> tuple[Times, Times] | None:
    inner = min(inner_s, outer_s - 2 * GAP_S)
    if inner < SHORTEST_S:
        return None
    outer = anywhere(rng, outer_s)
    onset = _free(rng, outer[0] + GAP_S, outer[1] - GAP_S - inner)
    return (onset, onset + inner), outer


def polyphony(times: Sequence[Times], slack_s: float = 0.0) -> int:
    """Most events at once, each lengthened by ``slack_s`` at both ends (shortened when negative)."""
    grown = [(on - slack_s, off + slack_s) for on, off in times]
    return max((sum(on <= at < off for on, off in grown) for at, _ in grown), default=0)

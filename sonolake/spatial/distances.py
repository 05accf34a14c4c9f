"""Pairs of distances to compare, and for each a false pair that only listening tells from the true one."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from sonolake.spatial.exchange import Exchange
from sonolake.spatial.records import ClipEvent

DISTANCE_EDGE = 1.15
"""Distances whose ratio is under this are not compared."""
UNLIKE = 1.3
"""Least ratio, in the nearer or the farther one, between a true pair of distances and a false one."""
_FALLBACK = 1.6
_SAME_PLACE_DEG, _SAME_PLACE_M = 1.0, 0.1

Pair = tuple[float, float]
"""A nearer and a farther distance in metres, to the 0.1 m they are written in."""


def still(events: Sequence[ClipEvent]) -> dict[str, float]:
    """Distance in metres of each class whose events all stay at one place, classes in order of name."""
    named: dict[str, list[ClipEvent]] = {}
    for event in events:
        named.setdefault(event.event, []).append(event)
    return {name: named[name][0].distance_m for name in sorted(named) if _one_place(named[name])}


def comparable(distances_m: Mapping[str, float]) -> list[tuple[str, str]]:
    """Names (nearer, farther) whose distances are clearly different, also as they are written."""
    ranked = sorted(distances_m, key=lambda name: (distances_m[name], name))
    return [
        (near, far)
        for near in ranked
        for far in ranked
        if distances_m[far] >= DISTANCE_EDGE * distances_m[near] > 0
        and written(distances_m[near]) != written(distances_m[far])
    ]


def written(distance_m: float) -> float:
    """A distance to 0.1 m, as it is quoted."""
    return round(distance_m, 1)


def distance_pairs(clips: Iterable[Sequence[ClipEvent]]) -> Exchange[Pair]:
    """The pairs that clips with these labels can be asked about, each clip's being equally probable."""
    found: dict[Pair, list[float]] = {}
    for events in clips:
        distance = still(events)
        names = comparable(distance)
        for near, far in names:
            found.setdefault((written(distance[near]), written(distance[far])), []).append(1 / len(names))
    pairs = tuple(sorted(found))
    total = math.fsum(share for shares in found.values() for share in shares)
    return Exchange(pairs, tuple(math.fsum(found[pair]) / total for pair in pairs), _unlike)


def false_pair(usual: Exchange[Pair], truth: Pair, rng: np.random.Generator) -> Pair | None:
    """A pair of distances that another clip may have, for a true one; None where there is none to be drawn.

    In a set without any pair that differs enough from this one, both distances are 1.6 times as long or as short.
    """
    if usual.reached(truth):
        return usual.other(truth, rng)
    factor = _FALLBACK if rng.integers(2) else 1 / _FALLBACK
    near, far = written(truth[0] * factor), written(truth[1] * factor)
    return (near, far) if 0 < near < far else None


def _unlike(pairs: tuple[Pair, ...]) -> np.ndarray:
    near, far = np.log(np.array(pairs, dtype=np.float64).reshape(-1, 2)).T
    apart = np.abs(near[:, None] - near) >= math.log(UNLIKE)
    apart |= np.abs(far[:, None] - far) >= math.log(UNLIKE)
    return np.asarray(apart)


def _one_place(events: Sequence[ClipEvent]) -> bool:
    first = events[0]
    return not any(event.moving for event in events) and all(
        abs(event.azimuth_deg - first.azimuth_deg) < _SAME_PLACE_DEG
        and abs(event.elevation_deg - first.elevation_deg) < _SAME_PLACE_DEG
        and abs(event.distance_m - first.distance_m) < _SAME_PLACE_M
        for event in events
    )

"""Ways that a moving source takes through the responses of a room."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from sonolake.spatial.pool import Response
from sonolake.spatial.sectors import wrap

LEG_S = 0.75
"""Least time from one response to the next."""
LEGS = 4
STEP_DEG = (5.0, 50.0)
"""Turn from one response to the next: two that lie farther apart would fade into each other rather than move."""
CLIMB_DEG = 30.0
NEARER = 1.6
"""Most ratio of the distances of two responses that follow each other."""
TURN_DEG = 20.0
"""A walk turns by more than this in all, well beyond what counts as standing still."""


def walk(
    rng: np.random.Generator, start: Response, room: Sequence[Response], duration_s: float
) -> tuple[Response, ...]:
    """Responses that a source passes after ``start``, always turning the same way; none where the room has no such way.

    Args:
        rng: the clip's generator.
        start: where it begins.
        room: the responses of its room, in order.
        duration_s: of the sound; up to :data:`LEGS` legs of at least :data:`LEG_S` fit into it.
    """
    sense = 1.0 if rng.integers(2) else -1.0
    most = min(LEGS, int(duration_s / LEG_S))
    legs = int(rng.integers(1, most + 1)) if most else 0
    way = [start]
    while len(way) <= legs:
        onwards = [response for response in room if _follows(way[-1], response, sense)]
        if not onwards:
            break
        way.append(onwards[int(rng.integers(len(onwards)))])
    turned = sum(abs(wrap(b.azimuth_deg - a.azimuth_deg)) for a, b in pairwise(way))
    return tuple(way[1:]) if turned > TURN_DEG else ()


def _follows(here: Response, there: Response, sense: float) -> bool:
    low, high = STEP_DEG
    near, far = sorted((here.distance_m, there.distance_m))
    return (
        low <= sense * wrap(there.azimuth_deg - here.azimuth_deg) <= high
        and abs(there.elevation_deg - here.elevation_deg) <= CLIMB_DEG
        and far <= NEARER * near
    )

"""Bands of distance, from the nearest to the farthest at hand, each of which is to be heard as often as the others."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from sonolake.spatial.records import FAR_M

BANDS = 4


def band_edges(distances_m: Sequence[float]) -> tuple[float, ...]:
    """The edges between :data:`BANDS` bands of some distances, in metres.

    Bands are equally wide. Where distances are found on both sides of :data:`~sonolake.spatial.records.FAR_M`, that is
    an edge, so that no band is near and far: the bands on each side of it are equally wide, and as many as fit best.
    """
    nearest, farthest = min(distances_m), max(distances_m)
    if nearest == farthest:
        return ()
    if not nearest < FAR_M < farthest:
        return _between(nearest, farthest, BANDS)
    near = round(BANDS * (FAR_M - nearest) / (farthest - nearest))
    near = min(max(near, 1), BANDS - 1)
    return (*_between(nearest, FAR_M, near), FAR_M, *_between(FAR_M, farthest, BANDS - near))


def _between(low: float, high: float, parts: int) -> tuple[float, ...]:
    return tuple(low + (high - low) * part / parts for part in range(1, parts))


def named_bands(distances_m: Sequence[float]) -> list[tuple[str, float, float]]:
    """Each band of some distances with its name, such as ``1.9 to 2.9 m``, and where it begins and ends, in metres."""
    ends = [min(distances_m), *band_edges(distances_m), max(distances_m)]
    return [(f"{low:.1f} to {high:.1f} m", low, high) for low, high in pairwise(ends)]

"""Where a moving source is: points in time, and straight ways between them."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from operator import attrgetter
from typing import Any, Self

from sonolake.errors import InvalidInput

Place = tuple[float, float, float]
"""Azimuth and elevation in degrees, distance in metres."""


@dataclass(frozen=True)
class TrackPoint:
    """Where a source is at a time, in seconds from the clip's start; the distance is NaN where it is not known."""

    at_s: float
    azimuth_deg: float
    elevation_deg: float
    distance_m: float

    def to_record(self) -> dict[str, float | None]:
        """As a dictionary, an unknown distance being None."""
        return {**asdict(self), "distance_m": None if math.isnan(self.distance_m) else self.distance_m}

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Self:
        """The point of :meth:`to_record`."""
        known = record["distance_m"]
        return cls(**{**record, "distance_m": math.nan if known is None else known})

    @property
    def place(self) -> Place:
        """Without the time."""
        return self.azimuth_deg, self.elevation_deg, self.distance_m


def position(track: Sequence[TrackPoint], at_s: float) -> Place:
    """The place at a time: before the first point the first, after the last the last, between two :func:`between`.

    Raises:
        InvalidInput: for a track without points.
    """
    if not track:
        raise InvalidInput("track", "at least one point", 0)
    after = bisect_right(track, at_s, key=attrgetter("at_s"))
    if after in (0, len(track)):
        return track[min(after, len(track) - 1)].place
    a, b = track[after - 1], track[after]
    return between(a.place, b.place, (at_s - a.at_s) / (b.at_s - a.at_s))


def between(a: Place, b: Place, share: float) -> Place:
    """The place at a share of the way from ``a`` to ``b``.

    The direction is that of the sum of both unit vectors, weighted: what first-order signals encode when two responses
    are mixed in these shares. The distance is weighted alike. Of opposite directions at half way it is that of ``a``.
    """
    x, y, z = ((1 - share) * p + share * q for p, q in zip(_unit(a), _unit(b), strict=True))
    distance = (1 - share) * a[2] + share * b[2]
    if math.sqrt(x * x + y * y + z * z) < 1e-9:
        return a[0], a[1], distance
    return math.degrees(math.atan2(y, x)), math.degrees(math.atan2(z, math.hypot(x, y))), distance


@lru_cache(maxsize=256)
def _unit(place: Place) -> tuple[float, float, float]:
    azimuth, elevation = math.radians(place[0]), math.radians(place[1])
    flat = math.cos(elevation)
    return math.cos(azimuth) * flat, math.sin(azimuth) * flat, math.sin(elevation)

"""What clips are made from: dry takes by class, responses by room, ambiences."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from sonolake.errors import InvalidInput
from sonolake.spatial.bands import band_edges
from sonolake.spatial.sectors import sector

MIN_TAKE_S = 0.25
"""Shorter takes are not placed: their onset and offset could not be told apart."""
MAX_EVENT_S = 4.0
"""Longer takes are cut, so that several fit a clip."""


@dataclass(frozen=True, order=True)
class Take:
    """A dry sound: its asset, class and length in seconds."""

    take_id: str
    event: str
    duration_s: float

    @property
    def longest_s(self) -> float:
        """The longest event this take can be."""
        return min(self.duration_s, MAX_EVENT_S)


@dataclass(frozen=True, order=True)
class Response:
    """A four-channel room response: its asset, room, and where it puts a sound."""

    response_id: str
    room: str
    azimuth_deg: float
    elevation_deg: float
    distance_m: float

    @property
    def sector(self) -> str:
        """Name of its direction's sector."""
        return sector(self.azimuth_deg)


@dataclass(frozen=True)
class Pool:
    """What one split may use; order and repetition of the arguments do not matter.

    Raises:
        InvalidInput: without a take of :data:`MIN_TAKE_S` or more, or without a response.
    """

    takes: tuple[Take, ...]
    responses: tuple[Response, ...]
    ambiences: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        usable = {take for take in self.takes if take.duration_s >= MIN_TAKE_S}
        object.__setattr__(self, "takes", tuple(sorted(usable)))
        object.__setattr__(self, "responses", tuple(sorted(set(self.responses))))
        object.__setattr__(self, "ambiences", tuple(sorted(set(self.ambiences))))
        if not self.takes:
            raise InvalidInput("takes", f"at least one of {MIN_TAKE_S} s or more", len(usable))
        if not self.responses:
            raise InvalidInput("responses", "at least one", 0, "no room is assigned to this split")

    @cached_property
    def by_event(self) -> Mapping[str, tuple[Take, ...]]:
        """Takes of each class, classes in order."""
        events = sorted({take.event for take in self.takes})
        return {event: tuple(t for t in self.takes if t.event == event) for event in events}

    @cached_property
    def by_room(self) -> Mapping[str, tuple[Response, ...]]:
        """Responses of each room, rooms in order."""
        rooms = sorted({response.room for response in self.responses})
        return {room: tuple(r for r in self.responses if r.room == room) for room in rooms}

    @cached_property
    def band_edges_m(self) -> tuple[float, ...]:
        """Edges between the bands of distance that its responses fall into."""
        return band_edges([response.distance_m for response in self.responses])

    def band(self, response: Response) -> int:
        """Which band a response's distance is in, from 0, the nearest one."""
        return bisect_right(self.band_edges_m, response.distance_m)


def split_pools(
    takes: Iterable[Take], responses: Iterable[Response], ambiences: Iterable[str], splits: Mapping[str, str]
) -> dict[str, Pool]:
    """One pool a split from the ledgers' assignments.

    Args:
        splits: split of each take id, room and ambience id; what is not in it is in no pool.

    Returns:
        The pools of the splits that have at least one take and one response.
    """
    pools = {}
    takes, responses, ambiences = tuple(takes), tuple(responses), tuple(ambiences)
    for name in sorted(set(splits.values())):
        mine = tuple(t for t in takes if splits.get(t.take_id) == name and t.duration_s >= MIN_TAKE_S)
        rooms = tuple(r for r in responses if splits.get(r.room) == name)
        if mine and rooms:
            pools[name] = Pool(mine, rooms, tuple(a for a in ambiences if splits.get(a) == name))
    return pools

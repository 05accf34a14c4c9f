"""From pools to clip recipes.

Everything is drawn from a generator seeded by the slot's name, after the pool was sorted: the same pool gives the same
recipes in any order, and more clips begin with the same ones. Numbers of sources and of those at once, classes, and the
direction and the distance of the first source go round in drawn cycles; further sources of a clip take the other bands
of distance, in directions that are free. So all are uniform as far as the pool allows.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np

from sonolake.ids import make_id, rng_of
from sonolake.spatial.actions import action_for
from sonolake.spatial.layout import Part, lay_out
from sonolake.spatial.limits import USUAL, Limits
from sonolake.spatial.plan import Slot, cycle, slot
from sonolake.spatial.pool import Pool, Response, Take
from sonolake.spatial.records import ClipRecipe, SourcePlacement, Waypoint
from sonolake.spatial.sectors import SECTORS, clear
from sonolake.spatial.walks import walk

LOUDNESS_LUFS = -26.0
"""Loudness of a clip on W: room for peaks 25 dB above before the peak rule acts."""
SNR_DB = (6.0, 30.0)
"""Range of the quietest source's loudness above the ambience, drawn uniformly: every labelled sound is audible."""
JITTER_DB = 2.0
"""Levels vary by this much to both sides."""
LEVEL_PER_DECADE_DB = 8.0
"""Fall of level per tenfold distance: less than the free field's 20 dB, as reverberation evens it out in a room."""
MOVING = ("SC", "TD", "TR")
"""Dimensions that ask nothing of a place: in their clips a source may move."""
MOVING_SHARE = 1 / 3
"""Of the sources in those clips, as far as their sounds are long enough and their rooms have a way."""
FACING = ("SL", "AP")
"""Dimensions that ask for a direction."""
APART = 1.3
"""Least ratio of two distances that are compared; questions ask for 1.15 or more."""


def allocate(
    split: str,
    numbers: Iterable[int],
    pool: Pool,
    limits: Limits = USUAL,
    origin: str = "simulated",
) -> tuple[ClipRecipe, ...]:
    """Recipes of some slots of a split.

    Args:
        split: whose sequence it is.
        numbers: of the slots, from 0.
        pool: what the split may use.
        limits: the most sources of a clip, and the most of them at once.
        origin: one of ``records.ORIGINS``.
    """
    return tuple(_recipe(slot(split, number, limits), pool, origin) for number in numbers)


def _recipe(place: Slot, pool: Pool, origin: str) -> ClipRecipe:
    rng = rng_of(make_id("slot", {"split": place.split, "index": place.index}), "allocate")
    events = _classes(place, pool, rng)
    parts = lay_out(rng, place, events, {event: pool.by_event[event] for event in events})
    responses = _responses(place, pool, rng, len(events))
    by_event = dict(zip(events, responses, strict=True))
    room = pool.by_room[responses[0].room]
    sources = sorted(
        (_placed(rng, place, part, by_event[part.take.event], room) for part in parts),
        key=lambda s: s.onset_s,
    )
    ambience = pool.ambiences[int(rng.integers(len(pool.ambiences)))] if pool.ambiences else None
    snr_db = round(float(rng.uniform(*SNR_DB)), 1)
    wanted = (place.dimension, place.kind)
    return ClipRecipe(
        place.split, responses[0].room, origin, tuple(sources), ambience, snr_db, LOUDNESS_LUFS, *wanted
    )


def _classes(place: Slot, pool: Pool, rng: np.random.Generator) -> list[str]:
    """Distinct classes of the clip, the first from the split's cycle."""
    names = tuple(pool.by_event)
    if place.dimension == "AP":
        names = tuple(name for name in names if action_for(name)) or names
    first = cycle(f"{place.split}:event:{len(names)}", place.index, names)
    others = [name for name in pool.by_event if name != first]
    order = rng.permutation(len(others))
    count = _distinct(place, rng)
    return [first, *(others[int(i)] for i in order[: count - 1])]


def _distinct(place: Slot, rng: np.random.Generator) -> int:
    """How many classes the slot needs."""
    if place.kind == "count_repeats":
        return 1 + place.sources - int(place.answer)
    if place.kind == "count_events":
        return int(rng.integers(1, place.sources + 1))
    return place.sources


def _responses(place: Slot, pool: Pool, rng: np.random.Generator, count: int) -> list[Response]:
    """One response a class, all of one room, in sectors and bands of distance that differ where the room has them."""
    rooms = {room: [r for r in rs if _fits(place, r)] or list(rs) for room, rs in pool.by_room.items()}
    target = cycle(f"{place.split}:sector", place.index, SECTORS)
    bands = _bands(place, pool, rng, [r for rs in rooms.values() for r in rs if r.sector == target])
    room = rooms[_room(place, pool, rng, rooms, target, bands[:count])]
    chosen: list[Response] = []
    while len(chosen) < count:
        at_hand = _next_to(place, room, chosen) if chosen else [r for r in room if r.sector == target] or room
        chosen.append(_draw(place, pool, rng, at_hand, bands))
        band = pool.band(chosen[-1])
        bands = [one for one in bands if one != band] + [band]
    return chosen


def _fits(place: Slot, response: Response) -> bool:
    return place.dimension not in FACING or clear(response.azimuth_deg, response.elevation_deg)


def _bands(place: Slot, pool: Pool, rng: np.random.Generator, facing: Sequence[Response]) -> list[int]:
    """The bands of distance in the order in which the clip's sources should take them; the first one is its sector's
    turn among those that are found there."""
    there = sorted({pool.band(r) for r in facing or pool.responses})
    name = f"{place.split}:distance:{cycle(f'{place.split}:sector', place.index, SECTORS)}:{there}"
    first = cycle(name, place.index // len(SECTORS), there)
    others = sorted({pool.band(r) for r in pool.responses} - {first})
    return [first, *(others[int(i)] for i in rng.permutation(len(others)))]


def _room(
    place: Slot,
    pool: Pool,
    rng: np.random.Generator,
    rooms: Mapping[str, Sequence[Response]],
    target: str,
    bands: Sequence[int],
) -> str:
    """A room that has the target sector in the first band of distance, and as many of the other bands as any has."""
    facing = [room for room, rs in rooms.items() if any(r.sector == target for r in rs)] or list(rooms)
    exact = [
        room for room in facing if any(r.sector == target and pool.band(r) == bands[0] for r in rooms[room])
    ]
    facing = exact or facing
    if place.dimension == "SR":
        facing = [room for room in facing if _spread(rooms[room]) >= APART] or facing
    found = {room: len(set(bands) & {pool.band(r) for r in rooms[room]}) for room in facing}
    best = [room for room in facing if found[room] == max(found.values())]
    return best[int(rng.integers(len(best)))]


def _band(wanted: Sequence[int], there: Collection[int]) -> int:
    """The first wanted band that is there, else the one that is nearest to the first wanted one."""
    return next((band for band in wanted if band in there), min(there, key=lambda b: (abs(b - wanted[0]), b)))


def _spread(responses: Sequence[Response]) -> float:
    distances = [r.distance_m for r in responses]
    return max(distances) / min(distances)


def _next_to(place: Slot, room: Sequence[Response], chosen: Sequence[Response]) -> Sequence[Response]:
    """The room's responses that a further source may use, from the strictest wish to none."""
    taken = {r.sector for r in chosen}
    elsewhere = (
        [r for r in room if r.sector not in taken] or [r for r in room if r not in chosen] or list(room)
    )
    if place.dimension != "SR":
        return elsewhere
    pool = [r for r in elsewhere if all(_ratio(r, c) >= APART for c in chosen)]
    return pool or [r for r in room if _ratio(r, chosen[0]) >= APART] or elsewhere


def _ratio(a: Response, b: Response) -> float:
    return max(a.distance_m, b.distance_m) / min(a.distance_m, b.distance_m)


def _draw(
    place: Slot, pool: Pool, rng: np.random.Generator, at_hand: Sequence[Response], bands: Sequence[int]
) -> Response:
    """One response: where the direction is asked for, first its sector, each with equal chance, then the first wanted
    band that is found there; elsewhere the other way round."""
    if place.dimension in FACING:
        at_hand = _one_sector(rng, at_hand)
    band = _band(bands, {pool.band(r) for r in at_hand})
    found = _one_sector(rng, [r for r in at_hand if pool.band(r) == band])
    return found[int(rng.integers(len(found)))]


def _one_sector(rng: np.random.Generator, responses: Sequence[Response]) -> Sequence[Response]:
    sectors = sorted({r.sector for r in responses})
    sector = sectors[int(rng.integers(len(sectors)))]
    return [r for r in responses if r.sector == sector]


def _placed(
    rng: np.random.Generator, place: Slot, part: Part, response: Response, room: Sequence[Response]
) -> SourcePlacement:
    fall = LEVEL_PER_DECADE_DB * math.log10(max(response.distance_m, 0.1))
    take: Take = part.take
    return SourcePlacement(
        event=take.event,
        take_id=take.take_id,
        response_id=response.response_id,
        onset_s=round(part.onset_s, 3),
        offset_s=round(part.offset_s, 3),
        azimuth_deg=response.azimuth_deg,
        elevation_deg=response.elevation_deg,
        distance_m=response.distance_m,
        level_db=round(float(rng.uniform(-JITTER_DB, JITTER_DB)) - fall, 2),
        path=_way(rng, place, part, response, room),
    )


def _way(
    rng: np.random.Generator, place: Slot, part: Part, start: Response, room: Sequence[Response]
) -> tuple[Waypoint, ...]:
    if place.dimension not in MOVING or rng.random() >= MOVING_SHARE:
        return ()
    way = walk(rng, start, room, part.offset_s - part.onset_s)
    return tuple(Waypoint(r.response_id, r.azimuth_deg, r.elevation_deg, r.distance_m) for r in way)

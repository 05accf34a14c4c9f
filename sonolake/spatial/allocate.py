"""From pools to clip recipes.

Everything is drawn from a generator seeded by the slot's name, after the pool was sorted: the same pool gives the same
recipes in any order, and more clips begin with the same ones. Classes, directions of the first source, distance
bands and numbers of sources go round in drawn cycles, so they are uniform as far as the pool allows.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from sonolake.ids import make_id, rng_of
from sonolake.spatial.actions import action_for
from sonolake.spatial.layout import Part, lay_out
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
APART = 1.3
"""Least ratio of two distances that are compared; questions ask for 1.15 or more."""


def allocate(
    split: str, numbers: Iterable[int], pool: Pool, origin: str = "simulated"
) -> tuple[ClipRecipe, ...]:
    """Recipes of some slots of a split.

    Args:
        split: whose sequence it is.
        numbers: of the slots, from 0.
        pool: what the split may use.
        origin: one of ``records.ORIGINS``.
    """
    return tuple(_recipe(slot(split, number), pool, origin) for number in numbers)


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
    if place.dimension != "SC":
        return place.sources
    wanted = int(place.answer)
    if place.kind == "count_repeats":
        return int(rng.integers(1, 3))
    if place.kind == "count_events":
        return int(rng.integers(1, wanted + 1))
    return wanted


def _responses(place: Slot, pool: Pool, rng: np.random.Generator, count: int) -> list[Response]:
    """One response a class, all of one room, in sectors that differ where the room has them."""
    rooms = {room: [r for r in rs if _fits(place, r)] or list(rs) for room, rs in pool.by_room.items()}
    target = cycle(f"{place.split}:sector", place.index, SECTORS)
    facing = [room for room, rs in rooms.items() if any(r.cell[0] == target for r in rs)] or list(rooms)
    if place.dimension == "SR":
        facing = [room for room in facing if _spread(rooms[room]) >= APART] or facing
    room = rooms[facing[int(rng.integers(len(facing)))]]
    chosen = [_draw(rng, [r for r in room if r.cell[0] == target] or room)]
    while len(chosen) < count:
        chosen.append(_draw(rng, _next_to(place, room, chosen)))
    return chosen


def _fits(place: Slot, response: Response) -> bool:
    return place.dimension not in ("SL", "AP") or clear(response.azimuth_deg, response.elevation_deg)


def _spread(responses: Sequence[Response]) -> float:
    distances = [r.distance_m for r in responses]
    return max(distances) / min(distances)


def _next_to(place: Slot, room: Sequence[Response], chosen: Sequence[Response]) -> Sequence[Response]:
    """The room's responses that a further source may use, from the strictest wish to none."""
    taken = {r.cell[0] for r in chosen}
    elsewhere = (
        [r for r in room if r.cell[0] not in taken] or [r for r in room if r not in chosen] or list(room)
    )
    if place.dimension != "SR":
        return elsewhere
    pool = [r for r in elsewhere if all(_ratio(r, c) >= APART for c in chosen)]
    return pool or [r for r in room if _ratio(r, chosen[0]) >= APART] or elsewhere


def _ratio(a: Response, b: Response) -> float:
    return max(a.distance_m, b.distance_m) / min(a.distance_m, b.distance_m)


def _draw(rng: np.random.Generator, candidates: Sequence[Response]) -> Response:
    """One response: sector first, then distance band, then among equals, each with equal chance."""
    for part in (0, 1):
        values = sorted({r.cell[part] for r in candidates}, key=str)
        value = values[int(rng.integers(len(values)))]
        candidates = [r for r in candidates if r.cell[part] == value]
    return candidates[int(rng.integers(len(candidates)))]


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

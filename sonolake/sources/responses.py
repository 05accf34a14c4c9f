"""Source folders of simulated responses: mono ones of the CARES locations, Ambisonics ones of simulated rooms.

Every room has its own name, so that splits can keep rooms apart. Azimuth is counter-clockwise from the front in
[-180, 180), elevation upwards, distance from the microphone, as in DCASE.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

import numpy as np

from sonolake.audio.encode import flac_bytes, quantise
from sonolake.audio.rooms import RoomRecipe, farthest, simulate_foa
from sonolake.errors import InvalidInput
from sonolake.ids import make_id, rng_of
from sonolake.sources.making import MadeFolder, Product, write_products
from sonolake.sources.procedural.catalog import LOCATIONS
from sonolake.sources.procedural.parts import RATE
from sonolake.sources.procedural.places import PlaceRecipe
from sonolake.sources.synthetic import FOA_RATE

_GOLDEN = 0.6180339887498949
_NEAREST_M, _FARTHEST_M = 0.8, 5.0
_STEEPEST = math.sin(math.radians(50.0))
Direction = tuple[float, float, float]
"""Azimuth and elevation in degrees, distance in metres."""


def write_responses(dest: Path, locations: Sequence[str] | None = None, rooms: int = 3) -> MadeFolder:
    """Write mono responses of locations, FLAC at 44.1 kHz, the direct sound in the first frame.

    Args:
        dest: the folder.
        locations: CARES locations; all 13 by default.
        rooms: rooms a location, one response each.

    Raises:
        InvalidInput: for an unknown location.
    """
    return write_products(dest, _places(locations if locations is not None else LOCATIONS, rooms), "location")


def write_foa_responses(dest: Path, rooms: int = 10, positions: int = 12) -> MadeFolder:
    """Write AmbiX responses of simulated rooms, four-channel FLAC at 24 kHz.

    Args:
        dest: the folder.
        rooms: how many rooms, from a small furnished one to a hall.
        positions: places a room: all azimuths, elevations to ±50°, 0.8 to 5 m as far as the room goes.
    """
    return write_products(dest, _positions(rooms, positions), "room")


def room(name: str) -> RoomRecipe:
    """The simulated room called ``name``; its size (m) and reverberation time (s) follow from the name."""
    rng = rng_of(name, "room")
    length, width, height = rng.uniform(4.5, 13.0), rng.uniform(4.0, 11.0), rng.uniform(2.5, 4.0)
    size = (round(float(length), 2), round(float(width), 2), round(float(height), 2))
    return RoomRecipe(room_id=name, size_m=size, rt60_s=round(float(rng.uniform(0.25, 0.6)), 3))


def directions(of: RoomRecipe, number: int) -> list[Direction]:
    """``number`` places in a room, between 0.3 m above the floor and 0.3 m under the ceiling.

    Azimuths are one a sector of equal width; distances and heights go through their ranges by the golden section.
    Near sources reach ±50° of elevation, far ones are near the horizon, as in rooms.
    """
    rng = rng_of(of.room_id, "directions")
    turn, start = float(rng.uniform(0, 360)), float(rng.random())
    low, high = 0.3 - of.mic[2], of.size_m[2] - 0.3 - of.mic[2]
    found = []
    for i in range(number):
        azimuth = (turn + 360.0 * (i + float(rng.uniform(0.2, 0.8))) / number) % 360.0 - 180.0
        most = min(_FARTHEST_M, 0.95 * farthest(of, azimuth, 0.0) - 0.3)
        distance = _NEAREST_M + (most - _NEAREST_M) * ((start + i * _GOLDEN) % 1.0)
        rise = (low + (high - low) * ((start + 0.5 + i * _GOLDEN**2) % 1.0)) / distance
        elevation = math.degrees(math.asin(min(max(rise, -_STEEPEST), _STEEPEST)))
        found.append((round(azimuth, 1), round(elevation, 1), round(distance, 2)))
    return found


def _places(locations: Sequence[str], rooms: int) -> Iterator[Product]:
    for location in locations:
        if location not in LOCATIONS:
            raise InvalidInput("location", f"one of {', '.join(LOCATIONS)}", location)
        for variant in range(rooms):
            recipe = PlaceRecipe(location, variant)
            name = f"{location}-{variant + 1}"
            path = f"simulated/{name}.flac"
            row = {
                "path": path,
                "source_id": f"simulated:{name}",
                "title": f"Simulated response, {location.replace('_', ' ')} {variant + 1}",
                "location": location,
                "room": name,
                "distance_m": f"{recipe.distance_m:.2f}",
                "rt60_s": f"{recipe.rt60_s:.3f}",
            }
            yield Product(row, recipe.recipe_id, partial(_mono_flac, recipe, path))


def _mono_flac(recipe: PlaceRecipe, path: str) -> dict[str, bytes]:
    return {path: flac_bytes(quantise(recipe.render()), RATE)}


def _positions(rooms: int, positions: int) -> Iterator[Product]:
    for index in range(rooms):
        of = room(f"simulated-room-{index + 1:02d}")
        for place, (azimuth, elevation, distance) in enumerate(directions(of, positions)):
            path = f"simulated/{of.room_id}/position-{place + 1:02d}.flac"
            row = {
                "path": path,
                "source_id": f"simulated:{of.room_id}:{place + 1}",
                "title": f"Simulated Ambisonics response, room {index + 1}, position {place + 1}",
                "room": of.room_id,
                "convention": "ambix",
                "azimuth_deg": f"{azimuth:g}",
                "elevation_deg": f"{elevation:g}",
                "distance_m": f"{distance:g}",
                "rt60_s": f"{of.rt60_s:g}",
            }
            recipe_id = make_id(
                "foa-response", {**asdict(of), "to": [azimuth, elevation, distance], "rate": FOA_RATE}
            )
            yield Product(row, recipe_id, partial(_foa_flac, of, (azimuth, elevation, distance), path))


def _foa_flac(of: RoomRecipe, to: Direction, path: str) -> dict[str, bytes]:
    x = simulate_foa(of, *to, FOA_RATE)
    return {path: flac_bytes(quantise(x * (0.9 / np.abs(x).max())), FOA_RATE)}

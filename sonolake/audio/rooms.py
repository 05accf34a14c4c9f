"""Simulated room responses, mono and first-order Ambisonics.

A shoebox whose walls absorb alike at all frequencies, as much as Eyring's formula asks for the reverberation time.
Up to the mixing time every image source is there, delayed by a fraction of a sample and, for Ambisonics, encoded with
the direction it comes from; from then on the response is noise that decays as the images would (statistical room
acoustics), its Ambisonics channels independent as in a diffuse field. That is what makes a response cost milliseconds
and not minutes; single late echoes are not in it.

Levels: a source at 1 m has a direct sound of amplitude 1 (at d metres 1/d), d/343 s after the source. The microphone
looks along x; azimuth and elevation as in :mod:`sonolake.audio.foa`. Equal arguments give equal responses.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from sonolake.audio.foa import gains
from sonolake.audio.images import SPEED_OF_SOUND, Point, image_sources
from sonolake.audio.signals import Signal, check_rate
from sonolake.errors import InvalidInput
from sonolake.ids import rng_of

WALL_M = 0.1
"""Sources and microphones keep this distance from walls."""
_HALF_TAPS = 32
_FADE_S = 0.005
_DECAY = 3 * math.log(10)
"""Amplitude falls by 60 dB, a factor 1000, in one reverberation time."""


@dataclass(frozen=True)
class RoomRecipe:
    """A room.

    Attributes:
        room_id: its name, which also seeds its tails.
        size_m: length, width, height in metres.
        rt60_s: reverberation time, 0.05 to 12 s.
        mic_m: where an Ambisonics microphone stands; by default near the middle, 1.5 m high or at half the height.

    Raises:
        InvalidInput: for a size, a time or a place that no room has.
    """

    room_id: str
    size_m: Point
    rt60_s: float
    mic_m: Point | None = None

    def __post_init__(self) -> None:
        if not all(1.0 <= side <= 200.0 for side in self.size_m):
            raise InvalidInput("size_m", "three sides of 1 to 200 m", self.size_m)
        if not 0.05 <= self.rt60_s <= 12.0:
            raise InvalidInput("rt60_s", "0.05 to 12 s", self.rt60_s)
        _check_inside(self, self.mic, "mic_m")

    @property
    def mic(self) -> Point:
        """Where the Ambisonics microphone stands, metres."""
        length, width, height = self.size_m
        return self.mic_m or (0.47 * length, 0.52 * width, min(1.5, height / 2))

    @property
    def volume_m3(self) -> float:
        """Volume in cubic metres."""
        return math.prod(self.size_m)

    @property
    def absorption(self) -> float:
        """Share of energy a wall takes, in (0, 1) (Eyring 1930): ``1 - exp(-24 ln(10) V / (c S T))``."""
        a, b, c = self.size_m
        surface = 2 * (a * b + b * c + a * c)
        return 1 - math.exp(-24 * math.log(10) * self.volume_m3 / (SPEED_OF_SOUND * surface * self.rt60_s))


def simulate_mono(recipe: RoomRecipe, source_m: Point, mic_m: Point, rate: int) -> Signal:
    """Response from a source to an omnidirectional microphone, ``(frames,)``.

    Raises:
        InvalidInput: when either is outside the room or within 0.1 m of a wall, or they are closer than 0.1 m.
    """
    _check_inside(recipe, source_m, "source_m")
    _check_inside(recipe, mic_m, "mic_m")
    return _simulate(recipe, source_m, mic_m, rate)[:, 0].copy()


def simulate_foa(
    recipe: RoomRecipe, azimuth_deg: float, elevation_deg: float, distance_m: float, rate: int
) -> Signal:
    """Response from a direction and distance to the room's Ambisonics microphone, ``(frames, 4)`` AmbiX.

    Raises:
        InvalidInput: when the source would be outside the room; :func:`farthest` says how far it may be.
    """
    most = farthest(recipe, azimuth_deg, elevation_deg)
    if not 0.1 <= distance_m <= most + 1e-9:
        raise InvalidInput(
            "distance_m", f"0.1 to {most:.2f} m in this direction", distance_m, "a wall is nearer"
        )
    _, y, z, x = gains(azimuth_deg, elevation_deg) * distance_m
    source = (recipe.mic[0] + x, recipe.mic[1] + y, recipe.mic[2] + z)
    return _simulate(recipe, source, recipe.mic, rate)


def farthest(recipe: RoomRecipe, azimuth_deg: float, elevation_deg: float) -> float:
    """How far from the Ambisonics microphone a source may be in a direction, metres."""
    _, y, z, x = gains(azimuth_deg, elevation_deg)
    reach = math.inf
    for step, at, side in zip((x, y, z), recipe.mic, recipe.size_m, strict=True):
        if abs(step) > 1e-12:
            reach = min(reach, ((side - WALL_M if step > 0 else WALL_M) - at) / step)
    return float(reach)


def _check_inside(recipe: RoomRecipe, point: Point, what: str) -> None:
    if not all(WALL_M <= at <= side - WALL_M for at, side in zip(point, recipe.size_m, strict=True)):
        raise InvalidInput(what, f"a point inside {recipe.size_m} m, {WALL_M} m from the walls", point)


def _simulate(recipe: RoomRecipe, source: Point, mic: Point, rate: int) -> Signal:
    check_rate(rate)
    direct_s = math.dist(source, mic) / SPEED_OF_SOUND
    if direct_s * SPEED_OF_SOUND < 0.1 - 1e-9:
        raise InvalidInput("source_m", "at least 0.1 m from the microphone", source)
    response = np.zeros((round((direct_s + recipe.rt60_s) * rate) + 2 * _HALF_TAPS, 4))
    mixing_s = direct_s + min(max(0.002 * math.sqrt(recipe.volume_m3), 0.02), 0.08)
    _add_images(response, recipe, source, mic, rate, mixing_s)
    _add_tail(response, recipe, f"{recipe.room_id}|{source}|{mic}|{rate}", rate, mixing_s)
    return response


def _add_images(
    response: Signal, recipe: RoomRecipe, source: Point, mic: Point, rate: int, until_s: float
) -> None:
    """Every image that arrives before ``until_s``, with its wall losses, spreading and direction."""
    offsets, reflections = image_sources(recipe.size_m, source, mic, until_s * SPEED_OF_SOUND)
    distance = np.linalg.norm(offsets, axis=1)
    amplitude = math.sqrt(1 - recipe.absorption) ** reflections / distance
    x, y, z = (offsets / distance[:, None]).T
    plane = np.stack([np.ones_like(x), y, z, x], axis=1) * amplitude[:, None]
    delay = distance / SPEED_OF_SOUND * rate
    first = np.floor(delay).astype(np.int64) - _HALF_TAPS + 1
    taps = np.arange(2 * _HALF_TAPS)
    time = first[:, None] + taps - delay[:, None]
    kernel = np.sinc(time) * np.cos(np.pi * time / (2 * _HALF_TAPS)) ** 2
    for start, pulse, wave in zip(first.tolist(), kernel, plane, strict=True):
        skip = max(0, -start)
        part = response[start + skip : start + len(taps)]
        part += pulse[skip : skip + len(part), None] * wave


def _add_tail(response: Signal, recipe: RoomRecipe, seed: str, rate: int, from_s: float) -> None:
    """Diffuse noise; images arrive at ``4 pi c^3 t^2 / V`` a second with energy ``1 / (c t)^2`` before losses."""
    start = max(0, round((from_s - _FADE_S) * rate))
    count = len(response) - start
    if count <= 0:
        return
    time = (start + np.arange(count)) / rate
    level = math.sqrt(4 * math.pi * SPEED_OF_SOUND / (recipe.volume_m3 * rate))
    envelope = level * np.exp(-_DECAY * time / recipe.rt60_s)
    fade = min(round(_FADE_S * rate), count)
    envelope[:fade] *= np.sqrt((np.arange(fade) + 0.5) / fade)
    noise = rng_of(seed, "tail").standard_normal((count, 4))
    response[start:] += noise * envelope[:, None] * np.array([1.0, *[3**-0.5] * 3])

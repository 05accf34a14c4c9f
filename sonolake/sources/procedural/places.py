"""Mono responses of places, indoors and out: a direct sound, sparse early reflections, a decaying tail.

The tail is Gaussian noise that falls by 60 dB in the reverberation time (Polack 1988; Moorer 1979), faster at high
frequencies. Its energy relative to the direct sound is (distance / critical distance)², the critical distance being
0.057 √(V / T) (Kuttruff, Room Acoustics, 0.1 √(V / πT)). Places without walls have a volume all the same: that of the
space whose edges still answer.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sonolake.audio.signals import Signal
from sonolake.errors import InvalidInput
from sonolake.ids import make_id, rng_of
from sonolake.sources.procedural.parts import RATE, clock, frames, noise
from sonolake.sources.procedural.voicing import Voicing

_SPEED = 343.0


@dataclass(frozen=True)
class _Place:
    rt60_s: float
    volume_m3: float
    distance_m: tuple[float, float]


PLACES: dict[str, _Place] = {
    "home_indoor": _Place(0.45, 60.0, (0.8, 2.5)),
    "cafe_restaurant": _Place(0.7, 250.0, (0.8, 3.0)),
    "street_traffic": _Place(0.5, 4_000.0, (1.0, 4.0)),
    "public_park": _Place(0.2, 3_000.0, (1.0, 4.0)),
    "shopping_mall": _Place(1.6, 8_000.0, (1.0, 4.0)),
    "beach": _Place(0.12, 3_000.0, (1.0, 4.0)),
    "car": _Place(0.08, 3.0, (0.5, 1.0)),
    "construction_site": _Place(0.4, 2_500.0, (1.0, 4.0)),
    "rural": _Place(0.18, 3_000.0, (1.0, 4.0)),
    "nighttime_nature": _Place(0.15, 2_000.0, (1.0, 4.0)),
    "airport": _Place(2.0, 20_000.0, (1.0, 4.0)),
    "train_station": _Place(2.5, 30_000.0, (1.0, 4.0)),
    "office": _Place(0.5, 150.0, (0.8, 2.5)),
}
"""Reverberation time from 0.08 s (car) to 2.5 s (train station), as in CARES, and what else a response needs."""


@dataclass(frozen=True)
class PlaceRecipe:
    """The response of one room of a location, heard from one distance.

    Args:
        location: a CARES location.
        variant: which room of that kind, from 0.

    Raises:
        InvalidInput: for an unknown location or a negative variant.
    """

    location: str
    variant: int

    def __post_init__(self) -> None:
        if self.location not in PLACES:
            raise InvalidInput("location", f"one of {', '.join(PLACES)}", self.location)
        if self.variant < 0:
            raise InvalidInput("variant", "0 or more", self.variant)

    @property
    def recipe_id(self) -> str:
        """The recipe's own name, a hash of its values; it seeds all that is random in it."""
        return make_id("place", {"location": self.location, "variant": self.variant})

    @property
    def rt60_s(self) -> float:
        """Reverberation time, seconds: the location's, within 10 %."""
        return PLACES[self.location].rt60_s * self._voicing().spread(0.9, 1.1)

    @property
    def distance_m(self) -> float:
        """Distance of the source, metres."""
        return rng_of(self.recipe_id, "distance").uniform(*PLACES[self.location].distance_m)

    def _voicing(self) -> Voicing:
        return Voicing(self.location, self.variant, self.recipe_id)

    def render(self) -> Signal:
        """The response: mono ``(frames,)`` at 44.1 kHz, the direct sound in frame 0, peak 0.9."""
        place, rng, rt60 = PLACES[self.location], rng_of(self.recipe_id, "response"), self.rt60_s
        length = 1.1 * rt60 + 0.05
        critical = 0.057 * np.sqrt(place.volume_m3 / rt60)
        energy = (self.distance_m / critical) ** 2
        gap = 0.35 * place.volume_m3 ** (1 / 3) / _SPEED
        x = np.zeros(frames(length))
        x += _tail(rng, length, rt60, gap) * np.sqrt(0.7 * energy)
        x += _early(rng, length, gap, rt60) * np.sqrt(0.3 * energy)
        x[0] = 1.0
        return np.asarray(x * (0.9 / np.abs(x).max()))


def _tail(rng: np.random.Generator, length: float, rt60: float, gap: float) -> Signal:
    """Decaying noise of energy 1 that grows dense over the first ``gap`` s; above 2 kHz it falls 1.6 times as fast."""
    t = clock(length)
    low = noise(rng, length, lambda f: 1.0 / np.sqrt(1.0 + (f / 2_000.0) ** 4)) * np.exp(-6.9078 * t / rt60)
    high = noise(rng, length, lambda f: (f / 2_000.0) ** 2 / (1.0 + (f / 2_000.0) ** 4)) * np.exp(
        -11.05 * t / rt60
    )
    x = (low + 0.6 * high) * np.clip(t / gap, 0.0, 1.0)
    return np.asarray(x / np.sqrt(np.sum(x**2)))


def _early(rng: np.random.Generator, length: float, gap: float, rt60: float) -> Signal:
    """Some twenty reflections of energy 1 in all, between one and six times ``gap``, weaker the later they come."""
    x = np.zeros(frames(length))
    for at in gap * rng.uniform(1.0, 6.0, 20):
        level = float(rng.choice((-1.0, 1.0)) * rng.uniform(0.4, 1.0)) * np.exp(-6.9078 * at / rt60)
        if round(at * RATE) < x.size:
            x[round(at * RATE)] += level
    return np.asarray(x / max(float(np.sqrt(np.sum(x**2))), 1e-9))

"""A throat: a voiced source with a gliding pitch, breath, and the resonances of a mouth or muzzle."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sonolake.audio.signals import Signal
from sonolake.sources.procedural.parts import RATE, Response, band, decay, drift, harmonics, noise, peaks
from sonolake.sources.procedural.voicing import Voicing

VOWELS: dict[str, tuple[float, float, float]] = {
    "a": (730.0, 1_200.0, 2_600.0),
    "e": (520.0, 1_850.0, 2_550.0),
    "i": (300.0, 2_300.0, 3_000.0),
    "o": (500.0, 900.0, 2_500.0),
    "u": (320.0, 820.0, 2_300.0),
    "ə": (500.0, 1_500.0, 2_500.0),
}
"""First three formants of a grown man, Hz (rounded from Peterson and Barney 1952)."""


def mouth(formants: Sequence[float], size: float = 1.0, floor: float = 0.02) -> Response:
    """Resonances at ``formants`` (Hz) of a mouth ``size`` times as long as the one they were measured on."""
    heights = (1.0, 0.65, 0.35, 0.2)
    bells = [(f / size, 60.0 + 0.07 * f / size, a) for f, a in zip(formants, heights, strict=False)]
    return peaks(*bells, floor=floor)


def voiced(v: Voicing, pitch: Signal, shape: Response, rough: float = 0.01, tilt: float = 0.9) -> Signal:
    """A voice on ``pitch`` (Hz a frame) through ``shape``, RMS 1; ``rough`` is the jitter of the pitch."""
    duration = pitch.size / RATE
    shaken = pitch * (1 + rough * drift(v.rng, duration, 70)[: pitch.size])
    x = harmonics(shaken, shape, 9_000, tilt)
    return np.asarray(x / max(float(np.sqrt(np.mean(x**2))), 1e-9))


def breath(v: Voicing, duration: float, shape: Response) -> Signal:
    """Air through ``shape``, RMS 1: turbulence is louder where the passage resonates."""
    return noise(v.rng, duration, lambda f: shape(f) * (f > 80.0) / (1.0 + (f / 7_000.0) ** 2))


def in_room(v: Voicing, x: Signal, rt60_s: float = 0.3, level: float = 0.4) -> Signal:
    """``x`` as recorded in a furnished room: with a decaying tail whose energy is ``level`` squared."""
    from sonolake.audio.convolve import convolve

    tail = noise(v.rng, rt60_s, band(150, 6_000, -2)) * decay(rt60_s, rt60_s)
    return np.asarray(x + level * convolve(x, tail / np.sqrt(np.sum(tail**2)))[: x.size])

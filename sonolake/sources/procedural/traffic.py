"""Vehicles that pass: a source on a straight line, its pitch and level as the listener hears them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sonolake.audio.signals import Signal
from sonolake.sources.procedural.parts import (
    RATE,
    band,
    clock,
    drift,
    finish,
    harmonics,
    hump,
    layout,
    line,
    noise,
    peaks,
    pulses,
    shape,
)
from sonolake.sources.procedural.voicing import Voicing

_SOUND_SPEED = 343.0


def passage(duration: float, speed: float, nearest: float, moment: float) -> tuple[Signal, Signal]:
    """Doppler factor and level of a source that passes at ``speed`` m/s, ``nearest`` m away at ``moment`` s.

    The factor is c / (c + radial speed), the level that of a point source, 1 at the nearest point.
    """
    along = speed * (clock(duration) - moment)
    distance = np.sqrt(along**2 + nearest**2)
    return _SOUND_SPEED / (_SOUND_SPEED + speed * along / distance), nearest / distance


def engine(v: Voicing, pitch: Signal, cylinders: int, rough: float) -> Signal:
    """Exhaust pulses at the firing rate ``pitch`` (Hz a frame), uneven over ``cylinders``, with a rattle."""
    duration = pitch.size / RATE
    pops = pulses(duration, pitch, 0.2) + 0.6 * pulses(duration, pitch / cylinders, 0.2 / cylinders)
    x = shape(pops - pops.mean(), peaks((110, 120, 1.0), (420, 300, 0.5), (1_100, 900, 0.2), floor=0.02))
    fire = pulses(duration, pitch, 0.4) * noise(v.rng, duration, band(200, 4_500, -3))
    return np.asarray(x / np.abs(x).max() + rough * fire)


def siren_pass(v: Voicing) -> Signal:
    """An emergency siren that passes: two tones, a wail or a yelp, with Doppler shift."""
    length, style = 3.9, v.pick(("hi-lo", "wail", "yelp"))
    low = v.spread(430, 720)
    t = clock(length)
    shift, level = passage(length, v.spread(11, 24), v.spread(6, 15), v.between(1.6, 2.4))
    wave: dict[str, Callable[[], Signal]] = {
        "hi-lo": lambda: np.where(np.mod(t / v.spread(0.9, 1.3), 1) < 0.5, low, 1.335 * low),
        "wail": lambda: low * (1.5 + 0.5 * np.sin(2 * np.pi * t / v.spread(2.2, 3.6))) * 1.1,
        "yelp": lambda: low * (1.2 + 0.9 * np.mod(t * v.spread(2.6, 4.2), 1)),
    }
    x = harmonics(wave[style]() * shift, peaks((1_300, 1_500, 1.0), floor=0.2), 7_000, 0.8)
    street = layout(length, [(0.07, 0.25 * x), (0.16, 0.15 * x)])
    return finish((x + street) * level**0.8 * hump(length, 0.3, 0.5))


def motorcycle_pass(v: Voicing) -> Signal:
    """A motorcycle that passes and shifts up."""
    length, firing, change = 3.8, v.spread(75, 150), v.between(1.9, 2.5)
    shift, level = passage(length, v.spread(14, 27), v.spread(4, 9), v.between(1.4, 1.9))
    rise = line(length, (0, 0.85), (change, 1.25), (change + 0.15, 0.85), (length, 1.1))
    x = engine(v, firing * rise * shift, v.pick((2, 1, 4)), v.spread(0.3, 0.9))
    return finish(x * level * hump(length, 0.3, 0.5))


def car_pass(v: Voicing, duration: float, speed: float, nearest: float, moment: float) -> Signal:
    """A car heard from the kerb: tyres first, the engine below."""
    shift, level = passage(duration, speed, nearest, moment)
    tyres = noise(v.rng, duration, band(250, 2_600, -2))
    hum = engine(v, v.between(55, 95) * shift, 4, 0.1)
    return np.asarray((tyres + 0.35 * hum) * level**1.2)


def jet_pass(v: Voicing) -> Signal:
    """A jet overhead: a broad roar and the fans' whine, high before and low after."""
    length, whine = 3.9, v.spread(1_500, 3_000)
    shift, level = passage(length, v.spread(70, 110), v.spread(90, 180), v.between(1.5, 2.3))
    roar = noise(v.rng, length, band(50, v.spread(700, 1_800), -3)) * (1 + 0.25 * drift(v.rng, length, 5))
    fans = harmonics(whine * shift, peaks((whine, whine, 1.0), floor=0.1), 9_000, 1.0)
    late = level * line(length, (0, 0.35), (2.0, 0.9), (length, 1.0))
    return finish((roar * late + v.spread(0.05, 0.25) * fans * level**2) * hump(length, 0.5, 0.8))


def bus_air_brake(v: Voicing) -> Signal:
    """Brakes that squeal a little, then air let out."""
    squeal_s, hiss_s = v.spread(0.5, 1.1), v.spread(0.4, 1.0)
    pitch = (
        v.spread(1_300, 2_600)
        * line(squeal_s, (0, 1.03), (squeal_s, 0.96))
        * (1 + 0.004 * drift(v.rng, squeal_s, 40))
    )
    squeal = harmonics(pitch, peaks((2_000, 2_000, 1.0)), 9_000, 1.3) * hump(squeal_s, 0.2, 0.1)
    hiss = noise(v.rng, hiss_s, band(v.spread(900, 2_000), 12_000)) * hump(hiss_s, 0.01, 0.6 * hiss_s)
    idle = engine(v, np.full(clock(3.2).size, v.spread(22, 36)), 6, 0.2)
    at = squeal_s + v.between(0.1, 0.3)
    x = layout(
        3.2, [(0.1, v.spread(0.25, 0.8) * squeal), (at, hiss), (0.0, 0.3 * shape(idle, band(40, 400)))]
    )
    return finish(x * hump(3.2, 0.15, 0.4))


SOUNDS = {
    "siren_pass": siren_pass,
    "motorcycle_pass": motorcycle_pass,
    "jet_pass": jet_pass,
    "bus_air_brake": bus_air_brake,
}

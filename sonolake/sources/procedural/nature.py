"""Water, wind and weather."""

from __future__ import annotations

import numpy as np

from sonolake.audio.signals import Signal
from sonolake.sources.procedural.parts import (
    band,
    clock,
    decay,
    drift,
    finish,
    hump,
    layout,
    line,
    noise,
    peaks,
    tone,
)
from sonolake.sources.procedural.voicing import Voicing


def drop(v: Voicing, pitch: float, rise: float) -> Signal:
    """One drop into water: a bubble whose pitch rises as it closes (van den Doel 2005)."""
    length = 0.09
    bubble = tone(pitch * (1 + rise * clock(length) / length), length) * decay(length, v.between(0.03, 0.07))
    tick = noise(v.rng, 0.004, band(2_000, 12_000)) * 0.15
    return layout(length, [(0.0, tick), (0.004, bubble)])


def water_drip(v: Voicing) -> Signal:
    """Single drops at an uneven pace, with the basin's echo."""
    pitch, pace = v.spread(700, 1_900), v.spread(0.35, 0.9)
    drops, at = list[tuple[float, Signal]](), 0.05
    while at < 3.2:
        one = drop(v, v.jitter(pitch, 0.12), v.between(0.1, 0.7)) * v.between(0.5, 1.0)
        drops += [(at, one), (at + 0.031, 0.25 * one), (at + 0.057, 0.12 * one)]
        at += v.jitter(pace, 0.25)
    return finish(layout(3.5, drops))


def stream(v: Voicing, duration: float, low: float, high: float, bubbles: float) -> Signal:
    """Running water: a hiss between ``low`` and ``high`` Hz and ``bubbles`` a second."""
    hiss = noise(v.rng, duration, band(low, high, -2))
    pool = [drop(v, v.between(500, 3_200), v.between(0.1, 0.8)) for _ in range(24)]
    gurgle = [(at, pool[v.count(0, 23)] * v.between(0.1, 0.8)) for at in v.times(duration, bubbles)]
    return np.asarray(hiss * (1 + 0.15 * drift(v.rng, duration, 8)) + 2.0 * layout(duration, gurgle))


def faucet(v: Voicing) -> Signal:
    """A tap turned on, running into a sink, turned off."""
    length = v.spread(2.6, 3.8)
    x = stream(v, length, v.spread(350, 900), v.spread(6_000, 11_000), v.spread(40, 120))
    sink = noise(v.rng, length, peaks((v.spread(260, 600), 140, 1.0), (1_250, 260, 0.5)))
    return finish((x + 0.5 * sink) * hump(length, 0.15, 0.25))


def wave_crash(v: Voicing) -> Signal:
    """One wave: it builds low, breaks bright and runs out in foam."""
    length, moment = 3.9, v.spread(1.0, 1.6)
    swell = noise(v.rng, length, band(60, 500, -3)) * line(
        length, (0, 0.05), (moment, 0.9), (2.4, 0.2), (length, 0)
    )
    crash = noise(v.rng, length, band(200, v.spread(4_500, 9_000), -2.5))
    crash *= line(length, (0, 0), (0.8 * moment, 0.1), (moment, 1.0), (moment + 0.5, 0.6), (length, 0.05))
    foam = noise(v.rng, length, band(2_500, 13_000)) * np.abs(drift(v.rng, length, v.spread(40, 90)))
    foam *= line(length, (moment, 0), (moment + 0.7, v.spread(0.25, 0.6)), (length, 0.05))
    return finish((swell + crash + foam) * hump(length, 0.3, 0.5))


def wind(v: Voicing, duration: float, centre: float, gusts: float, howl: float) -> Signal:
    """Wind: three bands about ``centre`` Hz that swell one after the other, ``gusts`` a second, and a ``howl``."""
    strength = 0.55 + 0.45 * drift(v.rng, duration, gusts)
    low = noise(v.rng, duration, band(40, centre, -3)) * strength
    high = noise(v.rng, duration, band(centre, 4 * centre, -4)) * strength**2
    whistle = noise(
        v.rng, duration, peaks((1.7 * centre, 0.12 * centre, 1.0), (2.3 * centre, 0.1 * centre, 0.7))
    )
    return np.asarray(low + 0.8 * high + howl * whistle * strength**3)


def wind_gust(v: Voicing) -> Signal:
    """One gust of wind."""
    x = wind(v, 3.8, v.spread(220, 520), v.spread(0.8, 2.0), v.spread(0.1, 0.8))
    return finish(x * hump(3.8, v.spread(0.9, 1.8), 1.8))


def rain(v: Voicing, duration: float, density: float, low: float, high: float) -> Signal:
    """Rain: a hiss, and ``density`` single drops a second between ``low`` and ``high`` Hz."""
    hiss = noise(v.rng, duration, band(low, high, -1))
    ticks = [
        noise(v.rng, 0.02, band(v.between(0.6, 2) * low, high)) * decay(0.02, v.between(0.008, 0.03))
        for _ in range(16)
    ]
    drops = [(at, ticks[v.count(0, 15)] * v.between(0.3, 2.5)) for at in v.times(duration, density)]
    return np.asarray(0.6 * hiss + layout(duration, drops))


def rain_burst(v: Voicing) -> Signal:
    """A shower that drums on a car's roof."""
    length = v.spread(2.8, 3.9)
    roof = noise(v.rng, length, peaks((v.spread(180, 380), 160, 1.0), (720, 300, 0.6)))
    x = rain(v, length, v.spread(120, 300), v.spread(400, 1_000), 8_500) + 0.6 * roof * (
        1 + 0.4 * drift(v.rng, length, 30)
    )
    return finish(x * hump(length, v.spread(0.3, 0.9), 0.9))


def thunder(v: Voicing) -> Signal:
    """A crack, then a roll that comes from ever farther away."""
    crack = noise(v.rng, 0.5, band(120, 6_000, -2)) * decay(0.5, 0.4, 0.004)
    roll = noise(v.rng, 3.9, band(25, v.spread(140, 300), -4)) * (
        0.6 + 0.4 * drift(v.rng, 3.9, v.spread(3, 7))
    )
    near = v.pick((0.9, 0.15, 0.45))
    x = layout(
        3.9,
        [
            (0.1, near * crack),
            (0.22, 0.5 * near * crack),
            (0.0, roll * line(3.9, (0, 0.1), (0.5, 1.0), (3.9, 0.1))),
        ],
    )
    return finish(x * hump(3.9, 0.02, 1.5), 0.9)


SOUNDS = {
    "water_drip": water_drip,
    "faucet": faucet,
    "wave_crash": wave_crash,
    "wind_gust": wind_gust,
    "rain_burst": rain_burst,
    "thunder": thunder,
}

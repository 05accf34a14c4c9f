"""Machines that run: a turning pitch with its harmonics, and the air they move."""

from __future__ import annotations

import numpy as np

from sonolake.audio.signals import Signal
from sonolake.sources.procedural.parts import (
    Response,
    band,
    drift,
    finish,
    harmonics,
    hump,
    line,
    noise,
    peaks,
    pulses,
    tone,
)
from sonolake.sources.procedural.voicing import Voicing


def motor(
    v: Voicing, pitch: Signal, body: Response, air: Response, breath: float, limit: float = 7_000.0
) -> Signal:
    """A motor that turns at ``pitch`` (Hz a frame) in a ``body``, and the ``air`` it moves at level ``breath``."""
    duration = pitch.size / 44_100
    wobble = pitch * (1 + 0.006 * drift(v.rng, duration, 11))
    whine = harmonics(wobble, body, limit, 0.6)
    whine /= max(float(np.sqrt(np.mean(whine**2))), 1e-9)
    return np.asarray(whine + breath * noise(v.rng, duration, air)[: pitch.size])


def vacuum(v: Voicing) -> Signal:
    """A vacuum cleaner that starts, works and stops."""
    top = v.spread(170, 330)
    pitch = line(3.8, (0, 0.3 * top), (0.6, top), (3.2, 1.02 * top), (3.8, 0.6 * top))
    body = peaks((900, 700, 1.0), (2_300, 900, 0.7), (4_200, 1_500, 0.4), floor=0.08)
    x = motor(v, pitch, body, band(250, 9_000, -1.5), v.spread(1.2, 2.4))
    return finish(x * hump(3.8, 0.35, 0.5))


def fan(v: Voicing) -> Signal:
    """A desk fan: blades that pass, and a soft hum."""
    blades = v.spread(22, 60)
    x = noise(v.rng, 3.8, band(90, v.spread(1_400, 3_200), -3)) * (1 + 0.35 * tone(blades, 3.8))
    hum = harmonics(np.full(x.size, v.pick((100.0, 120.0))), peaks((200, 200, 1.0), floor=0.1), 1_500, 1.0)
    return finish((x + v.spread(0.15, 0.5) * hum) * (1 + 0.1 * drift(v.rng, 3.8, 1.5)) * hump(3.8, 0.4, 0.6))


def drill(v: Voicing) -> Signal:
    """A power drill: it spins up, bites (lower and rougher), spins down; some hammer too."""
    top, bite = v.spread(240, 520), v.spread(0.6, 0.85)
    pitch = line(
        3.4,
        (0, 0.2 * top),
        (0.35, top),
        (0.9, top),
        (1.1, bite * top),
        (2.6, bite * top),
        (3.0, top),
        (3.4, 0.1 * top),
    )
    body = peaks((1_500, 1_200, 1.0), (3_300, 1_500, 0.8), floor=0.15)
    x = motor(v, pitch, body, band(800, 9_000), 0.5, 9_000)
    blows = pulses(3.4, v.spread(28, 48), 0.25) * line(3.4, (1.0, 0.0), (1.1, 1.0), (2.6, 1.0), (2.7, 0.0))
    hammering = v.pick((0.0, 2.5, 1.2)) * blows * noise(v.rng, 3.4, band(150, 5_000))
    return finish((x + hammering) * hump(3.4, 0.05, 0.15))


def espresso_steam(v: Voicing) -> Signal:
    """A steam wand in milk: a hiss that turns into a rumble as the milk warms."""
    length = v.spread(2.2, 3.6)
    hiss = noise(v.rng, length, band(v.spread(1_500, 3_000), 13_000)) * line(length, (0, 1.0), (length, 0.35))
    rumble = noise(v.rng, length, peaks((v.spread(240, 520), 260, 1.0), (900, 500, 0.4))) * line(
        length, (0, 0.1), (length, 1.2)
    )
    gurgle = 1 + 0.5 * drift(v.rng, length, v.spread(14, 30))
    return finish((hiss + rumble * gurgle) * hump(length, 0.08, 0.25))


def kettle_whistle(v: Voicing) -> Signal:
    """A kettle's whistle that rises from a hiss to a steady note."""
    length, top = v.spread(2.6, 3.8), v.spread(1_900, 3_100)
    pitch = (
        top
        * line(length, (0, 0.72), (0.45 * length, 0.97), (length, 1.0))
        * (1 + 0.006 * drift(v.rng, length, 16))
    )
    note = (
        tone(pitch, length)
        + 0.35 * tone(2 * pitch, length)
        + 0.15 * tone(v.pick((1.26, 1.5, 1.19)) * pitch, length)
    )
    hiss = noise(v.rng, length, band(2_500, 14_000)) * line(length, (0, 0.35), (length, 0.12))
    return finish(
        (note * line(length, (0, 0.02), (0.5 * length, 0.8), (length, 1.0)) + hiss) * hump(length, 0.15, 0.2)
    )


SOUNDS = {
    "vacuum": vacuum,
    "fan": fan,
    "drill": drill,
    "espresso_steam": espresso_steam,
    "kettle_whistle": kettle_whistle,
}

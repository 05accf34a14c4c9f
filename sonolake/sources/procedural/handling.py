"""Things that are rubbed, rolled, opened or squeaked: many small contacts in a row."""

from __future__ import annotations

import numpy as np

from sonolake.audio.signals import Signal
from sonolake.sources.procedural.impacts import knock
from sonolake.sources.procedural.parts import (
    band,
    drift,
    finish,
    harmonics,
    hump,
    layout,
    line,
    noise,
    peaks,
    pulses,
)
from sonolake.sources.procedural.voicing import Voicing


def paper_rustle(v: Voicing) -> Signal:
    """A sheet turned and creased: dense crackles under slow gestures."""
    length, gestures = v.spread(1.2, 2.8), v.count(2, 4)
    sheet = noise(v.rng, length, band(v.spread(900, 2_200), 11_000))
    crackle = np.abs(drift(v.rng, length, v.spread(60, 140))) ** 3
    x = np.zeros(sheet.size)
    for _ in range(gestures):
        part = v.between(0.25, 0.6) * length
        move = hump(part, 0.3 * part, 0.4 * part)
        x += layout(length, [(v.between(0, length - part), move)]) * v.between(0.4, 1.0)
    return finish(sheet * crackle * x + 0.02 * sheet * x)


def zip_fastener(v: Voicing) -> Signal:
    """A zip: teeth that meet ever faster or ever slower."""
    length, low, high = v.spread(0.4, 1.1), v.spread(55, 110), v.spread(190, 360)
    rates = (low, high) if v.pick((True, False)) else (high, low)
    teeth = pulses(length, line(length, (0, rates[0]), (length, rates[1])), 0.35)
    x = noise(v.rng, length, band(v.spread(1_300, 2_600), 9_500)) * (0.12 + teeth) * hump(length, 0.05, 0.04)
    return finish(layout(length + 0.1, [(0.0, x), (length - 0.01, 0.8 * knock(v, 1_500, 0.02, 1.0, 0.08))]))


def luggage_wheels(v: Voicing) -> Signal:
    """A wheeled case over joints of a pavement: a rumble and a clack at each joint."""
    length, joints = 3.5, v.spread(2.6, 6.5)
    rumble = noise(v.rng, length, band(v.spread(70, 160), v.spread(1_200, 2_600), -2)) * (
        1 + 0.4 * drift(v.rng, length, 9)
    )
    clacks: list[tuple[float, Signal]] = []
    for i in range(int(length * joints)):
        clack = knock(v, v.spread(170, 380), 0.06, 0.7, 0.15)
        at = v.jitter((i + 0.3) / joints, 0.02)
        clacks += [(at, 2.0 * clack), (at + 0.06, 1.2 * clack)]
    return finish((rumble + layout(length, clacks)) * hump(length, 0.5, 0.6))


def swing_squeak(v: Voicing) -> Signal:
    """A dry hinge: stick and slip whose pitch follows the swing."""
    pitch, period = v.spread(520, 1_250), v.spread(0.9, 1.5)
    squeaks: list[tuple[float, Signal]] = []
    for i in range(int(3.3 / (period / 2))):
        part = period * v.between(0.22, 0.34)
        bend = v.between(1.1, 1.45) if i % 2 else v.between(0.75, 0.92)
        curve = (
            pitch
            * line(part, (0, 1.0), (0.6 * part, bend), (part, 0.95))
            * (1 + 0.012 * drift(v.rng, part, 80))
        )
        cry = harmonics(curve, peaks((2_100, 900, 1.0), (3_600, 1_200, 0.6), floor=0.12), 9_000, 0.6)
        squeaks.append((i * period / 2, cry * hump(part, 0.05, 0.08) * v.between(0.6, 1.0)))
    return finish(layout(3.6, squeaks))


def printer(v: Voicing) -> Signal:
    """An ink printer: the carriage goes to and fro, the paper is fed between."""
    stroke = v.spread(0.35, 0.65)
    pitch = v.spread(240, 480)
    curve = line(
        stroke, (0, 0.5 * pitch), (0.15 * stroke, pitch), (0.85 * stroke, pitch), (stroke, 0.5 * pitch)
    )
    whine = harmonics(curve, peaks((1_200, 900, 1.0), (3_000, 1_500, 0.5), floor=0.1), 6_000, 0.6)
    hiss = noise(v.rng, stroke, band(1_500, 8_000))
    carriage = (whine / np.abs(whine).max() + 0.12 * hiss) * hump(stroke, 0.04, 0.04)
    feed = noise(v.rng, 0.12, band(300, 3_500)) * hump(0.12, 0.01, 0.05) * 0.35
    turn = stroke + 0.16
    parts: list[tuple[float, Signal]] = []
    for i in range(int(3.4 / turn)):
        parts += [(i * turn, carriage * (1.0 if i % 2 else 0.85)), (i * turn + stroke, feed)]
    return finish(layout(3.7, parts))


def windscreen_wiper(v: Voicing) -> Signal:
    """Blades over wet glass: a swish each way, a thump at each end."""
    period = v.spread(1.1, 1.7)
    strokes: list[tuple[float, Signal]] = []
    for i in range(int(3.6 / (period / 2))):
        part = 0.42 * period
        swish = noise(v.rng, part, band(v.spread(300, 700) * (1 + 0.25 * (i % 2)), 4_500, -3)) * hump(
            part, 0.15, 0.1
        )
        strokes += [
            (i * period / 2, swish),
            (i * period / 2 + part, 1.4 * knock(v, v.spread(60, 120), 0.09, 0.3)),
        ]
    motor = 0.05 * noise(v.rng, 3.7, band(80, 300))
    return finish(layout(3.7, [*strokes, (0.0, motor)]))


def saw(v: Voicing) -> Signal:
    """A hand saw: teeth through wood, forth loud and back soft."""
    stroke, teeth = v.spread(0.28, 0.5), v.spread(95, 210)
    strokes: list[tuple[float, Signal]] = []
    for i in range(int(3.3 / stroke)):
        speed = teeth * line(stroke, (0, 0.5), (0.4 * stroke, 1.0 + 0.2 * (i % 2)), (stroke, 0.5))
        grain = noise(v.rng, stroke, band(350, 7_500, -1.5)) * (0.25 + pulses(stroke, speed, 0.5))
        ring = noise(v.rng, stroke, peaks((v.spread(1_100, 2_100), 90, 1.0), (3_400, 160, 0.7)))
        strokes.append(
            (i * stroke, (grain + 0.5 * ring) * hump(stroke, 0.08, 0.1) * (0.55 if i % 2 else 1.0))
        )
    return finish(layout(3.5, strokes))


SOUNDS = {
    "paper_rustle": paper_rustle,
    "zip": zip_fastener,
    "luggage_wheels": luggage_wheels,
    "swing_squeak": swing_squeak,
    "printer": printer,
    "windscreen_wiper": windscreen_wiper,
    "saw": saw,
}

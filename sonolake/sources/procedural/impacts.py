"""Things that hit, break or burst: short bursts of noise over the modes of what they hit."""

from __future__ import annotations

import numpy as np

from sonolake.audio.signals import Signal
from sonolake.sources.procedural.parts import (
    band,
    clock,
    decay,
    finish,
    hump,
    layout,
    line,
    modes,
    noise,
    tone,
)
from sonolake.sources.procedural.voicing import Voicing


def knock(v: Voicing, pitch: float, ring: float, click: float, duration: float = 0.3) -> Signal:
    """One blow on wood or the like: a few damped low modes and a noisy contact of level ``click``."""
    ratios = (1.0, 1.59, 2.14, 2.65, 3.5, 5.1)
    partials = [(pitch * v.jitter(r, 0.02), v.between(0.4, 1.0) / r**0.5, ring / r**0.6) for r in ratios]
    contact = noise(v.rng, 0.03, band(3 * pitch, 25 * pitch)) * decay(0.03, 0.025, 0.0005)
    return layout(duration, [(0.0, modes(duration, partials)), (0.0, click * contact)])


def door_knock(v: Voicing) -> Signal:
    """Three to five knocks on a wooden door."""
    pitch, gap, ring = v.spread(110, 260), v.spread(0.16, 0.34), v.spread(0.08, 0.2)
    blows = [
        (i * v.jitter(gap, 0.05), knock(v, pitch, ring, 0.6) * v.between(0.75, 1.0))
        for i in range(v.count(3, 5))
    ]
    return finish(layout(2.0, blows))


def hammer_blows(v: Voicing) -> Signal:
    """A hammer on a nail: the wood answers low, the steel high."""
    wood, steel, gap = v.spread(140, 320), v.spread(1_700, 3_900), v.spread(0.38, 0.75)
    blows: list[tuple[float, Signal]] = []
    for i in range(v.count(4, 6)):
        at, level = i * v.jitter(gap, 0.04), v.between(0.7, 1.0)
        nail = modes(
            0.35, [(steel * r * (1 + 0.01 * i), a, 0.25 / r) for r, a in ((1, 0.6), (1.52, 0.5), (2.7, 0.3))]
        )
        blows += [(at, level * knock(v, wood, 0.14, 0.9)), (at, level * nail)]
    return finish(layout(3.6, blows))


def footsteps(v: Voicing) -> Signal:
    """Steps on a hard or a soft floor: a heel, then a sole."""
    hard, pace = v.pick((True, False, True)), v.spread(0.42, 0.68)
    pitch, brightness = v.spread(75, 160), (v.spread(2_500, 6_000) if hard else v.spread(500, 1_100))
    steps: list[tuple[float, Signal]] = []
    for i in range(int(3.2 / pace)):
        heel = knock(v, pitch * v.jitter(1, 0.06), 0.07, 0.2)
        scrape = noise(v.rng, 0.09, band(150, brightness)) * hump(0.09, 0.02, 0.06)
        at = i * v.jitter(pace, 0.02)
        steps += [
            (at, heel),
            (at, (0.8 if hard else 0.3) * layout(0.02, [(0, noise(v.rng, 0.008, band(900, brightness)))])),
        ]
        steps.append((at + v.between(0.05, 0.09), v.between(0.15, 0.35) * scrape))
    return finish(layout(3.5, steps))


def ball_bounce(v: Voicing) -> Signal:
    """A ball that bounces lower each time: the gaps shrink by its coefficient of restitution."""
    pitch, keep, gap = v.spread(85, 190), v.spread(0.72, 0.88), v.spread(0.55, 0.8)
    hits, at, level = list[tuple[float, Signal]](), 0.0, 1.0
    while at < 3.0 and gap > 0.05:
        thump = modes(0.2, [(pitch, 1.0, 0.12), (2.8 * pitch, 0.5, 0.07), (pitch * 5.2, 0.25, 0.05)])
        slap = noise(v.rng, 0.02, band(400, 3_500)) * decay(0.02, 0.02)
        hits += [(at, level * thump), (at, 0.3 * level * slap)]
        at, gap, level = at + gap, gap * keep, level * keep
    return finish(layout(at + 0.2, hits))


def balloon_pop(v: Voicing) -> Signal:
    """A burst: a wave of pressure, then its echoes in a room."""
    burst = noise(v.rng, 0.05, band(v.spread(120, 400), 14_000)) * decay(0.05, v.spread(0.025, 0.06), 0.0002)
    echoes = [(v.between(0.006, 0.09), v.between(-0.35, 0.35) * burst) for _ in range(9)]
    tail = noise(v.rng, 0.6, band(200, 5_000, -3)) * decay(0.6, v.spread(0.25, 0.7)) * 0.12
    return finish(layout(0.75, [(0.01, burst), (0.012, tail), *echoes]), 0.9, 0.001)


def twig_snap(v: Voicing) -> Signal:
    """Dry wood that cracks in a few quick snaps."""
    snaps: list[tuple[float, Signal]] = []
    for at in [0.0, *v.times(v.spread(0.12, 0.4), v.spread(14, 30))]:
        crack = knock(v, v.between(700, 1_900), 0.03, 1.2, 0.08)
        snaps.append((at, v.between(0.2, 0.7) * crack if at else crack))
    rustle = noise(v.rng, 0.6, band(1_800, 9_000)) * hump(0.6, 0.05, 0.5) * 0.04
    return finish(layout(0.8, [*snaps, (0.02, rustle)]))


def glass_break(v: Voicing) -> Signal:
    """A pane that breaks: one blow, then shards that ring and fall."""
    length = v.spread(1.1, 2.2)
    blow = noise(v.rng, 0.12, band(500, 13_000)) * decay(0.12, 0.12, 0.0005)
    shards = [
        modes(0.3, [(v.between(2_200, 9_500), 1.0, v.between(0.04, 0.3)) for _ in range(3)])
        for _ in range(14)
    ]
    moments = [length * float(share) ** 2 for share in v.rng.random(int(v.spread(45, 110)))]
    falling = [
        (0.02 + at, shards[v.count(0, 13)] * v.between(0.05, 0.5) * (1 - 0.7 * at / length)) for at in moments
    ]
    return finish(layout(length + 0.5, [(0.0, 1.2 * blow), *falling]))


def firework(v: Voicing) -> Signal:
    """A rocket's whistle, its bang, and crackling."""
    climb = v.spread(0.5, 1.1)
    pitch = line(climb, (0, v.spread(900, 1_600)), (climb, v.spread(2_200, 3_800)))
    whistle = (0.12 * tone(pitch, climb) + 0.04 * noise(v.rng, climb, band(1_000, 6_000))) * hump(
        climb, 0.3, 0.08
    )
    bang = noise(v.rng, 1.6, band(35, 900, -4)) * decay(1.6, v.spread(0.8, 1.6), 0.002)
    cracks = [
        (
            climb + at,
            v.between(0.1, 0.5) * noise(v.rng, 0.012, band(1_500, 12_000)) * decay(0.012, 0.01, 0.0003),
        )
        for at in v.times(1.6, v.spread(12, 40), 0.25)
    ]
    return finish(layout(climb + 1.9, [(0.0, whistle), (climb, bang), *cracks]), 0.9)


def applause(v: Voicing) -> Signal:
    """A small audience: many hands, each with its own tempo and pitch (after Peltola et al. 2007)."""
    length, people = 3.6, round(v.spread(9, 28))
    claps: list[tuple[float, Signal]] = []
    for _ in range(people):
        centre, tempo, level = v.between(700, 2_300), v.between(0.2, 0.34), v.between(0.25, 1.0)
        one = noise(v.rng, 0.05, band(0.7 * centre, 1.8 * centre, order=1)) * decay(0.05, 0.035, 0.0008)
        start = v.between(0.0, 0.4)
        claps += [
            (start + i * tempo + v.between(0, 0.03), level * v.between(0.6, 1.0) * one)
            for i in range(int(3.1 / tempo))
        ]
    return finish(layout(length, claps) * hump(length, 0.35, 0.9))


def stapler(v: Voicing) -> Signal:
    """A stapler pressed and let go, once or twice."""
    press, pitch = v.spread(0.06, 0.14), v.spread(900, 1_900)
    down = knock(v, pitch, 0.04, 1.0, 0.12)
    spring = modes(0.2, [(pitch * r, a, 0.12) for r, a in ((2.3, 0.4), (3.4, 0.3), (5.6, 0.2))])
    one = layout(
        0.55, [(0.0, 0.4 * down), (press, down), (2.4 * press, 0.35 * down), (2.4 * press, 0.3 * spring)]
    )
    return finish(layout(1.3, [(0.55 * i, one) for i in range(v.pick((1, 2, 2)))]))


def camera_shutter(v: Voicing) -> Signal:
    """A mirror up, a curtain, a mirror down."""
    pitch, gap = v.spread(900, 2_400), v.spread(0.045, 0.13)
    up, down = (knock(v, p, 0.025, 1.3, 0.1) for p in (pitch, 0.78 * pitch))
    whirr = (
        noise(v.rng, 0.22, band(1_200, 5_000)) * hump(0.22, 0.02, 0.1) * (0.5 + 0.5 * np.sign(tone(95, 0.22)))
    )
    wind = v.pick((0.0, 0.12, 0.0))
    shots = v.pick((1, 1, 3))
    one = layout(0.5, [(0.0, up), (0.4 * gap, 0.4 * down), (gap, down), (gap + 0.03, wind * whirr)])
    return finish(layout(0.25 + 0.24 * shots + 0.2, [(0.24 * i, one) for i in range(shots)]))


def cash_drawer(v: Voicing) -> Signal:
    """A drawer that springs open: a latch, a bell, rollers, a stop and coins."""
    roll = v.spread(0.22, 0.5)
    rollers = (
        noise(v.rng, roll, band(200, 2_400))
        * hump(roll, 0.03, 0.03)
        * (0.7 + 0.3 * tone(v.spread(24, 50), roll))
    )
    bell = modes(
        1.6, [(v.spread(1_900, 3_000) * r, a, 1.2 / r) for r, a in ((1, 0.5), (2.76, 0.25), (5.4, 0.1))]
    )
    stop = knock(v, v.spread(90, 190), 0.15, 0.7)
    coins = [
        (0.1 + roll + v.between(0, 0.16), 0.1 * modes(0.1, [(v.between(3_000, 7_500), 1.0, 0.08)]))
        for _ in range(14)
    ]
    latch = knock(v, 800, 0.03, 1.0, 0.1)
    ring = v.pick((0.8, 0.0, 0.5)) * bell
    return finish(
        layout(1.9, [(0, 0.5 * latch), (0.01, ring), (0.05, 0.25 * rollers), (0.05 + roll, stop), *coins])
    )


def keyboard_typing(v: Voicing) -> Signal:
    """Keys pressed and let go, in bursts of words."""
    pitch, rate = v.spread(700, 1_900), v.spread(5.5, 10.5)
    presses, at = list[tuple[float, Signal]](), 0.05
    while at < 3.4:
        key = knock(v, pitch * v.jitter(1, 0.15), 0.02, v.between(0.7, 1.3), 0.07)
        presses += [(at, v.between(0.5, 1.0) * key), (at + v.between(0.05, 0.09), v.between(0.12, 0.3) * key)]
        at += v.jitter(1 / rate, 0.45) + (v.between(0.15, 0.4) if v.between(0, 1) < 0.14 else 0.0)
    return finish(layout(3.7, presses))


def clock_ticks(v: Voicing, duration: float, rate: float, pitch: float) -> Signal:
    """A wall clock's ticks, alternately higher and lower."""
    ticks = [knock(v, p, 0.012, 0.6, 0.05) for p in (pitch, 0.84 * pitch)]
    return layout(duration, [(i / rate, ticks[i % 2]) for i in range(int(clock(duration)[-1] * rate) + 1)])


SOUNDS = {
    "door_knock": door_knock,
    "hammer_blows": hammer_blows,
    "footsteps": footsteps,
    "ball_bounce": ball_bounce,
    "balloon_pop": balloon_pop,
    "twig_snap": twig_snap,
    "glass_break": glass_break,
    "firework": firework,
    "applause": applause,
    "stapler": stapler,
    "camera_shutter": camera_shutter,
    "cash_drawer": cash_drawer,
    "keyboard_typing": keyboard_typing,
}

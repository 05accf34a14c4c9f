"""Bells, chimes and glasses: bodies with few, long, inharmonic modes."""

from __future__ import annotations

import numpy as np

from sonolake.audio.signals import Signal
from sonolake.sources.procedural.parts import band, decay, finish, layout, modes, noise, tone
from sonolake.sources.procedural.voicing import Voicing

_Body = tuple[tuple[float, float, float], ...]
_CHURCH: _Body = (
    *(
        (0.5, 0.9, 1.0),
        (1.0, 1.0, 0.7),
        (1.2, 0.8, 0.55),
        (1.5, 0.35, 0.4),
        (2.0, 0.9, 0.35),
        (2.6, 0.3, 0.2),
    ),
    *((3.0, 0.35, 0.2), (4.1, 0.25, 0.12), (5.4, 0.15, 0.08)),
)
"""Hum, prime, tierce, quint, nominal and upper partials of a minor-third bell: (ratio, level, share of the decay)."""
_BAR = ((1.0, 1.0, 1.0), (2.756, 0.5, 0.5), (5.404, 0.25, 0.25), (8.933, 0.1, 0.12))
"""A free bar's bending modes: Euler-Bernoulli, ratios (2n + 1)² / 3.011²."""
_GLASS = ((1.0, 1.0, 1.0), (2.32, 0.7, 0.7), (4.25, 0.5, 0.45), (6.63, 0.3, 0.3), (9.38, 0.15, 0.2))
_PLATE = ((1.0, 1.0, 1.0), (1.73, 0.7, 0.8), (2.33, 0.8, 0.6), (3.46, 0.5, 0.5), (4.9, 0.4, 0.3))


def struck(v: Voicing, body: _Body, pitch: float, ring: float, duration: float) -> Signal:
    """A ``body`` of modes (ratio, level, share of ``ring``) struck once, with its click; levels vary a little."""
    partials = [(pitch * v.jitter(r, 0.004), a * v.jitter(1, 0.3), ring * d) for r, a, d in body]
    click = noise(v.rng, 0.012, band(1_500, 12_000)) * decay(0.012, 0.012, 0.0003)
    return layout(duration, [(0.0, modes(duration, partials)), (0.0, 0.25 * click)])


def church_bell(v: Voicing) -> Signal:
    """Strokes of a cast bell."""
    pitch, gap = v.spread(180, 420), v.spread(1.1, 1.9)
    stroke = struck(v, _CHURCH, pitch, v.spread(3.0, 5.0), 3.6)
    return finish(
        layout(3.9, [(i * gap, stroke * v.jitter(1, 0.1)) for i in range(int(3.2 / gap))]), fade=0.02
    )


def bicycle_bell(v: Voicing) -> Signal:
    """The rattle of a thumb bell: quick strokes on one small dome, once or twice."""
    pitch, rate, times = v.spread(1_700, 3_100), v.spread(14, 26), v.pick((1, 2, 2))
    strokes: list[tuple[float, Signal]] = []
    for ring in range(times):
        for i in range(v.count(4, 7)):
            stroke = struck(v, _BAR, pitch * v.jitter(1, 0.001), 0.9, 0.9)
            strokes.append((0.62 * ring + i / rate, stroke * 0.85**i))
    return finish(layout(0.9 + 0.62 * times, strokes), fade=0.01)


def service_bell(v: Voicing) -> Signal:
    """One or more taps on a counter bell."""
    stroke = struck(v, _BAR, v.spread(1_900, 3_600), v.spread(1.2, 2.4), 1.9)
    taps = v.pick((1, 2, 3))
    return finish(
        layout(1.6 + 0.3 * taps, [(0.27 * i, stroke * v.jitter(1, 0.2)) for i in range(taps)]), fade=0.02
    )


def doorbell(v: Voicing) -> Signal:
    """Two struck bars, the high one first, or an electric bell's rattle."""
    high = v.spread(580, 900)
    if v.pick((True, True, False)):
        low = high / v.pick((1.26, 1.335, 1.2))
        first, second = (struck(v, _BAR, p, 2.2, 1.9) for p in (high, low))
        return finish(layout(2.6, [(0.0, first), (v.spread(0.45, 0.7), second)]), fade=0.02)
    hits = [struck(v, _PLATE, 2.1 * high, 0.5, 0.4) for _ in range(6)]
    return finish(layout(1.7, [(i / 24.0, hits[i % 6]) for i in range(30)]), fade=0.03)


def glass_clink(v: Voicing) -> Signal:
    """Two glasses that touch: two bodies that ring together."""
    first = struck(v, _GLASS, v.spread(1_500, 2_600), v.spread(0.5, 1.2), 1.2)
    second = struck(v, _GLASS, v.spread(1_900, 3_300), v.spread(0.4, 0.9), 1.2)
    again = v.between(0.06, 0.11)
    return finish(
        layout(1.3, [(0, first), (0.002, 0.8 * second), (again, 0.3 * first), (again, 0.2 * second)])
    )


def dish_clatter(v: Voicing) -> Signal:
    """Plates and cutlery put together in some haste."""
    bodies = [struck(v, _PLATE, v.between(900, 3_500), v.between(0.1, 0.4), 0.5) for _ in range(5)]
    moments = [0.0, *v.times(v.spread(0.8, 1.6), v.spread(6, 11), 0.05)]
    hits = [(at, bodies[v.count(0, 4)] * v.between(0.25, 1.0)) for at in moments]
    return finish(layout(2.1, hits))


def cup_set_down(v: Voicing) -> Signal:
    """A cup that meets its saucer, bounces, and settles."""
    cup = struck(v, _PLATE, v.spread(1_400, 2_600), v.spread(0.12, 0.3), 0.45)
    thud = noise(v.rng, 0.08, band(90, 500)) * decay(0.08, 0.08)
    bounce = v.spread(0.05, 0.12)
    hits = [
        (0.0, cup),
        (0.0, 0.5 * thud),
        (bounce, 0.5 * cup),
        (1.7 * bounce, 0.25 * cup),
        (2.1 * bounce, 0.1 * cup),
    ]
    return finish(layout(0.8, hits))


def coin_drop(v: Voicing) -> Signal:
    """A coin that bounces, then spins faster and faster until it lies."""
    coin = struck(v, _BAR, v.spread(3_000, 6_200), v.spread(0.25, 0.6), 0.4)
    hits, at, gap, level = [(0.0, coin)], 0.0, v.spread(0.22, 0.34), 1.0
    while gap > 0.02:
        at, level, gap = at + gap, level * 0.78, gap * 0.72
        hits.append((at, level * coin))
    for i in range(18):
        at, level = at + max(0.022 - 0.0008 * i, 0.006), level * 0.93
        hits.append((at, 0.6 * level * coin))
    return finish(layout(at + 0.45, hits))


def keys_jingle(v: Voicing) -> Signal:
    """A bunch of keys shaken."""
    keys = [struck(v, _BAR, v.between(2_600, 7_500), v.between(0.06, 0.22), 0.25) for _ in range(7)]
    shakes, beat = v.count(4, 7), v.spread(0.13, 0.28)
    hits = [
        (i * beat + abs(v.between(-0.03, 0.05)), keys[v.count(0, 6)] * v.between(0.2, 1.0))
        for i in range(shakes)
        for _ in range(v.count(4, 8))
    ]
    return finish(layout(shakes * beat + 0.35, hits))


def elevator_ding(v: Voicing) -> Signal:
    """The single or double note of an arriving lift."""
    pitch = v.spread(560, 1_150)
    note = struck(v, _BAR, pitch, v.spread(1.2, 2.6), 1.9) + 0.4 * modes(1.9, [(2 * pitch, 1.0, 1.0)])
    second = v.pick((0.0, 0.8, 1.25))
    other = struck(v, _BAR, pitch * second, 1.6, 1.6) if second else np.zeros(1)
    return finish(layout(2.1, [(0.0, note), (0.38, other)]), fade=0.02)


def chime(v: Voicing, notes: tuple[float, ...], gap: float, duration: float) -> Signal:
    """Soft electronic bells, one after the other; ``notes`` in Hz (frequency modulation, after Chowning 1973)."""
    ratio, depth = v.spread(1.38, 3.6), v.spread(0.6, 2.2)
    sounds = []
    for i, note in enumerate(notes):
        swing = depth * note * ratio * decay(1.8, 1.0) * tone(note * ratio, 1.8)
        sounds.append((i * gap, tone(note + swing, 1.8) * decay(1.8, 1.7, 0.004)))
    return finish(layout(duration, sounds), fade=0.02)


def store_chime(v: Voicing) -> Signal:
    """Two falling notes of a public address system in a shop."""
    top = v.spread(560, 880)
    return chime(v, (top, top / v.pick((1.25, 1.3348, 1.5))), v.spread(0.4, 0.65), 2.6)


def boarding_chime(v: Voicing) -> Signal:
    """Three rising notes before a boarding call."""
    base = v.spread(390, 560)
    third = v.pick((1.25, 1.2, 1.3348))
    return chime(v, (base, base * third, base * 1.5), v.spread(0.26, 0.42), 2.8)


def train_announcement_chime(v: Voicing) -> Signal:
    """Four notes before a station announcement, in another order each time."""
    base = v.spread(330, 520)
    steps = v.pick(((1, 1.25, 1.5, 2.0), (2.0, 1.5, 1.68, 1.25), (1.5, 1.25, 1.0, 1.5), (1, 1.5, 1.33, 2.0)))
    return chime(v, tuple(base * step for step in steps), v.spread(0.28, 0.45), 3.2)


SOUNDS = {
    "church_bell": church_bell,
    "bicycle_bell": bicycle_bell,
    "service_bell": service_bell,
    "doorbell": doorbell,
    "glass_clink": glass_clink,
    "dish_clatter": dish_clatter,
    "cup_set_down": cup_set_down,
    "coin_drop": coin_drop,
    "keys_jingle": keys_jingle,
    "elevator_ding": elevator_ding,
    "store_chime": store_chime,
    "boarding_chime": boarding_chime,
    "train_announcement_chime": train_announcement_chime,
}

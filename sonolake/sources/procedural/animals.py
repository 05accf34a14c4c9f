"""Animals: throats of other sizes, insects' wings and birds' whistles."""

from __future__ import annotations

import numpy as np

from sonolake.audio.signals import Signal
from sonolake.sources.procedural.parts import (
    band,
    clock,
    drift,
    finish,
    frames,
    harmonics,
    hump,
    layout,
    line,
    noise,
    peaks,
    pulses,
    tone,
)
from sonolake.sources.procedural.throat import breath, in_room, mouth, voiced
from sonolake.sources.procedural.voicing import Voicing


def dog_bark(v: Voicing) -> Signal:
    """Barks of one dog, small or large."""
    pitch, size = v.spread(430, 640), v.spread(0.8, 1.15)
    length, gap, number = v.spread(0.13, 0.24), v.spread(0.35, 0.7), v.count(2, 4)
    throat = mouth((900, 1_700, 2_900), size, 0.06)
    barks: list[tuple[float, Signal]] = []
    for i in range(number):
        glide = pitch * line(length, (0, 0.75), (0.35 * length, 1.3), (length, 0.7)) * v.jitter(1, 0.05)
        bark = voiced(v, glide, throat, 0.06, 0.3) + 0.4 * breath(v, length, throat)
        barks.append((i * v.jitter(gap, 0.1), bark * hump(length, 0.015, 0.6 * length) * v.between(0.8, 1.0)))
    return finish(in_room(v, layout(number * gap + 0.3, barks)), 0.8)


def cat_meow(v: Voicing) -> Signal:
    """A meow: the mouth opens and closes while the pitch arches."""
    length = v.spread(0.55, 1.15)
    pitch = v.spread(380, 720) * line(length, (0, 0.8), (0.35 * length, v.spread(1.15, 1.45)), (length, 0.85))
    closed, opened, rounded = (
        voiced(v, pitch, mouth(f, 0.75), 0.02, 0.6) for f in ((350, 2_300), (950, 1_800), (500, 900))
    )
    opening = line(length, (0, 0), (0.35 * length, 1.0), (0.65 * length, 0.7), (length, 0))
    late = line(length, (0, 0), (0.5 * length, 0.2), (length, 1.0))
    x = closed * (1 - opening) * (1 - late) + opened * opening + rounded * late * (1 - opening)
    return finish(layout(length + 0.15, [(0.02, x * hump(length, 0.08, 0.2))]))


def cow_moo(v: Voicing) -> Signal:
    """A moo: a long low call whose mouth opens late."""
    length = v.spread(1.4, 2.4)
    pitch = v.spread(75, 135) * line(
        length, (0, 0.9), (0.3 * length, 1.2), (0.8 * length, 1.3), (length, 0.9)
    )
    hum, call = (voiced(v, pitch, mouth(f, 1.25, 0.01), 0.03, 0.7) for f in ((240, 900), (620, 1_150, 2_300)))
    opening = line(length, (0, 0.05), (0.35 * length, 0.4), (0.55 * length, 1.0), (length, 0.6))
    return finish(
        layout(length + 0.2, [(0.0, (hum * (1 - opening) + call * opening) * hump(length, 0.2, 0.35))])
    )


def sheep_bleat(v: Voicing) -> Signal:
    """A bleat: a voice that trembles eight or so times a second."""
    length, rate = v.spread(0.7, 1.4), v.spread(7, 11)
    tremble = np.sin(2 * np.pi * rate * clock(length))
    pitch = v.spread(190, 420) * (1 + 0.06 * tremble) * line(length, (0, 1.0), (length, 0.88))
    x = voiced(v, pitch, mouth((650, 1_650, 2_700), 0.95, 0.05), 0.06, 0.5) * (0.7 + 0.3 * tremble)
    return finish(layout(length + 0.15, [(0.0, x * hump(length, 0.05, 0.25))]))


def horse_neigh(v: Voicing) -> Signal:
    """A neigh: a high squeal that shakes and sinks, then a snort."""
    length, rate = v.spread(1.2, 1.9), v.spread(7, 12)
    shake = np.sin(2 * np.pi * rate * clock(length))
    pitch = (
        v.spread(650, 1_200)
        * line(length, (0, 0.6), (0.15 * length, 1.0), (length, 0.45))
        * (1 + 0.1 * shake)
    )
    x = voiced(v, pitch, mouth((1_000, 1_900, 3_300), 1.1, 0.1), 0.05, 0.4) * (0.65 + 0.35 * shake)
    snort = (
        breath(v, 0.5, mouth((500, 1_300), 1.2, 0.15))
        * (0.4 + 0.6 * pulses(0.5, 24, 0.5))
        * hump(0.5, 0.04, 0.3)
    )
    return finish(layout(length + 0.7, [(0.0, x * hump(length, 0.1, 0.3)), (length + 0.08, 0.4 * snort)]))


def pig_grunt(v: Voicing) -> Signal:
    """A few grunts: rough, low, through the snout."""
    pitch, snout = v.spread(70, 150), mouth((420, 1_100, 2_100), v.spread(0.8, 1.2), 0.05)
    grunts, at = list[tuple[float, Signal]](), 0.0
    for _ in range(v.count(3, 5)):
        length = v.between(0.14, 0.32)
        grunt = voiced(v, pitch * line(length, (0, 1.25), (length, 0.8)), snout, 0.35, 0.4) + 0.5 * breath(
            v, length, snout
        )
        grunts.append((at, grunt * hump(length, 0.03, 0.1) * v.between(0.7, 1.0)))
        at += length + v.between(0.1, 0.3)
    return finish(layout(at, grunts))


def rooster_crow(v: Voicing) -> Signal:
    """Cock-a-doodle-doo: two short notes, a rising one, a long falling one."""
    base, pace = v.spread(480, 820), v.spread(0.85, 1.2)
    syllables = ((0.16, 0.9, 1.0), (0.14, 1.15, 1.2), (0.3, 1.2, 1.6), (0.85, 1.7, 1.1))
    notes, at = list[tuple[float, Signal]](), 0.0
    for share, low, high in syllables:
        length = share * pace
        glide = base * line(
            length, (0, low), (0.3 * length, high), (length, 0.8 * high if share > 0.5 else high)
        )
        note = voiced(v, glide, mouth((1_200, 2_400, 3_600), 1.0, 0.1), 0.05, 0.4)
        notes.append((at, note * hump(length, 0.03, 0.3 * length)))
        at += length + 0.04
    return finish(layout(at + 0.1, notes))


def duck_quack(v: Voicing) -> Signal:
    """Quacks: a buzzing reed through a bill, in a falling row."""
    pitch, number, gap = v.spread(170, 290), v.count(3, 6), v.spread(0.2, 0.4)
    bill = mouth((1_150, 1_950, 2_900), v.spread(0.85, 1.2), 0.12)
    quacks: list[tuple[float, Signal]] = []
    for i in range(number):
        length = 0.6 * gap
        note = voiced(
            v, pitch * line(length, (0, 0.85), (0.3 * length, 1.1), (length, 0.8)), bill, 0.08, 0.15
        )
        quacks.append((i * v.jitter(gap, 0.06), note * hump(length, 0.02, 0.5 * length) * (1 - 0.08 * i)))
    return finish(layout(number * gap + 0.2, quacks))


def owl_hoot(v: Voicing) -> Signal:
    """Hoots in the rhythm of an owl."""
    pitch = v.spread(310, 520)
    rhythm = v.pick(
        (
            ((0.0, 0.5), (1.1, 0.16), (1.35, 0.9)),
            ((0.0, 0.3), (0.45, 0.2), (0.75, 0.7)),
            ((0.0, 0.7), (1.2, 0.8)),
        )
    )
    hoots: list[tuple[float, Signal]] = []
    for at, length in rhythm:
        glide = (
            pitch
            * line(length, (0, 0.92), (0.2 * length, 1.0), (length, 0.9))
            * (1 + 0.012 * drift(v.rng, length, 14))
        )
        hoot = harmonics(glide, peaks((pitch, 0.6 * pitch, 1.0), floor=0.04), 3_000, 1.2) + 0.03 * noise(
            v.rng, length, band(200, 1_200)
        )
        hoots.append((at, hoot * hump(length, 0.06, 0.45 * length)))
    return finish(layout(2.5, hoots))


def frog_croak(v: Voicing) -> Signal:
    """Croaks: trains of pulses through a resonant sac."""
    rate, sac, length = v.spread(28, 75), v.spread(480, 1_500), v.spread(0.2, 0.5)
    croaks: list[tuple[float, Signal]] = []
    for i in range(v.count(2, 4)):
        train = pulses(length, rate * line(length, (0, 0.9), (length, 1.1)), 0.45)
        skin = noise(v.rng, length, peaks((sac, 0.16 * sac, 1.0), (2.4 * sac, 0.3 * sac, 0.5)))
        tint = tone(sac * (1 + 0.03 * drift(v.rng, length, 20)), length)
        croaks.append(
            (i * (length + v.between(0.15, 0.4)), (0.5 * skin + tint) * train * hump(length, 0.06, 0.08))
        )
    return finish(layout(3.2, croaks))


def chirp(v: Voicing, low: float, high: float, length: float) -> Signal:
    """One bird's syllable: a whistle that sweeps between ``low`` and ``high`` Hz and may trill."""
    ends = (low, high) if v.between(0, 1) < 0.5 else (high, low)
    middle = v.between(low, high)
    trill = 1 + v.pick((0.0, 0.05, 0.09)) * np.sin(2 * np.pi * v.between(25, 55) * clock(length))
    pitch = line(length, (0, ends[0]), (0.5 * length, middle), (length, ends[1])) * trill
    return (tone(pitch, length) + 0.08 * tone(2 * pitch, length)) * hump(length, 0.25 * length, 0.4 * length)


def bird_chirp(v: Voicing) -> Signal:
    """A small bird's phrase, sung twice."""
    low = v.spread(2_100, 3_900)
    phrase, at = list[tuple[float, Signal]](), 0.0
    for _ in range(v.count(3, 6)):
        length = v.between(0.05, 0.2)
        phrase.append((at, chirp(v, low, low * v.spread(1.2, 1.9), length) * v.between(0.6, 1.0)))
        at += length + v.between(0.02, 0.12)
    song = layout(at + 0.05, phrase)
    return finish(layout(2 * at + 0.8, [(0.0, song), (at + v.spread(0.3, 0.6), 0.9 * song)]))


def gull_cry(v: Voicing) -> Signal:
    """A gull's laughing call: long cries, then shorter ones."""
    pitch, at = v.spread(750, 1_300), 0.0
    cries: list[tuple[float, Signal]] = []
    for i in range(v.count(4, 6)):
        length = v.spread(0.35, 0.6) * 0.82**i
        glide = pitch * line(length, (0, 0.75), (0.25 * length, 1.15), (length, 0.8))
        cries.append(
            (
                at,
                voiced(v, glide, mouth((1_600, 2_900, 4_200), 1.0, 0.12), 0.05, 0.3)
                * hump(length, 0.04, 0.2 * length),
            )
        )
        at += length + 0.07
    return finish(layout(at + 0.2, cries))


def stridulation(v: Voicing, duration: float, pitch: float, rate: float, pulses_each: int) -> Signal:
    """A cricket's song: groups of ``pulses_each`` wing strokes at ``rate`` groups a second on ``pitch`` Hz."""
    strokes = hump(0.016, 0.006, 0.008)
    group = layout(
        0.024 * pulses_each + 0.02,
        [(0.024 * i, strokes * (0.6 + 0.4 * i / pulses_each)) for i in range(pulses_each)],
    )
    times = [max(0.0, i / rate + v.between(-0.01, 0.01)) for i in range(int(duration * rate))]
    envelope = layout(duration, [(at, group) for at in times])
    carrier = tone(pitch * (1 + 0.002 * drift(v.rng, duration, 9)), duration)
    return np.asarray(carrier[: frames(duration)] * envelope)


def cricket(v: Voicing) -> Signal:
    """One cricket nearby."""
    length = v.spread(1.8, 3.4)
    x = stridulation(v, length, v.spread(3_700, 5_600), v.spread(1.8, 4.2), v.pick((3, 4, 6)))
    return finish(x * hump(length, 0.1, 0.2))


SOUNDS = {
    "dog_bark": dog_bark,
    "cat_meow": cat_meow,
    "cow_moo": cow_moo,
    "sheep_bleat": sheep_bleat,
    "horse_neigh": horse_neigh,
    "pig_grunt": pig_grunt,
    "rooster_crow": rooster_crow,
    "duck_quack": duck_quack,
    "owl_hoot": owl_hoot,
    "frog_croak": frog_croak,
    "bird_chirp": bird_chirp,
    "gull_cry": gull_cry,
    "cricket": cricket,
}

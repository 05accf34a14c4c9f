"""Wordless human sounds: breath, coughs, laughter, crying, and a whistled tune."""

from __future__ import annotations

import numpy as np

from sonolake.audio.signals import Signal
from sonolake.sources.procedural.parts import (
    band,
    decay,
    drift,
    finish,
    hump,
    layout,
    line,
    noise,
    shape,
    tone,
)
from sonolake.sources.procedural.throat import VOWELS, breath, in_room, mouth, voiced
from sonolake.sources.procedural.voicing import Voicing


def _person(v: Voicing) -> tuple[float, float]:
    """Speaking pitch (Hz) and mouth length of one person, men and women in turn."""
    return (v.spread(95, 140), 1.0) if v.pick((True, False)) else (v.spread(175, 250), 0.86)


def draw_in(v: Voicing, size: float, length: float) -> Signal:
    """Air drawn in through a half open mouth: brighter towards the end."""
    air = breath(v, length, mouth((900, 1_900, 3_200), size, 0.1))
    bright = shape(air, band(1_500, 9_000)) * line(length, (0, 0.2), (length, 1.2))
    return (air + bright) * hump(length, 0.6 * length, 0.15 * length)


def let_out(v: Voicing, size: float, length: float) -> Signal:
    """Air let out: it starts at once and fades, darker towards the end."""
    air = breath(v, length, mouth((600, 1_400, 2_600), size, 0.08))
    return air * hump(length, 0.12 * length, 0.8 * length)


def inhale(v: Voicing) -> Signal:
    """One breath drawn in."""
    _, size = _person(v)
    return finish(draw_in(v, size, v.spread(0.4, 1.2)), 0.4)


def exhale(v: Voicing) -> Signal:
    """One breath let out."""
    _, size = _person(v)
    return finish(let_out(v, size, v.spread(0.6, 1.6)), 0.4)


def breathing(v: Voicing) -> Signal:
    """Two breaths in and out."""
    _, size = _person(v)
    part = v.spread(0.6, 0.95)
    cycle = [(0.0, draw_in(v, size, part)), (1.1 * part, 0.8 * let_out(v, size, 0.95 * part))]
    return finish(layout(4.2 * part, [(at + i * 2.15 * part, x) for i in range(2) for at, x in cycle]), 0.35)


def panting(v: Voicing) -> Signal:
    """Quick breaths of someone who ran."""
    pitch, size = _person(v)
    part = v.spread(0.17, 0.3)
    sounds: list[tuple[float, Signal]] = []
    for i in range(int(2.8 / (2 * part))):
        out = let_out(v, size, 0.9 * part)
        tint = voiced(v, np.full(out.size, pitch), mouth(VOWELS["ə"], size)) * hump(
            0.9 * part, 0.1 * part, 0.6 * part
        )
        at = i * v.jitter(2 * part, 0.03)
        sounds += [(at, 0.7 * draw_in(v, size, part)), (at + part, out + v.spread(0.05, 0.25) * tint)]
    return finish(layout(3.0, sounds), 0.45)


def sigh(v: Voicing) -> Signal:
    """A breath in, then a long one out with a falling, fading voice."""
    pitch, size = _person(v)
    length = v.spread(0.9, 1.6)
    fall = pitch * line(length, (0, 1.35), (length, 0.75))
    voice = voiced(v, fall, mouth(VOWELS["a"], size), 0.02) * hump(length, 0.1, 0.75 * length)
    out = let_out(v, size, length) + v.spread(0.15, 0.6) * voice
    gasp = v.spread(0.3, 0.6)
    return finish(layout(length + gasp + 0.1, [(0.0, 0.5 * draw_in(v, size, gasp)), (gasp + 0.04, out)]), 0.5)


def _cough(v: Voicing, pitch: float, size: float, length: float) -> Signal:
    """One cough: a burst as the glottis opens, then rough voice and air together."""
    throat = mouth((900, 1_700, 2_900), size, 0.06)
    burst = breath(v, 0.04, throat) * decay(0.04, 0.05, 0.0008)
    glide = pitch * line(length, (0, 0.75), (0.35 * length, 1.3), (length, 0.7))
    x = voiced(v, glide, throat, 0.2, 0.3) + v.between(0.35, 0.6) * breath(v, length, throat)
    return layout(length + 0.05, [(0.0, 0.5 * burst), (0.008, x * hump(length, 0.015, 0.6 * length))])


def cough(v: Voicing) -> Signal:
    """One to three coughs on one breath."""
    pitch, size = v.spread(390, 500), v.spread(0.7, 0.9)
    length, number, gap = v.spread(0.17, 0.24), v.pick((2, 1, 3)), v.spread(0.28, 0.42)
    coughs = [
        (i * gap, _cough(v, v.jitter(pitch, 0.05), size, length) * (1 - 0.15 * i)) for i in range(number)
    ]
    return finish(in_room(v, layout(number * gap + length + 0.25, coughs)), 0.8)


def clear_throat(v: Voicing) -> Signal:
    """A grating, half closed voice, twice: ahem."""
    pitch, size = _person(v)
    parts: list[tuple[float, Signal]] = []
    at = 0.0
    for length in (v.spread(0.14, 0.26), v.spread(0.25, 0.5)):
        creak = 0.6 * pitch * line(length, (0, 1.1), (length, 0.8))
        grate = voiced(v, creak, mouth((450, 1_300, 2_400), size, 0.04), 0.3, 0.4)
        rasp = breath(v, length, mouth((700, 1_600, 2_700), size, 0.1)) * (1 + 0.8 * drift(v.rng, length, 60))
        parts.append((at, (grate + 0.5 * rasp) * hump(length, 0.03, 0.09)))
        at += length + v.spread(0.05, 0.14)
    return finish(in_room(v, layout(at + 0.3, parts)), 0.6)


def _laughter(
    v: Voicing, pitch: float, size: float, vowel: str, rate: float, number: int, air: float
) -> Signal:
    """``number`` syllables at ``rate`` a second: a breath and a short falling voice each, softer and lower in turn."""
    length = 0.6 / rate
    resonance = mouth(VOWELS[vowel], size, 0.03)
    sounds: list[tuple[float, Signal]] = []
    at = 0.02
    for i in range(number):
        glide = line(length, (0, 1.15), (0.3 * length, 1.0), (length, 0.8))
        curve = pitch * (1.15 - 0.4 * i / number) * v.jitter(1, 0.06) * glide
        voice = voiced(v, curve, resonance, 0.03, 0.8) + 0.35 * air * breath(v, length, resonance)
        huff = breath(v, 0.5 / rate, mouth(VOWELS[vowel], size, 0.15)) * hump(
            0.5 / rate, 0.2 / rate, 0.25 / rate
        )
        level = (1 - 0.6 * i / number) * v.between(0.75, 1.0)
        sounds.append((at, level * air * huff))
        sounds.append((at + 0.28 / rate, level * voice * hump(length, 0.02, 0.5 * length)))
        at += v.jitter(1 / rate, 0.08)
    sounds.append((at + 0.05, 0.25 * draw_in(v, size, 0.35)))
    return in_room(v, layout(at + 0.6, sounds))


def laughs(v: Voicing) -> Signal:
    """An open laugh: ha ha ha."""
    pitch, size = v.spread(250, 370), v.spread(0.84, 1.0)
    return finish(_laughter(v, pitch, size, "a", v.spread(5.0, 5.9), v.count(6, 9), 0.4), 0.75)


def chuckle(v: Voicing) -> Signal:
    """A short laugh with the mouth nearly closed."""
    pitch, size = _person(v)
    return finish(
        _laughter(v, v.spread(1.2, 1.6) * pitch, size, "ə", v.spread(4.8, 5.6), v.count(3, 4), 0.6), 0.5
    )


def giggle(v: Voicing) -> Signal:
    """A high, quick laugh."""
    pitch, vowel = v.spread(330, 450), v.pick(("e", "a", "i"))
    return finish(_laughter(v, pitch, 0.84, vowel, v.spread(6.0, 7.4), v.count(8, 11), 0.4), 0.6)


def cry(v: Voicing) -> Signal:
    """A wail that wavers and breaks, then air drawn in."""
    pitch, size = _person(v)
    length = v.spread(1.3, 2.3)
    arch = line(length, (0, 1.5), (0.25 * length, v.spread(2.0, 2.7)), (length, 1.3))
    waver = 1 + 0.045 * np.sin(2 * np.pi * np.cumsum(5.5 + drift(v.rng, length, 3)) / 44_100)
    wail = voiced(v, pitch * arch * waver, mouth(VOWELS[v.pick(("a", "ə", "e"))], size), 0.03, 0.7)
    wail *= hump(length, 0.12, 0.5) * (0.75 + 0.25 * drift(v.rng, length, 7))
    sounds = [(0.0, wail), (length + 0.05, 0.4 * draw_in(v, size, 0.45))]
    return finish(in_room(v, layout(length + 0.7, sounds)), 0.7)


def sobbing(v: Voicing) -> Signal:
    """Sobs: jerky breaths in, short moans out."""
    pitch, size = _person(v)
    sounds: list[tuple[float, Signal]] = []
    at = 0.0
    for _ in range(3):
        for _ in range(v.count(2, 3)):
            sounds.append((at, 0.5 * draw_in(v, size, 0.14)))
            at += v.between(0.15, 0.2)
        length = v.spread(0.3, 0.55)
        moan = voiced(v, pitch * line(length, (0, 2.1), (length, 1.4)), mouth(VOWELS["ə"], size), 0.04, 0.8)
        sounds.append((at, moan * hump(length, 0.05, 0.6 * length) + 0.3 * let_out(v, size, length)))
        at += length + 0.1
    return finish(in_room(v, layout(at + 0.3, sounds)), 0.6)


def scream(v: Voicing) -> Signal:
    """A scream: very high, rough, sudden."""
    _, size = _person(v)
    length = v.spread(0.8, 1.8)
    arch = line(length, (0, 0.7), (0.12, 1.0), (0.7 * length, 1.05), (length, 0.75))
    rough = 1 + 0.35 * np.sin(2 * np.pi * v.spread(45, 110) * np.arange(arch.size) / 44_100)
    voice = voiced(v, v.spread(700, 1_350) * arch, mouth((1_000, 1_700, 3_200), size, 0.08), 0.03, 0.35)
    air = 0.25 * breath(v, length, mouth((1_100, 2_000, 3_300), size, 0.15))
    cry_out = (voice * rough + air) * hump(length, 0.05, 0.2)
    return finish(in_room(v, layout(length + 0.3, [(0.0, cry_out)])), 0.9)


def whistle(v: Voicing) -> Signal:
    """Someone whistles: a call of two glides, or a short tune."""
    base = v.spread(1_050, 1_900)
    steps = v.pick(((0, 12, 5), (0, 4, 7, 4, 0), (7, 5, 4, 0, 7), (0, 9)))
    length = v.spread(0.26, 0.42)
    total = length * len(steps) + 0.1
    points = [
        (length * (i + edge), base * 2 ** (step / 12))
        for i, step in enumerate(steps)
        for edge in (0.12, 0.82)
    ]
    pitch = line(total, *points) * (
        1 + 0.006 * np.sin(2 * np.pi * 5.5 * np.arange(round(total * 44_100)) / 44_100)
    )
    air = noise(v.rng, total, band(base, 6_000)) * 0.04
    gaps = layout(total, [(i * length, hump(0.97 * length, 0.03, 0.05)) for i in range(len(steps))])
    return finish((tone(pitch, total) + air) * gaps)


SOUNDS = {
    "vocal_breathing": breathing,
    "vocal_inhale": inhale,
    "vocal_exhale": exhale,
    "vocal_panting": panting,
    "vocal_sigh": sigh,
    "vocal_cough": cough,
    "vocal_clear_throat": clear_throat,
    "vocal_laughs": laughs,
    "vocal_chuckle": chuckle,
    "vocal_giggle": giggle,
    "vocal_cry": cry,
    "vocal_sobbing": sobbing,
    "vocal_scream": scream,
    "whistle": whistle,
}

"""Beds of the 13 locations: what is heard there when nothing happens in particular. 16 s each.

A bed is a sum of continuous layers and of small far events at random moments, at a steady level and without silence,
so that it can be looped.
"""

from __future__ import annotations

import numpy as np

from sonolake.audio.signals import Signal
from sonolake.sources.procedural.animals import chirp, stridulation
from sonolake.sources.procedural.bells import chime
from sonolake.sources.procedural.impacts import clock_ticks, knock
from sonolake.sources.procedural.nature import stream, wind
from sonolake.sources.procedural.parts import (
    Response,
    band,
    drift,
    finish,
    harmonics,
    hump,
    layout,
    line,
    noise,
    peaks,
    shape,
)
from sonolake.sources.procedural.signals import beep, horn
from sonolake.sources.procedural.throat import VOWELS, mouth, voiced
from sonolake.sources.procedural.traffic import car_pass, engine
from sonolake.sources.procedural.voicing import Voicing

LENGTH = 16.0
"""Seconds of every bed."""
_PEAK = 0.3
_FAR = band(80, 1_800, -2)


def _bed(x: Signal) -> Signal:
    """Finished, with edges faded so little that a loop's cross-fade hides them."""
    return finish(x, _PEAK, 0.01)


def _room_tone(v: Voicing, hum: float, level: float) -> Signal:
    """The hiss of air and mains hum (Hz) of a closed room."""
    air = noise(v.rng, LENGTH, band(60, 2_500, -5))
    mains = harmonics(np.full(air.size, hum), peaks((2 * hum, hum, 1.0), floor=0.2), 900, 1.2)
    return air + level * mains


def _scatter(v: Voicing, sounds: list[Signal], rate: float, low: float, high: float) -> Signal:
    """``sounds`` drawn at random, ``rate`` a second, at levels from ``low`` to ``high``."""
    moments = v.times(LENGTH, rate)
    return layout(
        LENGTH, [(at, sounds[v.count(0, len(sounds) - 1)] * v.between(low, high)) for at in moments]
    )


def _syllables(v: Voicing, people: int) -> list[Signal]:
    """Syllable-like voiced bits of several people: vowels on gliding pitches, no words."""
    bits: list[Signal] = []
    for _ in range(people):
        pitch, size = (v.between(95, 140), 1.0) if v.between(0, 1) < 0.5 else (v.between(170, 240), 0.86)
        for vowel in ("a", "e", "o", "ə"):
            length = v.between(0.12, 0.28)
            glide = pitch * line(length, (0, v.between(0.95, 1.25)), (length, v.between(0.8, 1.05)))
            bits.append(voiced(v, glide, mouth(VOWELS[vowel], size), 0.02, 1.0) * hump(length, 0.04, 0.07))
    return bits


def babble(v: Voicing, people: int, rate: float, far: Response = _FAR) -> Signal:
    """Many people talking at once, unintelligible: ``rate`` syllables a second in all, heard through ``far``."""
    voices = _scatter(v, _syllables(v, people), rate, 0.2, 1.0)
    return shape(voices, far)


def _unit(x: Signal) -> Signal:
    return np.asarray(x / max(float(np.sqrt(np.mean(x**2))), 1e-9))


def _birds(v: Voicing, rate: float, low: float, high: float) -> Signal:
    songs = [chirp(v, f := v.between(low, high), 1.4 * f, v.between(0.06, 0.22)) for _ in range(18)]
    return _scatter(v, songs, rate, 0.1, 1.0)


def _traffic(v: Voicing, cars: int, near: tuple[float, float]) -> Signal:
    """A far rumble and ``cars`` that pass at distances ``near`` (metres, from and to)."""
    passes = [
        (0.0, car_pass(v, LENGTH, v.between(9, 17), v.between(*near), v.between(0.5, LENGTH - 0.5)))
        for _ in range(cars)
    ]
    return noise(v.rng, LENGTH, band(35, 450, -4)) * (1 + 0.2 * drift(v.rng, LENGTH, 0.5)) * 0.7 + layout(
        LENGTH, passes
    )


def home_indoor(v: Voicing) -> Signal:
    """A refrigerator's hum, a clock, a street behind the window."""
    fridge = _room_tone(v, v.pick((50.0, 60.0)), v.spread(0.3, 1.2))
    ticks = clock_ticks(v, LENGTH, v.pick((1.0, 2.0, 1.0)), v.spread(1_700, 3_300))
    return _bed(fridge + v.spread(0.05, 0.3) * ticks + 0.4 * shape(_traffic(v, 2, (10, 20)), band(40, 350)))


def cafe_restaurant(v: Voicing) -> Signal:
    """Talk at many tables, and cups."""
    talk = _unit(babble(v, round(v.spread(6, 11)), v.spread(22, 50)))
    cups = [knock(v, v.between(1_300, 3_600), v.between(0.06, 0.25), 0.3) for _ in range(8)]
    return _bed(
        talk + 0.6 * _scatter(v, cups, v.spread(0.6, 1.8), 0.1, 0.7) + 0.35 * _room_tone(v, 50.0, 0.1)
    )


def street_traffic(v: Voicing) -> Signal:
    """Cars that pass, near and far, and a horn somewhere."""
    far_horn = shape(horn(v, (v.between(330, 430), v.between(430, 520)), 0.4, 1_100), band(100, 1_500))
    honk = layout(LENGTH, [(v.between(2, 13), far_horn * 0.05)])
    return _bed(_traffic(v, round(v.spread(4, 9)), (3, 9)) + honk)


def public_park(v: Voicing) -> Signal:
    """Leaves, birds, and people far away."""
    leaves = noise(v.rng, LENGTH, band(700, 6_500, -3)) * (0.7 + 0.3 * drift(v.rng, LENGTH, 0.4))
    talk = _unit(babble(v, 4, v.spread(4, 10), band(150, 1_200, -2)))
    town = noise(v.rng, LENGTH, band(40, 300, -3))
    return _bed(0.6 * leaves + 0.8 * town + 0.3 * talk + 0.7 * _birds(v, v.spread(1.5, 4.5), 2_300, 4_200))


def shopping_mall(v: Voicing) -> Signal:
    """A hall full of steps and voices, music too far to be made out."""
    talk = _unit(babble(v, 7, v.spread(18, 36), band(120, 1_500, -2)))
    steps = [knock(v, v.between(90, 220), 0.05, 0.8, 0.12) for _ in range(8)]
    tune = [np.full(8_820, v.between(260, 520)) for _ in range(10)]
    notes = [
        harmonics(pitch, peaks((700, 900, 1.0), floor=0.1), 3_000, 1.2) * hump(0.2, 0.02, 0.1)
        for pitch in tune
    ]
    music = layout(LENGTH, [(0.25 * i, notes[v.count(0, 9)]) for i in range(int(4 * LENGTH))])
    hall = noise(v.rng, LENGTH, band(70, 900, -3))
    return _bed(
        talk + 0.5 * hall + 0.5 * _scatter(v, steps, v.spread(3, 7), 0.1, 0.6) + 0.08 * shape(music, _FAR)
    )


def beach(v: Voicing) -> Signal:
    """Waves that come and go, and wind."""
    sea = noise(v.rng, LENGTH, band(60, 900, -2))
    foam = noise(v.rng, LENGTH, band(900, 9_000, -2))
    period = v.spread(3.4, 5.6)
    swell = 0.5 - 0.5 * np.cos(2 * np.pi * np.cumsum(1 / period + 0.03 * drift(v.rng, LENGTH, 0.3)) / 44_100)
    return _bed(sea * (0.35 + 0.65 * swell) + 0.8 * foam * swell**3 + 0.3 * wind(v, LENGTH, 260, 0.4, 0.1))


def car(v: Voicing) -> Signal:
    """Engine, tyres and the wind of a car at a steady speed."""
    speed = 1 + 0.05 * drift(v.rng, LENGTH, 0.3)
    drive = engine(v, v.spread(55, 100) * speed, 4, 0.05)
    tyres = noise(v.rng, LENGTH, band(50, v.spread(350, 800), -3)) * (1 + 0.15 * drift(v.rng, LENGTH, 3))
    air = noise(v.rng, LENGTH, band(800, 5_000, -3)) * v.spread(0.1, 0.35)
    return _bed(v.spread(0.3, 0.8) * drive + tyres + air)


def construction_site(v: Voicing) -> Signal:
    """A diesel, hammers, and a far saw."""
    diesel = engine(v, v.spread(28, 48) * (1 + 0.04 * drift(v.rng, LENGTH, 0.5)), 4, 0.5)
    blows = [knock(v, v.between(180, 900), v.between(0.05, 0.2), 0.8) for _ in range(6)]
    hammers = layout(
        LENGTH, [(i * v.jitter(0.55, 0.05), blows[i % 6] * v.between(0.2, 0.9)) for i in range(28)]
    )
    turn = v.spread(190, 340) * line(LENGTH, *((float(i), 0.7 + 0.3 * v.between(0, 1)) for i in range(17)))
    grinder = harmonics(turn, peaks((1_600, 1_600, 1.0), floor=0.1), 6_000, 0.8)
    return _bed(
        diesel + 0.9 * hammers + 0.35 * _unit(grinder) + 0.6 * noise(v.rng, LENGTH, band(60, 1_500, -3))
    )


def rural(v: Voicing) -> Signal:
    """Wind over fields, birds, insects, a tractor on the horizon."""
    insects = noise(v.rng, LENGTH, peaks((v.spread(4_200, 6_800), 900, 1.0))) * (
        0.7 + 0.3 * drift(v.rng, LENGTH, 12)
    )
    tractor = shape(engine(v, np.full(insects.size, v.spread(18, 34)), 4, 0.2), band(40, 350))
    air = wind(v, LENGTH, v.spread(180, 340), 0.35, 0.05)
    return _bed(air + 0.12 * insects + 0.35 * tractor + 0.8 * _birds(v, v.spread(0.8, 3.0), 1_900, 3_800))


def nighttime_nature(v: Voicing) -> Signal:
    """Crickets near and far, a brook, still air."""
    near = stridulation(v, LENGTH, v.spread(4_000, 5_200), v.spread(2.0, 3.6), v.pick((3, 4)))
    far = sum(
        (
            v.between(0.1, 0.4) * stridulation(v, LENGTH, v.between(3_600, 5_600), v.between(1.8, 4), 3)
            for _ in range(4)
        ),
        start=np.zeros(near.size),
    )
    brook = stream(v, LENGTH, 300, 3_500, v.spread(5, 22))
    return _bed(
        0.5 * near + far + v.spread(0.06, 0.25) * brook + 0.15 * noise(v.rng, LENGTH, band(50, 400, -4))
    )


def airport(v: Voicing) -> Signal:
    """A wide hall: voices, wheels, ventilation, a chime now and then."""
    talk = _unit(babble(v, 7, v.spread(14, 30), band(130, 1_400, -2)))
    vents = noise(v.rng, LENGTH, band(60, 1_100, -4))
    wheels = noise(v.rng, LENGTH, band(120, 1_600, -2)) * np.clip(drift(v.rng, LENGTH, 0.4), 0, 1)
    call = shape(chime(v, (v.between(420, 560), v.between(560, 720)), 0.4, 2.6), band(200, 2_500))
    return _bed(talk + vents + 0.5 * wheels + layout(LENGTH, [(v.between(1, 12), v.spread(0.5, 1.2) * call)]))


def train_station(v: Voicing) -> Signal:
    """A reverberant hall: voices, a train that rolls in, brakes far away."""
    talk = _unit(babble(v, 6, v.spread(12, 26), band(120, 1_200, -2)))
    moment = v.between(5, 11)
    arrival = line(LENGTH, (0, 0.3), (moment - 3, 0.5), (moment, 1.2), (moment + 3, 0.6), (LENGTH, 0.4))
    joints = [(max(0.0, moment - 4 + 0.42 * i), knock(v, 130, 0.12, 0.5)) for i in range(16)]
    train = noise(v.rng, LENGTH, band(40, 700, -3)) * arrival + layout(LENGTH, joints)
    return _bed(talk + train + 0.5 * noise(v.rng, LENGTH, band(80, 1_000, -3)))


def office(v: Voicing) -> Signal:
    """Ventilation, keys, a low conversation, a printer's beep."""
    vents = _room_tone(v, 50.0, v.spread(0.1, 0.4))
    keys = [knock(v, v.between(700, 1_800), 0.02, 0.9, 0.07) for _ in range(10)]
    typing = _scatter(v, keys, v.spread(4, 11), 0.05, 0.5)
    talk = _unit(babble(v, 2, v.spread(2.5, 6), band(150, 900, -2)))
    far_beep = layout(LENGTH, [(v.between(1, 14), 0.06 * beep(v.between(900, 1_700), 0.15))])
    return _bed(vents + 0.6 * typing + v.spread(0.1, 0.4) * talk + far_beep)


SOUNDS = {
    f"{generator.__name__}_ambience": generator
    for generator in (
        home_indoor,
        cafe_restaurant,
        street_traffic,
        public_park,
        shopping_mall,
        beach,
        car,
        construction_site,
        rural,
        nighttime_nature,
        airport,
        train_station,
        office,
    )
}

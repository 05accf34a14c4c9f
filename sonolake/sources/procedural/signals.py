"""Devices that call for attention: beeps, rings, alarms and horns."""

from __future__ import annotations

import numpy as np

from sonolake.audio.signals import Signal
from sonolake.sources.procedural.parts import (
    band,
    clock,
    decay,
    drift,
    finish,
    harmonics,
    hump,
    layout,
    line,
    modes,
    noise,
    peaks,
    pulses,
    shape,
    tone,
)
from sonolake.sources.procedural.voicing import Voicing


def beep(pitch: float, duration: float, harmonic: float = 0.3) -> Signal:
    """A piezo buzzer's note: a sine with some of its odd harmonics."""
    x = (
        tone(pitch, duration)
        + harmonic * tone(3 * pitch, duration)
        + 0.4 * harmonic * tone(5 * pitch, duration)
    )
    return np.asarray(x * hump(duration, 0.004, 0.006))


def beeps(v: Voicing, pitch: float, length: float, gap: float, number: int) -> Signal:
    """The same beep ``number`` times, one every ``gap`` seconds."""
    one = beep(pitch, length, v.spread(0.05, 0.5))
    return finish(layout((number - 1) * gap + length + 0.05, [(i * gap, one) for i in range(number)]))


def microwave_beep(v: Voicing) -> Signal:
    """The end signal of a microwave oven."""
    return beeps(v, v.spread(1_900, 2_900), v.spread(0.18, 0.6), v.spread(0.7, 1.0), v.count(3, 4))


def checkout_beep(v: Voicing) -> Signal:
    """A scanner at a checkout: short beeps at a cashier's pace."""
    return beeps(v, v.spread(1_500, 2_600), v.spread(0.08, 0.16), v.spread(0.55, 1.1), v.count(2, 4))


def scanner_beep(v: Voicing) -> Signal:
    """A boarding pass scanner: a double beep, the second note higher or lower."""
    pitch, length = v.spread(900, 1_700), v.spread(0.09, 0.2)
    second = pitch * v.pick((1.26, 1.5, 0.8))
    return finish(layout(0.8, [(0, beep(pitch, length)), (length + 0.04, beep(second, 1.4 * length))]))


def alarm_clock(v: Voicing) -> Signal:
    """A bedside alarm: groups of quick beeps, or a ringing hammer between two domes."""
    if v.pick((True, False, True)):
        pitch, rate = v.spread(1_900, 3_200), v.spread(6, 11)
        group = layout(4 / rate, [(i / rate, beep(pitch, 0.55 / rate, 0.5)) for i in range(4)])
        return finish(layout(3.4, [(i * (4 / rate + 0.3), group) for i in range(6)]))
    rate, pitch = v.spread(17, 27), v.spread(1_500, 2_600)
    domes = [
        modes(0.5, [(pitch * r, a, 0.5) for r, a in ((q, 1.0), (2.7 * q, 0.6), (5.2 * q, 0.3))])
        for q in (1, 1.06)
    ]
    return finish(layout(3.2, [(i / rate, domes[i % 2]) for i in range(int(2.8 * rate))]), fade=0.02)


def phone_ring(v: Voicing) -> Signal:
    """A telephone: an old bell, a warbling handset or a small melody."""
    style = v.pick(("warble", "melody", "bell"))
    if style == "bell":
        bell = [
            modes(0.6, [(f, 1.0, 0.7), (2.1 * f, 0.5, 0.5), (3.9 * f, 0.3, 0.3)])
            for f in (v.spread(900, 1_500), 1_240)
        ]
        return finish(layout(3.0, [(i / 20, bell[i % 2]) for i in range(40)]), fade=0.03)
    if style == "warble":
        low, rate = v.spread(800, 1_500), v.spread(9, 17)
        pitch = np.where(np.mod(clock(1.1) * rate, 1) < 0.5, low, low * v.spread(1.15, 1.4))
        ring = tone(pitch, 1.1) * hump(1.1, 0.02, 0.05)
        return finish(layout(3.2, [(0.0, ring), (1.7, ring)]))
    base = v.spread(520, 900)
    notes = [base * 2 ** (step / 12) for step in v.rng.permutation([0, 4, 7, 12, 9, 7])]
    melody = [(0.16 * i, beep(note, 0.22, 0.15) * decay(0.22, 0.5)) for i, note in enumerate(notes)]
    phrase = layout(1.3, melody)
    return finish(layout(3.0, [(0.0, phrase), (1.5, phrase)]))


def phone_vibration(v: Voicing) -> Signal:
    """A phone that buzzes on a table: the motor's hum and the table's rattle."""
    pitch, length = v.spread(120, 210), v.spread(0.5, 1.1)
    curve = line(length, (0, 0.5 * pitch), (0.08, pitch), (length, pitch)) * (
        1 + 0.02 * drift(v.rng, length, 9)
    )
    hum = harmonics(
        curve, peaks((pitch, 120, 1.0), (420, 300, 0.8), (900, 700, 0.35), floor=0.03), 4_000, 0.4
    )
    rattle = (
        noise(v.rng, length, band(600, 5_000))
        * pulses(length, curve, 0.3)
        * (0.6 + 0.4 * drift(v.rng, length, 15))
    )
    buzz = (hum / np.abs(hum).max() + 0.12 * rattle) * hump(length, 0.03, 0.04)
    gap = v.spread(0.35, 0.8)
    return finish(layout(2 * length + gap + 0.1, [(0.0, buzz), (length + gap, buzz)]))


def turn_signal(v: Voicing) -> Signal:
    """The relay of a turn signal: tick, tock."""
    rate, pitch = v.spread(1.2, 1.8), v.spread(1_400, 2_600)
    tick = layout(
        0.06,
        [
            (0, modes(0.06, [(pitch, 1, 0.03), (2.3 * pitch, 0.6, 0.02)])),
            (0, noise(v.rng, 0.004, band(800, 9_000))),
        ],
    )
    tock = layout(0.06, [(0, modes(0.06, [(0.7 * pitch, 0.8, 0.04), (1.6 * pitch, 0.4, 0.02)]))])
    return finish(layout(3.4, [(i * 0.5 / rate, tock if i % 2 else tick) for i in range(int(6.4 * rate))]))


def seatbelt_chime(v: Voicing) -> Signal:
    """Repeated soft notes of a dashboard."""
    pitch, gap = v.spread(620, 1_300), v.spread(0.45, 0.9)
    note = modes(0.8, [(pitch, 1.0, v.spread(0.5, 1.2)), (2 * pitch, 0.25, 0.4), (3 * pitch, 0.1, 0.3)])
    return finish(layout(3.2, [(i * gap, note) for i in range(int(2.6 / gap))]))


def reversing_beep(v: Voicing) -> Signal:
    """The reversing alarm of a truck: a loud tone half of the time."""
    return beeps(v, v.spread(1_000, 1_500), v.spread(0.35, 0.5), v.spread(0.8, 1.1), 4)


def door_closing_beep(v: Voicing) -> Signal:
    """The warning before train doors close."""
    style = v.pick(("fast", "falling", "two"))
    pitch = v.spread(900, 1_900)
    if style == "fast":
        return beeps(v, pitch, 0.08, 0.16, 14)
    if style == "falling":
        return beeps(v, 0.8 * pitch, 0.3, 0.42, 6)
    pair = layout(0.5, [(0.0, beep(pitch, 0.22)), (0.25, beep(0.79 * pitch, 0.22))])
    return finish(layout(2.2, [(0.55 * i, pair) for i in range(4)]))


def fire_alarm(v: Voicing) -> Signal:
    """A smoke alarm in temporal pattern 3 (ISO 8201: three half-second tones and a pause), or a sweeping sounder."""
    if v.pick((True, False)):
        one = beep(v.spread(2_700, 3_500), 0.5, 0.4)
        return finish(layout(3.6, [(0.0, one), (1.0, one), (2.0, one)]))
    low, rate = v.spread(500, 900), v.spread(1.5, 4)
    sweep = low * (1 + 0.9 * np.mod(clock(3.4) * rate, 1.0))
    return finish(harmonics(sweep, peaks((1_500, 2_500, 1.0), floor=0.2), 8_000, 0.7), fade=0.02)


def horn(v: Voicing, notes: tuple[float, ...], duration: float, bright: float) -> Signal:
    """Several horns sounded together; ``bright`` is where their spectrum is strongest, Hz."""
    x = np.zeros(clock(duration).size)
    for note in notes:
        pitch = (
            note
            * (1 + 0.003 * drift(v.rng, duration, 6))
            * line(duration, (0, 0.97), (0.05, 1.0), (duration, 1.0))
        )
        x += harmonics(
            pitch, peaks((bright, 1.4 * bright, 1.0), (2.4 * bright, bright, 0.5), floor=0.05), 7_000, 0.35
        )
    return np.asarray(x * hump(duration, 0.025, 0.06))


def car_horn(v: Voicing) -> Signal:
    """A car's two-tone horn, one long or two short."""
    low = v.spread(330, 440)
    notes, bright = (low, low * v.pick((1.2, 1.26, 1.19))), v.spread(900, 1_900)
    if v.pick((True, False, False)):
        return finish(horn(v, notes, v.spread(0.7, 1.5), bright))
    short = horn(v, notes, v.spread(0.16, 0.3), bright)
    return finish(layout(0.95, [(0.0, short), (v.spread(0.35, 0.5), short)]))


def train_horn(v: Voicing) -> Signal:
    """An air horn's chord, and the hall it fills."""
    base = v.spread(260, 390)
    chord = (base, base * 1.19, base * 1.335) if v.pick((True, False)) else (base, base * 1.26)
    blast = horn(v, chord, v.spread(0.9, 1.7), v.spread(700, 1_300))
    return finish(
        layout(2.9, [(0.0, blast), (0.11, 0.25 * blast), (0.23, 0.15 * blast), (0.41, 0.08 * blast)])
    )


def boat_horn(v: Voicing) -> Signal:
    """A ship's low horn and its echo over the water."""
    blast = horn(v, (v.spread(85, 160),), v.spread(1.6, 2.5), v.spread(300, 650))
    return finish(layout(3.8, [(0.0, blast), (0.7, 0.15 * shape(blast, band(50, 600)))]), fade=0.02)


SOUNDS = {
    "microwave_beep": microwave_beep,
    "checkout_beep": checkout_beep,
    "scanner_beep": scanner_beep,
    "alarm_clock": alarm_clock,
    "phone_ring": phone_ring,
    "phone_vibration": phone_vibration,
    "turn_signal": turn_signal,
    "seatbelt_chime": seatbelt_chime,
    "reversing_beep": reversing_beep,
    "door_closing_beep": door_closing_beep,
    "fire_alarm": fire_alarm,
    "car_horn": car_horn,
    "train_horn": train_horn,
    "boat_horn": boat_horn,
}

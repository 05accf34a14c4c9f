"""The voice made even and clear before it is mixed: high pass, equaliser, compressor (as in the published CARES code).

At the same loudness a compressor takes loud syllables down and quiet words up, away from the ambience. It reads the
level in steps of a millisecond: the highest sample, held and let go with the release time, then smoothed with the
attack time (the decoupled peak detector of Giannoulis, Massberg and Reiss, JAES 60(6), 2012).
"""

from __future__ import annotations

import math

import numpy as np

from sonolake.audio.levels import db_to_gain
from sonolake.audio.recursive import filtered
from sonolake.audio.signals import Signal
from sonolake.cares.filters import pass_section, peak_section
from sonolake.cares.settings import Compressor, MixSettings

STEP_S = 0.001
"""How often the level is read."""
FLOOR_DB = -120.0
"""What silence is read as."""


def through_chain(x: Signal, rate: int, settings: MixSettings) -> Signal:
    """A turn as it was spoken, ``(frames,)`` at ``rate`` Hz, after the chain.

    The compressor takes it as if it were at the voice's level, so a quiet recording is made as even as a loud one. That
    level is rounded, and no dot product of a library whose last digits depend on how many threads it has.
    """
    sections = [pass_section("high", settings.high_pass_hz, rate)]
    sections += [peak_section(hz, gain_db, rate) for hz, gain_db in settings.equaliser]
    y = filtered(np.concatenate(sections), x)
    power = float(np.einsum("n,n->", y, y)) / max(1, len(y))
    if not power > 0:
        return y
    return compressed(y, rate, settings.compressor, round(10 * math.log10(power) - settings.voice_lufs, 6))


def compressed(x: Signal, rate: int, by: Compressor, above_db: float = 0.0) -> Signal:
    """``x`` with what is over the threshold lowered.

    Args:
        x: ``(frames,)``.
        rate: Hz.
        by: threshold, ratio and times.
        above_db: how much louder ``x`` is than at the level that the threshold is meant for.
    """
    if not len(x):
        return x
    step = max(1, round(STEP_S * rate))
    peaks = np.maximum.reduceat(np.abs(x), np.arange(0, len(x), step))
    level_db = 20 * np.log10(np.maximum(peaks, db_to_gain(FLOOR_DB + above_db))) - above_db
    over = np.maximum(0.0, _let_go(level_db, step / rate, by.release_s) - by.threshold_db)
    lowered_db = _smoothed(over, step / rate, by.attack_s) * (1 - 1 / by.ratio)
    gains = 10.0 ** (-np.append(lowered_db, lowered_db[-1:]) / 20)
    into = np.arange(step) / step
    curve = np.stack([gains[:-1], gains[1:]], axis=1) @ np.stack([1.0 - into, into])
    heard: Signal = curve.ravel()[: len(x)]
    heard *= x
    return heard


def _let_go(level_db: Signal, step_s: float, release_s: float) -> Signal:
    """The highest level so far, falling by a factor of e in ``release_s``."""
    fall = 20 / math.log(10) * step_s / release_s * np.arange(len(level_db))
    held: Signal = np.maximum.accumulate(level_db + fall) - fall
    return held


def _smoothed(x: Signal, step_s: float, time_s: float) -> Signal:
    """A low pass of the first order."""
    keep = math.exp(-step_s / time_s)
    return filtered(np.array([[1 - keep, 0.0, 0.0, 1.0, -keep, 0.0]]), x)

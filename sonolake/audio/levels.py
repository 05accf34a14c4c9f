"""Levels: decibels, peaks, gains and fades.

0 dBFS is a sample of magnitude 1.0. Gains that end up in data sets are rounded to 0.01 dB, so that a rounding
difference in a meter between two processors cannot reach the samples.
"""

from __future__ import annotations

import math

import numpy as np

from sonolake.audio.signals import Kind, Real, Signal
from sonolake.errors import InvalidInput, ItemRefused

_PIECE = 1 << 16
"""Samples looked at at a time, few enough to stay in a processor's cache."""


def db_to_gain(db: float) -> float:
    """Amplitude ratio of ``db``: ``10 ** (db / 20)``; minus infinity is 0."""
    return float(10.0 ** (db / 20.0))


def gain_to_db(gain: float) -> float:
    """Level in dB of an amplitude ratio; 0 is minus infinity.

    Raises:
        InvalidInput: for a negative or non-finite ratio.
    """
    if not math.isfinite(gain) or gain < 0:
        raise InvalidInput("gain", "a finite amplitude ratio >= 0", gain)
    return 20.0 * math.log10(gain) if gain > 0 else -math.inf


def round_db(db: float) -> float:
    """``db`` rounded to 0.01 dB, half to even."""
    return round(db, 2)


def apply_gain(x: Real, gain_db: float) -> Real:
    """``x`` times ``gain_db``; 0 dB returns the samples unchanged."""
    return x if gain_db == 0 else x * db_to_gain(gain_db)


def peak(x: Real) -> float:
    """Largest magnitude over all channels, 0.0 for no frames; NaN when a sample is."""
    flat = x.ravel(order="K")
    pieces = (flat[first : first + _PIECE] for first in range(0, len(flat), _PIECE))
    return float(np.max([max(piece.max(), -piece.min()) for piece in pieces], initial=0.0))


def peak_dbfs(x: Signal) -> float:
    """Sample peak over all channels in dBFS; minus infinity for digital silence."""
    return gain_to_db(peak(x))


def rms_dbfs(x: Signal) -> float:
    """Root mean square over all samples in dBFS (a full-scale square wave is 0), minus infinity for silence."""
    return gain_to_db(math.sqrt(float(np.mean(np.square(x))))) if x.size else -math.inf


def fade_curve(frames: int) -> Signal:
    """A raised-cosine rise of ``frames`` samples inside (0, 1): ``sin²(pi (n + 1/2) / (2 frames))``.

    The curve and its reverse add up to 1.
    """
    return np.sin(np.pi * (np.arange(frames) + 0.5) / (2 * max(frames, 1))) ** 2


def fade(x: Signal, rate: int, fade_in_s: float, fade_out_s: float, kept: Kind = np.float64) -> Real:
    """``x`` with raised-cosine fades at its ends, each shortened to the signal's length; kept in a precision.

    Raises:
        InvalidInput: for a negative duration.
    """
    if fade_in_s < 0 or fade_out_s < 0:
        raise InvalidInput("fade", "durations >= 0 s", (fade_in_s, fade_out_s))
    y: Real = x.astype(kept)
    rise, fall = (min(round(s * rate), len(x)) for s in (fade_in_s, fade_out_s))
    shape = (-1,) + (1,) * (x.ndim - 1)
    y[:rise] *= fade_curve(rise).reshape(shape)
    y[len(x) - fall :] *= fade_curve(fall)[::-1].reshape(shape)
    return y


def trim(x: Signal, under_peak_db: float) -> Signal:
    """Mono ``x`` from the first to the last sample within ``under_peak_db`` of its peak.

    Raises:
        ItemRefused: ``silent`` when there is none.
    """
    level = np.abs(x)
    top = float(level.max(initial=0.0))
    if not top > 0.0:
        raise ItemRefused("silent", "the take has no sound")
    loud = np.flatnonzero(level >= top * db_to_gain(-under_peak_db))
    return x[loud[0] : loud[-1] + 1]


def pcm16_ceiling(dbfs: float) -> float:
    """The highest step of 16 bits up to ``dbfs``, in dBFS: what is limited to it stays there when quantised."""
    return gain_to_db(math.floor(db_to_gain(dbfs) * 32768) / 32768)

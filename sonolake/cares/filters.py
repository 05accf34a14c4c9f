"""Second-order filters after R. Bristow-Johnson's audio EQ cookbook, and where a signal is active."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from sonolake.audio.levels import db_to_gain, peak
from sonolake.audio.recursive import filtered
from sonolake.audio.signals import Kind, Real, Signal

BUTTERWORTH_Q = 0.5**0.5
AS_LOUD_DB = 0.2


@lru_cache(maxsize=64)
def pass_section(kind: str, hz: float, rate: int) -> Signal:
    """One section ``(1, 6)``: ``low`` or ``high`` pass of quality 0.7071, 12 dB an octave."""
    w = 2 * math.pi * hz / rate
    alpha, cos = math.sin(w) / (2 * BUTTERWORTH_Q), math.cos(w)
    b1 = 1 - cos if kind == "low" else -(1 + cos)
    b = np.array([abs(b1) / 2, b1, abs(b1) / 2])
    a = np.array([1 + alpha, -2 * cos, 1 - alpha])
    return np.concatenate([b / a[0], a / a[0]])[None, :]


@lru_cache(maxsize=64)
def peak_section(hz: float, gain_db: float, rate: int) -> Signal:
    """One section ``(1, 6)``: ``gain_db`` at ``hz``, of quality 0.7071, so about an octave to either side."""
    w, amplitude = 2 * math.pi * hz / rate, 10 ** (gain_db / 40)
    alpha, cos = math.sin(w) / (2 * BUTTERWORTH_Q), math.cos(w)
    b = np.array([1 + alpha * amplitude, -2 * cos, 1 - alpha * amplitude])
    a = np.array([1 + alpha / amplitude, -2 * cos, 1 - alpha / amplitude])
    return np.concatenate([b / a[0], a / a[0]])[None, :]


def low_pass(x: Signal, rate: int, hz: float, kept: Kind = np.float64) -> Real:
    """12 dB an octave above ``hz``; above 0.45 of the rate nothing is filtered. The result may be kept in single
    precision.
    """
    if hz >= 0.45 * rate:
        return x.astype(kept, copy=False)
    return filtered(pass_section("low", hz, rate), x, kept)


def high_pass(x: Signal, rate: int, hz: float) -> Signal:
    """12 dB an octave below ``hz``."""
    return filtered(pass_section("high", hz, rate), x)


def rises_at(x: Signal, under_peak_db: float) -> int:
    """First sample whose magnitude is within ``under_peak_db`` of the peak; 0 for silence."""
    threshold = peak(x) * db_to_gain(-under_peak_db)
    return int(np.argmax(np.abs(x) >= threshold)) if threshold > 0 else 0


def falls_at(x: Signal, under_peak_db: float) -> int:
    """One past the last sample whose magnitude is within ``under_peak_db`` of the peak; the length for silence."""
    return len(x) - rises_at(x[::-1], under_peak_db)


def loudest(x: Signal, frames: int, near: int | None = None) -> int:
    """Start of the ``frames`` of most energy; negative when ``x`` is shorter, so that it lies in the middle.

    With ``near``, the start closest to it among those within :data:`AS_LOUD_DB` of the most: a row of equal beeps has
    several loudest moments.
    """
    if len(x) <= frames:
        return -((frames - len(x)) // 2)
    energy = np.concatenate([[0.0], np.cumsum(np.square(x))])
    energy = energy[frames:] - energy[:-frames]
    if near is None:
        return int(np.argmax(energy))
    starts = np.flatnonzero(energy >= energy.max() * 10 ** (-AS_LOUD_DB / 10))
    return int(starts[np.argmin(np.abs(starts - near))])


def quietest(x: Signal, first: int, last: int, frames: int) -> int:
    """Middle of the ``frames`` of least energy within ``x[first:last]``."""
    part = x[first:last]
    if len(part) <= frames:
        return (first + last) // 2
    energy = np.concatenate([[0.0], np.cumsum(np.square(part))])
    return first + int(np.argmin(energy[frames:] - energy[:-frames])) + frames // 2


def active(x: Real, rate: int, under_peak_db: float = 45.0, step_s: float = 0.005) -> tuple[int, int]:
    """First and one past the last sample that is heard: steps within ``under_peak_db`` of the loudest step."""
    step = max(1, round(step_s * rate))
    whole = len(x) // step
    if whole < 1:
        return 0, len(x)
    steps = x[: whole * step].reshape(whole, step)
    power = np.vecdot(steps, steps)
    heard = np.flatnonzero(power > power.max() * 10 ** (-under_peak_db / 10))
    if not heard.size:
        return 0, len(x)
    return int(heard[0]) * step, min(len(x), (int(heard[-1]) + 1) * step)

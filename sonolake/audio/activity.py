"""Where in a signal something is heard: its rise and fall, its loudest and quietest moments, its active part."""

from __future__ import annotations

import numpy as np

from sonolake.audio.levels import db_to_gain, peak
from sonolake.audio.signals import Real, Signal

AS_LOUD_DB = 0.2


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

"""True peak after ITU-R BS.1770-4 annex 2: the highest value between the samples, by fourfold oversampling.

Only stretches that can hold the maximum are interpolated: an interpolated value is at most the sum of the filter's
magnitudes times the largest sample it reaches, so quiet stretches are skipped without changing the answer.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from sonolake.audio.levels import gain_to_db, peak
from sonolake.audio.signals import Signal, check_rate

OVERSAMPLING = 4
HALF_TAPS = 12
"""Input samples the interpolator reaches to each side."""
STRETCH = 256
FIRST = 16
"""So many of the highest stretches are interpolated before others are ruled out."""


def true_peak_dbtp(x: Signal, rate: int) -> float:
    """True peak over all channels in dBTP, never under the sample peak; minus infinity for silence.

    Args:
        x: ``(frames,)`` or ``(frames, channels)``.
        rate: Hz; at 96 kHz and more the samples are dense enough to be taken as they are (annex 2 asks for 192 kHz
            after oversampling: they are doubled).

    Raises:
        InvalidInput: for a bad rate.
    """
    check_rate(rate)
    phases = _phases(OVERSAMPLING if rate < 96_000 else OVERSAMPLING // 2)
    best = peak(x)
    if best > 0:
        for channel in x.reshape(len(x), -1).T:
            best = max(best, _channel_peak(np.ascontiguousarray(channel), phases, best))
    return gain_to_db(best)


@lru_cache(maxsize=2)
def _phases(factor: int) -> Signal:
    """Fractional delays, ``(factor - 1, 2 * HALF_TAPS)``: a Kaiser-windowed sinc of unit gain at 0 Hz."""
    fractions = np.arange(1, factor) / factor
    t = np.arange(-HALF_TAPS + 1, HALF_TAPS + 1) - fractions[:, None]
    window = np.i0(7.0 * np.sqrt(np.clip(1 - (t / HALF_TAPS) ** 2, 0, None))) / np.i0(7.0)
    taps: Signal = np.sinc(t) * window
    taps /= taps.sum(axis=1, keepdims=True)
    return taps


def _channel_peak(x: Signal, phases: Signal, best: float) -> float:
    """The largest interpolated magnitude, or ``best`` when none exceeds it."""
    tops = _tops(x)
    around = np.maximum(tops, np.maximum(np.r_[tops[1:], 0.0], np.r_[0.0, tops[:-1]]))
    bound = around * np.abs(phases).sum(axis=1).max()
    for index in np.argsort(-bound, kind="stable")[:FIRST]:
        best = max(best, _interpolated(x, index, index + 1, phases))
    left = np.flatnonzero(np.diff(np.r_[0, bound > best, 0]))
    for first, last in left.reshape(-1, 2).tolist():
        best = max(best, _interpolated(x, first, last, phases))
    return best


def _tops(x: Signal) -> Signal:
    """Largest magnitude of each stretch, the last one being shorter."""
    whole = len(x) // STRETCH
    body = x[: whole * STRETCH].reshape(whole, STRETCH)
    return np.append(np.maximum(body.max(axis=1), -body.min(axis=1)), peak(x[whole * STRETCH :]))


def _interpolated(x: Signal, first: int, last: int, phases: Signal) -> float:
    """The largest magnitude between the samples of some stretches, silence being around ``x``."""
    start, stop = first * STRETCH - HALF_TAPS + 1, min(last * STRETCH, len(x)) + HALF_TAPS
    part = np.pad(x[max(0, start) : stop], (max(0, -start), max(0, stop - len(x))))
    return max(peak(np.correlate(part, taps)) for taps in phases)

"""True peak after ITU-R BS.1770-4 annex 2: the highest value between the samples, by fourfold oversampling.

Only stretches that can hold the maximum are interpolated: an interpolated value is at most the sum of the filter's
magnitudes times the largest sample it reaches, so quiet stretches are skipped without changing the answer.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from sonolake.audio.encode import Pcm16
from sonolake.audio.levels import gain_to_db, peak
from sonolake.audio.signals import Signal, check_rate

OVERSAMPLING = 4
HALF_TAPS = 12
"""Input samples the interpolator reaches to each side."""
ROW = 16
"""Samples of a stretch, interpolated by one row of a product of matrices; it sees the taps around them, too."""
FIRST, HIGH = 64, 0.9
"""So many stretches with a sample this near the highest are interpolated before others are ruled out."""
ROWS = 2048
"""Rows of one product, few enough to stay in a processor's cache."""
NEARLY = 1 - 1e-4
"""Rows whose peak in single precision is within this of the highest are worked out in double."""

Samples = Signal | Pcm16 | NDArray[Any]
"""Float samples, or PCM of 16 bits."""


def true_peak_dbtp(x: Samples, rate: int) -> float:
    """True peak over all channels in dBTP, never under the sample peak; minus infinity for silence.

    Args:
        x: ``(frames,)`` or ``(frames, channels)``; integers are PCM of 16 bits.
        rate: Hz; at 96 kHz and more the samples are dense enough to be taken as they are (annex 2 asks for 192 kHz
            after oversampling: they are doubled).

    Raises:
        InvalidInput: for a bad rate.
    """
    check_rate(rate)
    phases = _phases(OVERSAMPLING if rate < 96_000 else OVERSAMPLING // 2)
    best = 0.0
    for channel in x.reshape(len(x), -1).T if x.size else ():
        best = max(best, _channel_peak(np.ascontiguousarray(channel), phases, best))
    return gain_to_db(best / 32768.0 if x.dtype == np.int16 else best)


@lru_cache(maxsize=2)
def _phases(factor: int) -> Signal:
    """Fractional delays, ``(factor - 1, 2 * HALF_TAPS)``: a Kaiser-windowed sinc of unit gain at 0 Hz."""
    fractions = np.arange(1, factor) / factor
    t = np.arange(-HALF_TAPS + 1, HALF_TAPS + 1) - fractions[:, None]
    window = np.i0(7.0 * np.sqrt(np.clip(1 - (t / HALF_TAPS) ** 2, 0, None))) / np.i0(7.0)
    taps: Signal = np.sinc(t) * window
    taps /= taps.sum(axis=1, keepdims=True)
    return taps


def _channel_peak(x: Samples, phases: Signal, best: float) -> float:
    """The largest magnitude of samples and what is between them, or ``best`` when none exceeds it."""
    tops = _tops(x)
    top = float(tops.max())
    if not 0 < top < np.inf:
        return top
    around = tops.copy()
    np.maximum(around[1:], tops[:-1], out=around[1:])
    np.maximum(around[:-1], tops[1:], out=around[:-1])
    most = float(np.abs(phases).sum(axis=1).max())
    best = _interpolated(x, np.flatnonzero(tops >= HIGH * top)[:FIRST], phases, max(best, top))
    return _interpolated(x, np.flatnonzero(around > best / most), phases, best)


def _tops(x: Samples) -> NDArray[Any]:
    """Largest magnitude of each stretch, the last one being shorter."""
    kind = np.uint16 if x.dtype == np.int16 else x.dtype
    tops = np.empty(-(-len(x) // ROW), kind)
    for first in range(0, len(x), ROW * ROWS):
        part = np.abs(x[first : first + ROW * ROWS]).view(kind)
        level = part if len(part) % ROW == 0 else np.append(part, np.zeros(-len(part) % ROW, kind))
        for reach in (1, 2, 4, 8):
            level = np.maximum(level[:-reach], level[reach:])
        tops[first // ROW :][: len(level) // ROW + 1] = level[::ROW]
    return tops


def _interpolated(x: Samples, stretches: NDArray[np.intp], phases: Signal, best: float) -> float:
    """The largest magnitude between the samples of some stretches, silence being around ``x``, or ``best``."""
    taps = _matrix(phases)
    starts = stretches * ROW - HALF_TAPS + 1
    inside = (starts >= 0) & (starts + len(taps) <= len(x))
    for start in starts[~inside].tolist():
        row = x[max(0, start) : start + len(taps)]
        row = np.pad(row, (max(0, -start), len(taps) - len(row) - max(0, -start)))
        best = max(best, peak(row @ taps))
    return _inside(x, starts[inside], taps, best) if inside.any() else best


def _inside(x: Samples, starts: NDArray[np.intp], taps: Signal, best: float) -> float:
    """As above for rows that lie inside of ``x``: in single precision, then the highest ones in double."""
    windows, rough = sliding_window_view(x, len(taps)), taps.astype(np.float32)
    for first in range(0, len(starts), ROWS):
        rows = windows[starts[first : first + ROWS]]
        values = rows.astype(np.float32) @ rough
        top = float(max(values.max(), -values.min()))
        if top > best * NEARLY:
            close = np.abs(values).max(axis=1) >= max(best, top) * NEARLY
            best = max(best, peak(rows[close] @ taps))
    return best


def _matrix(phases: Signal) -> Signal:
    """What makes of a row of samples, and those around it, all its values in between."""
    matrix = np.zeros((ROW + 2 * HALF_TAPS - 1, ROW, len(phases)))
    for n in range(ROW):
        matrix[n : n + 2 * HALF_TAPS, n] = phases.T
    return matrix.reshape(len(matrix), -1)

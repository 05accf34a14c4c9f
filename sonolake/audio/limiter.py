"""A sparse sample-peak limiter.

Only the surroundings of samples over the ceiling are touched; everywhere else, and so for a signal under the
ceiling, the output is the input bit for bit. Channels share one gain. The ceiling is a sample peak: true peak is
measured with :func:`sonolake.audio.truepeak.true_peak_dbtp` and reported beside.

Gain curve: the smallest gain needed within a hold window, then a raised-cosine average over the look-ahead, so that the
gain has reached what a peak needs when the peak comes and moves without a step.
"""

from __future__ import annotations

import numpy as np

from sonolake.audio.levels import db_to_gain, peak
from sonolake.audio.signals import Real, Signal, check_rate
from sonolake.errors import InvalidInput

LOOKAHEAD_S = 0.005
HOLD_S = 0.015


def limit(x: Real, rate: int, ceiling_dbfs: float = -1.0) -> Real:
    """``x`` with no sample over ``ceiling_dbfs``.

    Args:
        x: ``(frames,)`` or ``(frames, channels)``; not modified, and returned itself when nothing is over.
        rate: Hz.
        ceiling_dbfs: highest sample magnitude, dBFS, at most 0.

    Raises:
        InvalidInput: for a bad rate or ceiling, or samples that are not finite.
    """
    check_rate(rate)
    if not ceiling_dbfs <= 0:
        raise InvalidInput("ceiling_dbfs", "a level <= 0 dBFS", ceiling_dbfs)
    ceiling, top = db_to_gain(ceiling_dbfs), peak(x)
    if not np.isfinite(top):
        raise InvalidInput("x", "finite samples", top)
    if top <= ceiling:
        return x
    over = (x > ceiling) | (x < -ceiling)
    overs = np.flatnonzero(over if x.ndim == 1 else over.any(axis=1))
    ahead, hold = max(1, round(LOOKAHEAD_S * rate)), max(1, round(HOLD_S * rate))
    y = x.copy()
    for first, last in _clusters(overs, 2 * ahead + hold):
        part = slice(max(0, first - ahead), min(len(x), last + hold + ahead + 1))
        level = np.abs(x[part]) if x.ndim == 1 else np.abs(x[part]).max(axis=1)
        gain = _gain(level, ceiling, ahead, hold)
        y[part] *= gain if x.ndim == 1 else gain[:, None]
        np.clip(y[part], -ceiling, ceiling, out=y[part])
    return y


def _clusters(overs: np.ndarray, reach: int) -> list[tuple[int, int]]:
    """First and last over of each group whose gain curves touch."""
    cuts = np.flatnonzero(np.diff(overs) > reach)
    firsts, lasts = np.r_[overs[0], overs[cuts + 1]], np.r_[overs[cuts], overs[-1]]
    return list(zip(firsts.tolist(), lasts.tolist(), strict=True))


def _gain(level: Signal, ceiling: float, ahead: int, hold: int) -> Signal:
    """Gain of one cluster, 1.0 at its ends unless the signal ends there."""
    need = np.minimum(1.0, ceiling / np.maximum(level, ceiling))
    padded = np.concatenate([np.full(ahead + hold, need[0]), need, np.ones(ahead)])
    held = _lowest(padded, ahead + hold + 1)
    kernel = np.hanning(ahead + 2)[1:-1]
    return np.convolve(held, kernel / kernel.sum())[ahead : ahead + len(level)]


def _lowest(x: Signal, size: int) -> Signal:
    """The least of every ``size`` neighbours, ``(frames - size + 1,)``, by doubling what is compared."""
    reach = 1
    while reach < size:
        more = min(reach, size - reach)
        x = np.minimum(x[:-more], x[more:])
        reach += more
    return x

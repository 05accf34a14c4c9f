"""Loudness after ITU-R BS.1770-4 and true peak after its annex 2.

Integrated loudness in LUFS: K-weighting, mean square of 400 ms blocks with 75 % overlap, an absolute gate at
-70 LUFS and a relative gate 10 LU under the mean of what passed it. The meter keeps sums of 100 ms, four of which make
a block, so every sample is filtered and squared once.

A clip shorter than one block is repeated up to 400 ms: a steady 399 ms tone then reads as the 400 ms one does
(zero-padding would read up to several LU low).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement

import numpy as np

from sonolake.audio.levels import round_db
from sonolake.audio.recursive import PIECE_FRAMES, filtered_pieces
from sonolake.audio.signals import Kind, Real, Signal, check_rate
from sonolake.errors import InvalidInput

ABSOLUTE_GATE_LUFS = -70.0
RELATIVE_GATE_LU = -10.0
OFFSET_LU = -0.691
"""Constant of BS.1770-4 equation 2: a 997 Hz sine at 0 dBFS in one front channel reads -3.01 LUFS."""
SURROUND = 1.41
"""Weight of the surround channels, BS.1770-4 table 4."""
LAYOUT_WEIGHTS: dict[int, tuple[float, ...]] = {
    4: (1.0, 1.0, SURROUND, SURROUND),
    5: (1.0, 1.0, 1.0, SURROUND, SURROUND),
    6: (1.0, 1.0, 1.0, 0.0, SURROUND, SURROUND),
}
"""Weights by channel count: L R Ls Rs; L R C Ls Rs; L R C LFE Ls Rs. Other counts weigh every channel 1."""
LOWEST_RATE = 4000
SINGLE_LU = 2e-4
"""A measurement in single precision is well within this of one in double, also over low rumble or an offset."""
SETTLES_S = 0.25
"""After this time nothing of a sound is left in the filters: the slower one, two poles at 38 Hz, falls 500 dB in it."""


@lru_cache(maxsize=512)
def k_weighting(rate: int) -> Signal:
    """The two second-order sections of K-weighting at ``rate``, shape ``(2, 6)``.

    BS.1770-4 gives coefficients for 48 kHz only (tables 1 and 2); other rates use the analogue prototype behind
    them (shelf 1681.97 Hz, +4.0 dB, Q 0.7072; high pass 38.14 Hz, Q 0.5003) and the bilinear transform.
    """
    k = math.tan(math.pi * 1681.974450955533 / rate)
    q, high = 0.7071752369554196, 10.0 ** (3.999843853973347 / 20.0)
    band = high**0.4996667741545416
    a0 = 1.0 + k / q + k * k
    shelf = [
        (high + band * k / q + k * k) / a0,
        2.0 * (k * k - high) / a0,
        (high - band * k / q + k * k) / a0,
        1.0,
        2.0 * (k * k - 1.0) / a0,
        (1.0 - k / q + k * k) / a0,
    ]
    k, q = math.tan(math.pi * 38.13547087602444 / rate), 0.5003270373238773
    a0 = 1.0 + k / q + k * k
    high_pass = [1.0, -2.0, 1.0, 1.0, 2.0 * (k * k - 1.0) / a0, (1.0 - k / q + k * k) / a0]
    return np.array([shelf, high_pass])


def loudness(x: Real, rate: int, weights: tuple[float, ...] | None = None, kind: Kind = np.float64) -> float:
    """Integrated loudness of ``x`` in LUFS, minus infinity when no block passes the absolute gate.

    Args:
        x: ``(frames,)`` or ``(frames, channels)``.
        rate: Hz.
        weights: one a channel; by default :data:`LAYOUT_WEIGHTS`. Ambisonics is measured on W alone: pass
            ``x[:, 0]``.
        kind: single precision takes two thirds of the time and is right to :data:`SINGLE_LU`.

    Raises:
        InvalidInput: for a bad rate or a wrong number of weights.
    """
    if check_rate(rate) < LOWEST_RATE:
        raise InvalidInput(
            "rate", f"at least {LOWEST_RATE} Hz", rate, "the K-weighting shelf lies at 1682 Hz"
        )
    if not x.size:
        return -math.inf
    channels = 1 if x.ndim == 1 else x.shape[1]
    w = weights or LAYOUT_WEIGHTS.get(channels, (1.0,) * channels)
    if len(w) != channels:
        raise InvalidInput("weights", f"{channels} numbers, one a channel", w)
    step = step_frames(rate)
    signal = _at_least(x.reshape(len(x), channels), 4 * step)
    steps = np.zeros(len(signal) // step)
    for channel, weight in enumerate(w):
        if weight:
            steps += weight * step_sums(signal[:, channel], rate, kind)
    return loudness_of(steps, rate)


def step_frames(rate: int) -> int:
    """Frames of a step of 100 ms, a quarter of a block."""
    return (rate + 5) // 10


def step_sums(x: Real, rate: int, kind: Kind = np.float64) -> Signal:
    """Sums of squares of one K-weighted channel over each whole step of 100 ms."""
    sums: Signal = step_products([x], rate, kind)[0, 0]
    return sums


def step_products(signals: Sequence[Real], rate: int, kind: Kind = np.float64) -> Signal:
    """Sums of products of every two K-weighted channels over each whole step of 100 ms.

    Args:
        signals: ``(frames,)`` each, of one length.
        rate: Hz.
        kind: as for :func:`loudness`.

    Returns:
        ``(signals, signals, steps)``. Of sounds added up with gains ``g``, the sums of squares are ``g @ sums @ g``.
    """
    step = step_frames(rate)
    whole = len(signals[0]) // step
    sums = np.empty((len(signals), len(signals), whole))
    at_once = max(1, PIECE_FRAMES // step)
    pieces = [filtered_pieces(k_weighting(rate), x[: whole * step], at_once * step, kind) for x in signals]
    for parts in zip(*pieces, strict=True):
        rows = [part.reshape(-1, step) for _, part in parts]
        first = parts[0][0] // step
        for i, j in combinations_with_replacement(range(len(rows)), 2):
            together = np.vecdot(rows[i], rows[j])
            sums[i, j, first : first + len(together)] = sums[j, i, first : first + len(together)] = together
    return sums


def loudness_of(steps: Signal, rate: int) -> float:
    """Integrated loudness in LUFS of what :func:`step_sums` found; minus infinity when no block passes the gate.

    Raises:
        InvalidInput: for less than 400 ms, which would have to be repeated before it is weighted.
    """
    if len(steps) < 4:
        raise InvalidInput("steps", "at least 4, a block of 400 ms", len(steps))
    return _gated(_blocks(steps) / (4 * step_frames(rate)))


def _blocks(steps: Signal) -> Signal:
    """Sums over blocks of four steps, a block a step."""
    return np.asarray(steps[:-3] + steps[1:-2] + steps[2:-1] + steps[3:])


def _at_least(x: Real, frames: int) -> Real:
    return x if len(x) >= frames else np.tile(x, (-(-frames // len(x)), 1))[:frames]


def _gated(power: Signal) -> float:
    """BS.1770-4 equations 4 to 7 over the powers of the blocks."""
    loud = power[power > _power_of(ABSOLUTE_GATE_LUFS)]
    if not loud.size:
        return -math.inf
    kept = loud[loud > loud.mean() * 10.0 ** (RELATIVE_GATE_LU / 10.0)]
    return OFFSET_LU + 10.0 * math.log10(float(kept.mean()))


def _power_of(lufs: float) -> float:
    return float(10.0 ** ((lufs - OFFSET_LU) / 10.0))


def gain_db_to(x: Real, rate: int, target_lufs: float) -> float:
    """Gain in dB, rounded to 0.01, that brings ``x`` to ``target_lufs``.

    Raises:
        InvalidInput: when ``x`` is too quiet to be measured: silence is never normalised.
    """
    return rounded_gain_db(target_lufs, lambda kind: loudness(x, rate, kind=kind))


def rounded_gain_db(target_lufs: float, measure: Callable[[Kind], float]) -> float:
    """Gain in dB, rounded to 0.01, from what ``measure`` finds to ``target_lufs``.

    Measured in single precision, and once more in double where that could be rounded otherwise: the gain is that of
    double precision.

    Raises:
        InvalidInput: when nothing is measured: silence is never normalised.
    """
    gain_db = target_lufs - measure(np.float32)
    if not abs(gain_db * 100 % 1 - 0.5) > SINGLE_LU * 100:
        gain_db = target_lufs - measure(np.float64)
    if not math.isfinite(gain_db):
        raise InvalidInput("x", "a signal above the gate of -70 LUFS", target_lufs - gain_db, "silence")
    return round_db(gain_db)

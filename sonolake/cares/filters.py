"""Second-order filters after R. Bristow-Johnson's audio EQ cookbook."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from sonolake.audio.recursive import filtered
from sonolake.audio.signals import Kind, Real, Signal

BUTTERWORTH_Q = 0.5**0.5


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

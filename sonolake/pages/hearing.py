"""A recording as a browser plays and shows it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

RATE = 24_000
LONGEST_S = 600.0
"""A longer recording is not shown."""
SIZE = (1600, 160)
"""Pixels of the spectrogram."""
QUIET_DB = -40.0
"""Below the loudest, what is before and after the sound."""


@dataclass(frozen=True)
class Shown:
    """What a page gets: a WAV file, a PNG, seconds, and where the sound begins and ends."""

    wav: bytes
    spectrogram: bytes
    duration_s: float
    start_s: float
    end_s: float


def shown(data: bytes, name: str = "") -> Shown:
    """A recording's bytes as a page gets it.

    Raises:
        ItemRefused: with a reason of the contract, for what is no audio or too long.
    """
    from sonolake.audio.decode import decode
    from sonolake.audio.encode import quantise, wav_bytes
    from sonolake.audio.resample import resample
    from sonolake.audio.spectrogram import png

    decoded = decode(data, name, LONGEST_S)
    mono = resample(decoded.samples.mean(axis=1), decoded.sample_rate, RATE).clip(-1.0, 1.0)
    start, end = _sounding(mono)
    picture = png(mono, RATE, *SIZE)
    return Shown(wav_bytes(quantise(mono), RATE), picture, len(mono) / RATE, start, end)


def _sounding(x: NDArray[np.float64]) -> tuple[float, float]:
    """Where sound begins and ends, seconds: the first and last 20 ms that are not quiet."""
    frame = RATE // 50
    size = max(1, len(x) // frame)
    power = np.array([float(np.mean(part**2)) if len(part) else 0.0 for part in np.array_split(x, size)])
    loud = np.flatnonzero(power >= power.max() * 10 ** (QUIET_DB / 10))
    if not power.any():
        return 0.0, len(x) / RATE
    step = len(x) / size / RATE
    return float(loud[0] * step), float((loud[-1] + 1) * step)

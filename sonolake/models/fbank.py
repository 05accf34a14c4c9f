"""Kaldi's log mel filter bank: the front end of BEATs and of many speech models.

Kaldi's ``compute-fbank-feats`` as BEATs asks for it (Chen et al., ICML 2023, section 4.1): frames of 25 ms every 10 ms
that lie whole within the signal, the mean of each frame taken away, pre-emphasis of 0.97, Povey's window, a power
spectrum of 512 points, 128 triangular bands between 20 Hz and half the rate, linear in mel, and their natural
logarithm. No dither, and no matrix product, whose last bits change with the number of threads. Kaldi counts samples as
16-bit numbers.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from sonolake.models.logmel import FFT, HOP, RATE, WINDOW, hz_to_mel

BANDS, LOW_HZ = 128, 20.0
PREEMPHASIS = 0.97
POVEY = 0.85
"""Exponent of a symmetric Hann window in Povey's window."""
FULL_SCALE = 32768.0
FLOOR = float(np.finfo(np.float32).eps)
BLOCK = 4096

Array = npt.NDArray[np.float32]


@cache
def bands() -> tuple[tuple[slice, npt.NDArray[np.float64]], ...]:
    """The 128 bands: which of the 257 bins each holds, and their weights (triangles linear in mel, peak 1).

    The lowest bands are narrower than a bin, and some hold none.
    """
    bins = hz_to_mel(np.arange(FFT // 2) * (RATE / FFT))
    edges = np.linspace(hz_to_mel(LOW_HZ), hz_to_mel(RATE / 2), BANDS + 2)
    found = []
    for low, centre, high in zip(edges, edges[1:], edges[2:], strict=False):
        triangle = np.minimum((bins - low) / (centre - low), (high - bins) / (high - centre))
        inside = np.flatnonzero(triangle > 0.0)
        span = slice(int(inside[0]), int(inside[-1]) + 1) if inside.size else slice(0, 0)
        found.append((span, triangle[span]))
    return tuple(found)


@cache
def window() -> npt.NDArray[np.float64]:
    """Povey's window ``(400,)``."""
    return np.asarray(np.hanning(WINDOW) ** POVEY)


def fbank(x: Array) -> Array:
    """Log energies ``(frames, 128)`` of a signal ``(samples,)`` at 16 kHz, full scale ±1.0; no frame under 25 ms."""
    if x.size < WINDOW:
        return np.empty((0, BANDS), dtype=np.float32)
    frames = np.lib.stride_tricks.sliding_window_view(x, WINDOW)[::HOP]
    return np.concatenate(
        [_energies(frames[start : start + BLOCK]) for start in range(0, len(frames), BLOCK)]
    )


def _energies(frames: Array) -> Array:
    centred = frames * np.float64(FULL_SCALE)
    centred -= centred.mean(axis=1, keepdims=True)
    before = np.concatenate([centred[:, :1], centred[:, :-1]], axis=1)
    spectrum = np.fft.rfft((centred - PREEMPHASIS * before) * window(), FFT)
    power = np.square(spectrum.real) + np.square(spectrum.imag)
    energies = np.stack([np.einsum("fb,b->f", power[:, span], weights) for span, weights in bands()], axis=1)
    return np.asarray(np.log(np.maximum(energies, FLOOR)), dtype=np.float32)

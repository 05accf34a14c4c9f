"""YAMNet's front end: a waveform at 16 kHz to log-mel patches.

The parameters are those of the YAMNet model (TensorFlow model garden, ``research/audioset/yamnet``): a
periodic Hann window of 25 ms every 10 ms, a 512-point magnitude spectrum, 64 triangular bands between 125
and 7500 Hz that are linear in HTK mel, ``log(mel + 0.001)``, patches of 96 frames every 48.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

RATE = 16_000
WINDOW, HOP, FFT = 400, 160, 512
BANDS, LOW_HZ, HIGH_HZ = 64, 125.0, 7500.0
LOG_OFFSET = 0.001
PATCH, PATCH_HOP = 96, 48
PATCH_S, PATCH_HOP_S = PATCH * HOP / RATE, PATCH_HOP * HOP / RATE
FIRST_SAMPLES = (PATCH - 1) * HOP + WINDOW
BLOCK = 4096

Array = npt.NDArray[np.float32]


def hz_to_mel(hz: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Hertz to HTK mel: ``1127 ln(1 + f / 700)``."""
    return np.asarray(1127.0 * np.log1p(np.asarray(hz, dtype=np.float64) / 700.0))


@cache
def bands() -> tuple[tuple[slice, Array], ...]:
    """The 64 bands: which of the 257 bins each holds, and their weights (triangles linear in mel, peak 1)."""
    bins = hz_to_mel(np.linspace(0.0, RATE / 2, FFT // 2 + 1))
    edges = np.linspace(hz_to_mel(LOW_HZ), hz_to_mel(HIGH_HZ), BANDS + 2)
    found = []
    for low, centre, high in zip(edges, edges[1:], edges[2:], strict=False):
        weights = np.minimum((bins - low) / (centre - low), (high - bins) / (high - centre)).astype(
            np.float32
        )
        inside = np.flatnonzero(weights > 0.0)
        span = slice(int(inside[0]), int(inside[-1]) + 1)
        found.append((span, weights[span]))
    return tuple(found)


def padded(x: Array) -> Array:
    """``x`` with zeros at the end up to one patch, or to a whole number of patch hops beyond the first."""
    hop = PATCH_HOP * HOP
    beyond = max(0, x.size - FIRST_SAMPLES)
    wanted = FIRST_SAMPLES + -(-beyond // hop) * hop
    return np.pad(x, (0, wanted - x.size))


def log_mel(x: Array) -> Array:
    """Log-mel frames ``(n_frames, 64)`` of a signal at 16 kHz, every 10 ms, whole windows only.

    Summed without a matrix product, whose last bits change with the number of threads.
    """
    frames = np.lib.stride_tricks.sliding_window_view(x, WINDOW)[::HOP]
    hann = (0.5 - 0.5 * np.cos(2.0 * np.pi * np.arange(WINDOW) / WINDOW)).astype(np.float32)
    out = np.empty((len(frames), BANDS), dtype=np.float32)
    for start in range(0, len(frames), BLOCK):
        spectrum = np.abs(np.fft.rfft(frames[start : start + BLOCK] * hann, FFT)).astype(np.float32)
        for band, (span, weights) in enumerate(bands()):
            out[start : start + BLOCK, band] = np.einsum("fb,b->f", spectrum[:, span], weights)
    return np.asarray(np.log(out + np.float32(LOG_OFFSET)))


def patches(x: Array) -> Array:
    """Patches ``(n_windows, 96, 64)`` (a view) of a signal at 16 kHz, at least one: see :func:`padded`."""
    frames = log_mel(padded(x))
    return np.lib.stride_tricks.sliding_window_view(frames, PATCH, axis=0)[::PATCH_HOP].transpose(0, 2, 1)

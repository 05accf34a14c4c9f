"""Convolution with long responses by overlap-add.

``scipy.signal.oaconvolve`` picks blocks that are too small for minutes of audio under a response of a second; blocks of
about 200,000 samples are twice as fast. Everything is float64, so the result rounds to the same 16-bit samples with any
FFT library.
"""

from __future__ import annotations

import numpy as np

from sonolake.audio.signals import Signal
from sonolake.errors import InvalidInput

BLOCK_FRAMES = 200_000


def convolve(x: Signal, response: Signal) -> Signal:
    """Full linear convolution, ``len(x) + len(response) - 1`` frames.

    Args:
        x: mono, ``(frames,)``.
        response: ``(taps,)`` for a mono result, ``(taps, channels)`` for ``(frames, channels)``. A unit impulse at
            index k delays ``x`` by exactly k samples and keeps its level.

    Raises:
        InvalidInput: for an empty signal or response, or an ``x`` that is not mono.
    """
    if x.ndim != 1 or not len(x):
        raise InvalidInput("x", "shape (frames,) with at least one frame", x.shape)
    if response.ndim not in (1, 2) or not len(response):
        raise InvalidInput(
            "response", "shape (taps,) or (taps, channels) with at least one tap", response.shape
        )
    taps = response.reshape(len(response), -1).T
    y = _overlap_add(x, taps)
    return y[0] if response.ndim == 1 else np.ascontiguousarray(y.T)


def _overlap_add(x: Signal, taps: Signal) -> Signal:
    """``(channels, frames)`` from ``x`` and ``(channels, taps)``."""
    from scipy.fft import irfft, next_fast_len, rfft

    total = len(x) + taps.shape[1] - 1
    size = next_fast_len(min(total, max(BLOCK_FRAMES, 4 * taps.shape[1])), real=True)
    block = size - taps.shape[1] + 1
    spectra = rfft(taps, size, axis=1)
    y = np.zeros((len(taps), total))
    for start in range(0, len(x), block):
        spectrum = rfft(x[start : start + block], size)
        stop = min(start + size, total)
        for channel in range(len(taps)):
            y[channel, start:stop] += irfft(spectrum * spectra[channel], size)[: stop - start]
    return y

"""Convolution with long responses by overlap-add.

``scipy.signal.oaconvolve`` picks blocks that are too small for minutes of audio under a response of a second; blocks of
about 200,000 samples are twice as fast. Everything is float64, so the result rounds to the same 16-bit samples with any
FFT library.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

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


def glide(x: Signal, responses: Sequence[Signal]) -> Signal:
    """Convolution with a response that changes all the time, from one of ``responses`` to the next.

    A sample of ``x`` at share ``s`` of the way between two responses excites ``(1 - s)`` of the first plus ``s`` of the
    second: each response hears ``x`` under a triangle around its place, so that the sum has no steps. Frame 0 excites
    the first response and the last frame the last one.

    Args:
        x: mono, ``(frames,)``.
        responses: ``(taps, channels)`` each, alike in channels; lengths may differ. One is :func:`convolve`.

    Returns:
        ``(len(x) + longest taps - 1, channels)``.

    Raises:
        InvalidInput: as :func:`convolve`; without responses; for unlike numbers of channels.
    """
    channels = {response.shape[1:] for response in responses}
    if len(channels) != 1 or channels == {()}:
        raise InvalidInput(
            "responses", "at least one, each of shape (taps, channels), channels alike", channels
        )
    if len(responses) == 1 or len(x) < 2:
        return convolve(x, responses[0])
    y = np.zeros((len(x) + max(map(len, responses)) - 1, *channels.pop()))
    step = (len(x) - 1) / (len(responses) - 1)
    for place, response in enumerate(responses):
        first = max(0, math.floor((place - 1) * step) + 1)
        stop = min(len(x), math.ceil((place + 1) * step))
        if first < stop:
            share = 1.0 - np.abs(np.arange(first, stop) - place * step) / step
            part = convolve(x[first:stop] * share, response)
            y[first : first + len(part)] += part
    return y


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

"""Convolution with long responses by overlap-add.

``scipy.signal.oaconvolve`` picks blocks that are too small for minutes of audio under a response of a second. Here
transforms have the size that makes the fewest operations, and go to the FFT two at a time. What one response does is
float64, so that it rounds to the same 16-bit samples with any FFT library; a response that changes all the time is
worked out in single precision.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sonolake.audio.signals import Kind, Real, Signal
from sonolake.errors import InvalidInput

TOGETHER = 2
"""Transforms in one call: the vector units of a processor take two at a time, and more would leave its cache."""
LARGEST = 1 << 17
"""The largest transform, unless the response asks for more: larger ones leave the cache, too."""
ADDING = 5
"""Operations of a transform that cost what it costs to add a sample of its result to the others."""
FACTORS = (1, 3, 5, 9, 15)
"""Transforms have one of these times a power of two: others take longer."""


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
    return y[0] if response.ndim == 1 else y.T


def glide(x: Signal, responses: Sequence[Signal]) -> Real:
    """Convolution with a response that changes all the time, from one of ``responses`` to the next.

    A sample of ``x`` at share ``s`` of the way between two responses excites ``(1 - s)`` of the first plus ``s`` of the
    second: each response hears ``x`` under a triangle around its place, so that the sum has no steps. Frame 0 excites
    the first response and the last frame the last one.

    Args:
        x: mono, ``(frames,)``.
        responses: ``(taps, channels)`` each, alike in channels; lengths may differ. One is :func:`convolve`.

    Returns:
        ``(len(x) + longest taps - 1, channels)``; of several responses in single precision, 130 dB under its peak.

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
    return _glide(x, [response.T for response in responses]).T


def _glide(x: Signal, taps: Sequence[Signal]) -> NDArray[np.float32]:
    """``(channels, frames)``: each stretch between two responses hears them both, added up before the way back.

    The FFT is SciPy's: NumPy's takes as long in single precision as in double.
    """
    from scipy.fft import irfft, rfft

    step, tail = (len(x) - 1) / (len(taps) - 1), max(one.shape[1] for one in taps) - 1
    block = min(math.ceil(step) + 1, max(LARGEST - tail, tail + 1))
    size = _least(block + tail)
    y, parts = (np.zeros(shape, np.float32) for shape in ((len(taps[0]), len(x) + tail), (2, size)))
    behind, first = rfft(padded(taps[0], size, np.float32), axis=1), 0
    for place, response in enumerate(taps[1:]):
        ahead = rfft(padded(response, size, np.float32), axis=1)
        stop = len(x) if place == len(taps) - 2 else math.ceil((place + 1) * step)
        for begin in range(first, stop, block):
            end = min(begin + block, stop)
            frames = end - begin
            nearing = x[begin:end] * (np.arange(begin, end) / step - place)
            parts[0, :frames], parts[1, :frames] = x[begin:end] - nearing, nearing
            parts[:, frames:] = 0.0
            left, right = rfft(parts, axis=1)
            # Nothing after the last block of a stretch needs the response that is left behind.
            heard = np.multiply(behind, left, out=behind if end == stop else None)
            heard += right * ahead
            sounds = y[:, begin : end + tail]
            sounds += irfft(heard, size, axis=1, overwrite_x=True)[:, : sounds.shape[1]]
        first, behind = stop, ahead
    return y


def _overlap_add(x: Signal, taps: Signal) -> Signal:
    """``(channels, frames)`` from ``x`` and ``(channels, taps)``."""
    channels, length = taps.shape
    size = _size(len(x), length, channels)
    block, tail = size - length + 1, length - 1
    spectra = _spectra(taps, size)
    if block >= len(x):
        spectra *= np.fft.rfft(x, size)
        return np.fft.irfft(spectra, size, axis=1)[:, : len(x) + tail]
    y = np.empty((channels, len(x) + tail))
    y[:, :tail] = 0.0
    for first in range(0, len(x), TOGETHER * block):
        starts = range(first, min(first + TOGETHER * block, len(x)), block)
        heard = _spectra([x[start : start + block] for start in starts], size)[:, None] * spectra
        for at, part in enumerate(np.fft.irfft(heard, size, axis=2)):
            place = y[:, first + at * block :][:, :size]
            place[:, :tail] += part[:, : min(tail, place.shape[1])]
            place[:, tail:] = part[:, tail : place.shape[1]]
    return y


def _spectra(rows: Sequence[Signal] | Signal, size: int) -> NDArray[np.complex128]:
    """Of each row, padded to ``size`` beforehand: so they are transformed several at a time."""
    return np.fft.rfft(padded(rows, size), axis=1)


def padded(rows: Sequence[Signal] | Signal, size: int, kind: Kind = np.float64) -> Real:
    """``(rows, size)``: each row and zeros behind it."""
    whole = np.zeros((len(rows), size), kind)
    for place, row in zip(whole, rows, strict=True):
        place[: len(row)] = row
    return whole


@lru_cache(maxsize=256)
def _size(frames: int, taps: int, channels: int) -> int:
    """The size that takes the fewest operations: a transform a channel, and one more a channel and block."""
    whole, least = frames + taps - 1, 2 * taps
    sizes = [factor << exponent for factor in FACTORS for exponent in range(whole.bit_length() + 1)]
    some = [size for size in sizes if min(whole, least) <= size <= max(LARGEST, 2 * least)]

    def operations(size: int) -> float:
        blocks = -(-frames // (size - taps + 1))
        added = ADDING * channels * blocks if blocks > 1 else 0
        return ((channels + blocks * (channels + 1)) * math.log2(size) + added) * size

    return min([_least(whole), *some] if whole <= LARGEST else some, key=operations)


@lru_cache(maxsize=256)
def _least(frames: int) -> int:
    """The smallest size of small factors that holds so many frames."""
    odd: list[int] = [3**threes * 5**fives for threes in range(5) for fives in range(4)]
    return min(one << max(0, (-(-frames // one) - 1).bit_length()) for one in odd)

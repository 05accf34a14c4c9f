"""A sound brought to another rate and convolved with a long response, in one pass of transforms.

Blocks of whole numbers of periods of both rates have transforms on one grid of frequencies: the spectrum of a block at
the one rate, times that of a low pass and of the response, is that of the result at the other. So a voice in a room
costs a short transform forth and a long one back, and no resampler.

Two blocks are the real and the imaginary part of one transform: of sizes that have a factor of 7, as 44.1 kHz asks for,
complex transforms are faster than real ones, and a filter keeps both parts apart.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sonolake.audio.convolve import FACTORS, TOGETHER, convolve, padded
from sonolake.audio.resample import resampled_length
from sonolake.audio.signals import Kind, Real, Signal, check_rate
from sonolake.errors import InvalidInput

PASSES = 0.91
"""Share of the lower Nyquist frequency that is passed, as in :mod:`sonolake.audio.resample`."""
REJECTS_DB = 120.0
MOST = 120_000
"""Frames of the largest transform, unless the response asks for more."""


def convolve_at(x: Real, rate_in: int, response: Signal, rate_out: int, kept: Kind = np.float64) -> Real:
    """``x`` at ``rate_out`` under a response at that rate, linear phase, without delay.

    As :func:`sonolake.audio.convolve.convolve` of what :func:`sonolake.audio.resample.resample` makes of ``x``: pass
    band to 91 % of the lower Nyquist frequency, 120 dB rejection.

    Args:
        x: mono, ``(frames,)``, at ``rate_in`` Hz.
        response: ``(taps,)`` at ``rate_out`` Hz.
        kept: precision of the result; everything is worked out in double.

    Returns:
        ``(resampled_length(frames) + taps - 1,)``.

    Raises:
        InvalidInput: for an empty or multichannel signal or response, or a rate that is not a positive whole number.
    """
    if check_rate(rate_in, "rate_in") == check_rate(rate_out, "rate_out"):
        return convolve(x, response).astype(kept, copy=False)
    if x.ndim != 1 or response.ndim != 1 or not len(x) or not len(response):
        raise InvalidInput(
            "x, response", "shapes (frames,) and (taps,), at least one of each", (x.shape, response.shape)
        )
    low_pass = _low_pass(rate_in, rate_out)
    tail, delay = len(low_pass) + len(response) - 2, len(low_pass) // 2
    blocks = _blocks(len(x), rate_in, rate_out, tail)
    bins = min(blocks.size_in, blocks.size_out) // 2
    low, room = np.fft.rfft(padded((low_pass, response), blocks.size_out))[:, :bins]
    filters = low * room * (rate_out / rate_in)
    mirrored = filters[:0:-1].conj()
    spectra = np.zeros((TOGETHER, blocks.size_out), np.complex128)
    sounds = np.empty_like(spectra)
    y = np.empty(-(-len(x) // blocks.block_in) * blocks.block_out + tail, kept)
    y[:tail], place = 0.0, 0
    for pairs in _pairs(x, blocks):
        heard = np.fft.fft(pairs)
        np.multiply(heard[:, :bins], filters, out=spectra[: len(pairs), :bins])
        np.multiply(heard[:, 1 - bins :], mirrored, out=spectra[: len(pairs), 1 - bins :])
        for pair in np.fft.ifft(spectra[: len(pairs)], out=sounds[: len(pairs)]):
            for sound in (pair.real, pair.imag):
                stop = min(place + blocks.block_out, len(y) - tail)
                y[place : place + tail] += sound[:tail]
                y[place + tail : stop + tail] = sound[tail : stop - place + tail]
                place = stop
    return y[delay : delay + resampled_length(len(x), rate_in, rate_out) + len(response) - 1]


def _pairs(x: Real, blocks: _Blocks) -> Iterator[NDArray[np.complex128]]:
    """Rows ``(up to TOGETHER, size_in)`` of two padded blocks each, one in the real and one in the imaginary part."""
    block, at_once = blocks.block_in, 2 * TOGETHER * blocks.block_in
    for first in range(0, len(x), at_once):
        part = x[first : first + at_once]
        rows = np.zeros((-(-len(part) // (2 * block)), blocks.size_in), np.complex128)
        for row, at in zip(rows, range(0, len(part), 2 * block), strict=True):
            one, other = part[at : at + block], part[at + block : at + 2 * block]
            row.real[: len(one)], row.imag[: len(other)] = one, other
        yield rows


@dataclass(frozen=True)
class _Blocks:
    """Transforms and what of them is sound, in frames of both rates."""

    size_in: int
    size_out: int
    block_in: int
    block_out: int


@lru_cache(maxsize=64)
def _blocks(frames: int, rate_in: int, rate_out: int, tail: int) -> _Blocks:
    """The blocks that take the fewest operations; each leaves room for ``tail`` more frames at ``rate_out``."""
    common = math.gcd(rate_in, rate_out)
    unit_in, unit_out = rate_in // common, rate_out // common
    least = -(-tail // unit_out) + 1
    most = max(2 * least, MOST // unit_out)
    units = [factor << exponent for factor in FACTORS for exponent in range(most.bit_length() + 1)]
    made = []
    for some in (unit for unit in units if least < unit <= most):
        whole = some - (least - 1)
        made.append(_Blocks(some * unit_in, some * unit_out, whole * unit_in, whole * unit_out))
    return min(made, key=lambda blocks: _operations(blocks, frames))


def _operations(blocks: _Blocks, frames: int) -> float:
    size_in, size_out = blocks.size_in, blocks.size_out
    count = -(-frames // blocks.block_in)
    return 2 * size_out * math.log2(size_out) + count * (
        size_in * math.log2(size_in) + size_out * math.log2(size_out)
    )


@lru_cache(maxsize=8)
def _low_pass(rate_in: int, rate_out: int) -> Signal:
    """A sinc at ``rate_out`` of unit gain and an odd number of taps; length and window by rejection (Kaiser 1974)."""
    nyquist = min(rate_in, rate_out) / 2
    width = (1 - PASSES) * nyquist / rate_out
    half = math.ceil((REJECTS_DB - 7.95) / (2 * 14.36 * width))
    t = np.arange(-half, half + 1)
    cut = (1 + PASSES) * nyquist / rate_out
    taps = cut * np.sinc(cut * t) * np.kaiser(len(t), 0.1102 * (REJECTS_DB - 8.7))
    return np.asarray(taps / taps.sum())

"""What a fingerprint remembers of a sound: coarse levels in time and frequency, on a grid that starts at the attack.

Levels of 16 mel bands below 3.5 kHz (which every rate and codec keeps), in 64 ms windows every 32 ms, 4 bits each. The
grid is anchored at the steepest rise of the envelope, not at the start of the file, so a codec's delay or a trimmed
pause does not move it. Of long sounds it holds 2.3 s from there and 0.4 s of the file at 4, 8, 16, … s.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sonolake.audio.signals import Signal

Samples = NDArray[Any]
"""A signal of any real type."""
Levels = NDArray[np.uint8]
"""``(frames, BANDS)``, 0 to 15 in steps of :data:`STEP_DB` under the loudest cell, 0 is silence."""
Fast = NDArray[np.float32]


def _mel_of(hz: float) -> float:
    return 2595 * math.log10(1 + hz / 700)


BANDS, STEP_DB, TOP = 16, 2.7, 15
HOP_S, WINDOW_S = 0.032, 0.064
BEFORE, HEAD, PROBE = 4, 72, 12
"""Frames before the attack, frames from there on, frames of a later probe."""
SEARCH_S = 2.5
"""The attack is looked for in the first seconds."""
_PROBES_S = tuple(2.0**k for k in range(2, 15))
"""Where the later probes start; the first one lies in what the head is taken from."""
_MARGIN_S = 0.01
_LOWEST_TONE_HZ = 100.0
_CUTOFF_HZ = 3600.0
_EDGES_HZ = 700 * (10 ** (np.linspace(_mel_of(40.0), _mel_of(3500.0), BANDS + 2) / 2595) - 1)
_WORK_HZ, _PHASES = 8000, 4
_PRODUCTS = 1 << 18
"""Multiplications in one matrix product; with twice as many BLAS starts threads, which cost more than they do."""
_WINDOW_STEP = 64
"""Windows have few lengths in frames, good for transforms, whose plans are then kept though rates are many."""
_ENVELOPE_S, _RISE_BLOCKS = 0.002, 10
_DEEP, _SHALLOW = 10.0**-1.6, 10.0**-0.4


@dataclass(frozen=True)
class Print:
    """Features of one sound.

    Attributes:
        duration_s: of the whole signal.
        onset_s: where the grid is anchored.
        tone_hz: frequency of a sound that is mostly one steady tone, 0 for others.
        head: levels from just before the attack on.
        probes: levels of the later probes, all of them one after the other.
    """

    duration_s: float
    onset_s: float
    tone_hz: float
    head: Levels
    probes: Levels


def melprint(x: Samples, rate: int) -> Print | None:
    """The features of ``x`` ``(frames,)`` or ``(frames, channels)``, None when there is nothing to hear.

    Its scale does not matter, so that integers need not be brought to ±1.0.
    """
    signal = x[:, None] if x.ndim == 1 else x
    seconds = SEARCH_S + HEAD * HOP_S + WINDOW_S
    y, work = _decimated(signal[: round(seconds * rate)], rate)
    if not len(y):
        return None
    onset, hop = _onset(y[: round(SEARCH_S * work)], work), HOP_S * work
    frames = min(HEAD, BEFORE + int((len(y) - onset) / hop) + 1)
    times = [at for at in _PROBES_S if (at + PROBE * HOP_S + WINDOW_S) * rate <= len(signal)]
    starts = [onset + (np.arange(frames) - BEFORE) * hop, *(_probed(at * work, hop) for at in times[:1])]
    powers = [_powers(y, work, np.concatenate(starts)), *(_later(signal, rate, at) for at in times[1:])]
    bands = np.concatenate([_banded(power, _mel(work)) for power in powers])
    top = float(bands[:frames].max())
    if not top > 0:
        return None
    levels = _levels(bands, top)
    return Print(
        len(signal) / rate, onset / work, _tone(powers[0][:frames], work), levels[:frames], levels[frames:]
    )


def _probed(start: float, hop: float) -> Signal:
    """Where the windows of a probe start."""
    return start + np.arange(float(PROBE)) * hop


def _later(signal: Samples, rate: int, at: float) -> Fast:
    """The powers of a probe that lies behind the part of the signal where the attack is looked for."""
    first = round((at - _MARGIN_S) * rate)
    last = round((at + PROBE * HOP_S + WINDOW_S + _MARGIN_S) * rate)
    y, work = _decimated(signal[first:last], rate)
    return _powers(y, work, _probed((at - first / rate) * work, HOP_S * work))


def _banded(power: Fast, bank: Fast) -> Fast:
    """The power in each band, ``(frames, BANDS)``."""
    rows = _PRODUCTS // bank.size
    return np.concatenate([power[at : at + rows, : len(bank)] @ bank for at in range(0, len(power), rows)])


def _levels(power: Fast, top: float) -> Levels:
    steps = np.log10(np.maximum(power / top, 1e-9)) * (10.0 / STEP_DB) + TOP
    levels: Levels = np.rint(np.clip(steps, 0, TOP, out=steps)).astype(np.uint8)
    return levels


def _decimated(x: Samples, rate: int) -> tuple[Fast, float]:
    """One channel at 8 to 16 kHz: a windowed-sinc low pass that is evaluated at the kept samples only."""
    step, channels = max(1, rate // _WORK_HZ), x.shape[1]
    mono = _folded(x, step, _lowpass(rate, step, channels))
    if channels > 1 and _cancelled(mono, x):
        mono = _folded(x[:, :1], step, _lowpass(rate, step, 1))
    return mono, rate / step


def _cancelled(mono: Fast, x: Samples) -> bool:
    """The channels are of opposite phase: next to nothing is left of them in the mean."""
    top = max(float(x.max(initial=0)), -float(x.min(initial=0)))
    return not float(np.abs(mono).max(initial=0.0)) > 1e-3 * top


def _folded(x: Samples, step: int, taps: Fast) -> Fast:
    """``x`` under the polyphase filter ``taps``: output k is the sum of phase p of block k + p - half of the phases."""
    phases, width = taps.shape
    kept, lead = len(x) // step, phases // 2
    blocks = np.zeros((kept + phases - 1, width), np.float32)
    blocks[lead : lead + kept] = x[: kept * step].reshape(kept, width)
    y = np.empty(kept, np.float32)
    rows = max(1, _PRODUCTS // taps.size)
    for at in range(0, kept, rows):
        products = taps @ blocks[at : at + rows + phases - 1].T
        count, (down, right) = products.shape[1] - phases + 1, products.strides
        diagonals = np.ndarray((phases, count), np.float32, products, strides=(down + right, right))
        np.add.reduce(diagonals, axis=0, out=y[at : at + count])
    return y


@lru_cache(maxsize=512)
def _lowpass(rate: int, step: int, channels: int) -> Fast:
    """``(phases, step * channels)``; without decimation only the mean of the channels."""
    if step == 1:
        return np.full((1, channels), 1 / channels, np.float32)
    taps = _PHASES * step
    kernel = np.sinc(2 * _CUTOFF_HZ / rate * (np.arange(taps) - (taps - 1) / 2)) * _kaiser(taps)
    kernel /= kernel.sum() * channels
    return np.repeat(kernel, channels).reshape(_PHASES, -1).astype(np.float32)


@lru_cache(maxsize=128)
def _kaiser(taps: int) -> Signal:
    return np.kaiser(taps, 4.5)


def _onset(y: Fast, work: float) -> int:
    """Index of the steepest rise of the running maximum, in dB, between -32 and -8 dB of the whole."""
    block = max(1, int(work * _ENVELOPE_S))
    count = len(y) // block
    if not count:
        return 0
    envelope = np.ascontiguousarray(np.abs(y[: count * block]).reshape(count, block).T).max(axis=0)
    highest = np.maximum.accumulate(envelope)
    top = highest[-1]
    if not top > 0:
        return 0
    climb = np.log10(np.clip(highest, top * _DEEP, top * _SHALLOW))
    rise = climb - np.log10(top * _DEEP)
    rise[_RISE_BLOCKS:] = climb[_RISE_BLOCKS:] - climb[:-_RISE_BLOCKS]
    best = int(np.argmax(rise))
    return int(np.argmax(climb >= climb[best] - rise[best] / 2)) * block


def _powers(y: Fast, work: float, starts: Signal) -> Fast:
    """Powers of the windows that start at ``starts``, ``(windows, 2 * bins)``; around ``y`` there is silence.

    Every bin has two columns, the squares of its real and imaginary part, whose sum is its power.
    """
    from scipy.fft import rfft

    size, first = _window(work), np.rint(starts).astype(np.int64)
    lead = max(0, -int(first[0]))
    padded = np.zeros(lead + max(len(y), int(first.max())) + size, np.float32)
    padded[lead : lead + len(y)] = y
    every = np.ndarray((len(padded) - size + 1, size), np.float32, padded, strides=2 * padded.strides)
    windows = every[first + lead]
    windows *= _hann(size)
    parts: Fast = rfft(windows, axis=1).view(np.float32)
    return np.multiply(parts, parts, out=parts)


def _window(work: float) -> int:
    return max(1, round(WINDOW_S * work / _WINDOW_STEP)) * _WINDOW_STEP


@lru_cache(maxsize=512)
def _hann(size: int) -> Fast:
    return np.hanning(size + 1)[:-1].astype(np.float32)


@lru_cache(maxsize=512)
def _mel(work: float) -> Fast:
    """Triangular bands ``(2 * bins, BANDS)``, evenly spaced in mel (O'Shaughnessy 1987), for :func:`_powers`.

    Bins above the last band are left out.
    """
    size = _window(work)
    bins = np.arange(0.0, min(_EDGES_HZ[-1], work / 2), work / size)[:, None]
    low, centre, high = _EDGES_HZ[:-2], _EDGES_HZ[1:-1], _EDGES_HZ[2:]
    rising, falling = (bins - low) / (centre - low), (high - bins) / (high - centre)
    return np.repeat(np.maximum(np.minimum(rising, falling), 0), 2, axis=0).astype(np.float32)


def _tone(power: Fast, work: float) -> float:
    """Frequency of the strongest line when most of the power lies in it, else 0.

    The top of a parabola through the levels of the line's three highest bins.
    """
    mean = power.sum(axis=0).reshape(-1, 2).sum(axis=1)
    peak = int(np.argmax(mean))
    if not mean[max(0, peak - 2) : peak + 3].sum() > 0.9 * mean.sum():
        return 0.0
    if peak * work < _LOWEST_TONE_HZ * _window(work) or peak + 1 == len(mean):
        return 0.0
    left, middle, right = (math.log(value + 1e-30) for value in mean[peak - 1 : peak + 2].tolist())
    curvature = 2 * middle - left - right
    beside = (right - left) / (2 * curvature) if curvature else 0.0
    return (peak + beside) * work / _window(work)

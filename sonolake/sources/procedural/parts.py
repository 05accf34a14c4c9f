"""Building blocks of synthetic sounds: noise of a spectrum, damped modes, gliding tones, envelopes.

Everything is mono float64 at :data:`RATE` Hz. Levels are relative: a sound is scaled once, when it is finished.
Filters are magnitudes over frequency applied by one FFT, so no block keeps a state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from sonolake.audio.signals import Signal

RATE = 44_100
"""Sample rate of every synthetic sound, Hz."""
Curve = float | Signal
"""A constant, or a value a frame."""
Response = Callable[[NDArray[np.float64]], NDArray[np.float64]]
"""Gain (linear, not negative) at frequencies in Hz."""


def frames(duration: float) -> int:
    """Frames in ``duration`` seconds, at least one."""
    return max(1, round(duration * RATE))


def clock(duration: float) -> Signal:
    """Time of each frame, seconds from 0."""
    return np.arange(frames(duration)) / RATE


def band(low: float, high: float, tilt_db: float = 0.0, order: int = 2) -> Response:
    """A pass band from ``low`` to ``high`` Hz with Butterworth slopes, tilted by ``tilt_db`` an octave about 1 kHz."""

    def gain(f: NDArray[np.float64]) -> NDArray[np.float64]:
        safe = np.maximum(f, 1e-3)
        slopes = 1.0 / np.sqrt((1.0 + (safe / high) ** (2 * order)) * (1.0 + (low / safe) ** (2 * order)))
        return np.asarray(slopes * (np.maximum(safe, 10.0) / 1000.0) ** (tilt_db / 6.0206))

    return gain


def peaks(*resonances: tuple[float, float, float], floor: float = 0.0) -> Response:
    """A sum of resonances (centre Hz, -3 dB width Hz, gain) over a constant ``floor``."""

    def gain(f: NDArray[np.float64]) -> NDArray[np.float64]:
        total = np.full_like(f, floor)
        for centre, width, height in resonances:
            total += height / np.sqrt(1.0 + ((f - centre) / (width / 2.0)) ** 2)
        return total

    return gain


def _bins(size: int) -> NDArray[np.float64]:
    """Frequencies of a real FFT of ``size`` frames, Hz."""
    return np.arange(size // 2 + 1, dtype=np.float64) * (RATE / size)


def noise(rng: np.random.Generator, duration: float, response: Response) -> Signal:
    """Gaussian noise with the magnitude spectrum ``response``, RMS 1."""
    from scipy import fft

    n = frames(duration)
    size = fft.next_fast_len(n, real=True)
    gain = response(_bins(size))
    spectrum = rng.standard_normal(gain.size) + 1j * rng.standard_normal(gain.size)
    x = fft.irfft(spectrum * gain, size)[:n]
    return np.asarray(x / max(float(np.sqrt(np.mean(x**2))), 1e-12))


def shape(x: Signal, response: Response) -> Signal:
    """``x`` through a zero-phase filter of the magnitude ``response``; as long as ``x``."""
    from scipy import fft

    size = fft.next_fast_len(x.size + RATE // 10, real=True)
    gain = response(_bins(size))
    return np.asarray(fft.irfft(fft.rfft(x, size) * gain, size)[: x.size])


def modes(duration: float, partials: Iterable[tuple[float, float, float]]) -> Signal:
    """Damped modes (Hz, amplitude, seconds to fall by 60 dB): what a struck body does."""
    t = clock(duration)
    x = np.zeros_like(t)
    for frequency, amplitude, decay in partials:
        if frequency < RATE / 2:
            ringing = t[: frames(min(duration, 1.4 * decay))]
            tone = np.sin(2 * np.pi * frequency * ringing) * np.exp(-6.9078 / decay * ringing)
            x[: ringing.size] += amplitude * tone
    return x


def tone(frequency: Curve, duration: float) -> Signal:
    """A sine whose frequency (Hz) may change from frame to frame."""
    if isinstance(frequency, np.ndarray):
        return np.asarray(np.sin(2 * np.pi * np.cumsum(frequency) / RATE))
    return np.asarray(np.sin(2 * np.pi * frequency * clock(duration)))


def harmonics(pitch: Signal, response: Response, limit: float = 9_000.0, tilt: float = 1.0) -> Signal:
    """Harmonics of a gliding ``pitch`` (Hz a frame), the k-th weighed by ``response`` and k to the power -``tilt``.

    A source and a filter in one: ``response`` is that of the throat, the tilt that of the source.
    """
    phase = 2 * np.pi * np.cumsum(pitch) / RATE
    gains = response(np.arange(RATE // 2 + 1, dtype=np.float64))
    below, current, twice_cosine = np.zeros_like(phase), np.sin(phase), 2 * np.cos(phase)
    x = np.zeros_like(phase)
    for k in range(1, int(limit / float(pitch.mean())) + 1):
        frequency = np.minimum(k * pitch, RATE / 2)
        x += current * gains[frequency.astype(np.int32)] * ((frequency < limit) * k**-tilt)
        below, current = (
            current,
            twice_cosine * current - below,
        )  # sin((k+1)a) = 2 cos(a) sin(ka) - sin((k-1)a)
    return x


def pulses(duration: float, rate: Curve, width: float = 0.1) -> Signal:
    """A train of smooth pulses from 0 to 1, ``rate`` a second; ``width`` is the part of a period they take."""
    curve = rate if isinstance(rate, np.ndarray) else np.full(frames(duration), rate)
    phase = np.mod(np.cumsum(curve) / RATE, 1.0)
    return np.asarray(np.where(phase < width, np.sin(np.pi * phase / width) ** 2, 0.0))


def line(duration: float, *points: tuple[float, float]) -> Signal:
    """Straight lines through (seconds, value) points, held at both ends."""
    times, values = zip(*points, strict=True)
    return np.asarray(np.interp(clock(duration), times, values))


def hump(duration: float, attack: float, release: float) -> Signal:
    """An envelope that rises over ``attack`` s and falls over ``release`` s, both as raised cosines."""
    t = clock(duration)
    rise = np.clip(t / max(attack, 1e-4), 0.0, 1.0)
    fall = np.clip((duration - t) / max(release, 1e-4), 0.0, 1.0)
    return np.asarray(np.sin(np.pi / 2 * rise) ** 2 * np.sin(np.pi / 2 * fall) ** 2)


def decay(duration: float, seconds: float, attack: float = 0.001) -> Signal:
    """An envelope that rises over ``attack`` s and then falls by 60 dB every ``seconds``."""
    t = clock(duration)
    return np.asarray(np.clip(t / attack, 0.0, 1.0) * np.exp(-6.9078 / seconds * t))


def drift(rng: np.random.Generator, duration: float, rate: float) -> Signal:
    """A random curve in [-1, 1] that takes about ``rate`` new directions a second."""
    knots = rng.uniform(-1.0, 1.0, int(duration * rate) + 3)
    at = clock(duration) * rate
    whole = at.astype(np.int64)
    blend = 0.5 - 0.5 * np.cos(np.pi * (at - whole))
    return np.asarray(knots[whole] * (1.0 - blend) + knots[whole + 1] * blend)


def layout(duration: float, sounds: Sequence[tuple[float, Signal]]) -> Signal:
    """Sounds added at their times (seconds); what reaches past ``duration`` is cut."""
    x = np.zeros(frames(duration))
    for at, sound in sounds:
        start = round(at * RATE)
        room = min(sound.size, x.size - start)
        if room > 0:
            x[start : start + room] += sound[:room]
    return x


def finish(x: Signal, peak: float = 0.7, fade: float = 0.003) -> Signal:
    """``x`` without its mean, faded over ``fade`` s at both ends, its highest sample at ``peak``."""
    y = (x - x.mean()) * hump(x.size / RATE, fade, fade)
    return np.asarray(y * (peak / max(float(np.abs(y).max()), 1e-12)))

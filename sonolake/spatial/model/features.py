"""What the plug-in hears of a clip: four log-mel channels and three of active intensity (RMS-AQA, section 3.1).

At 24 kHz: a periodic Hann window of 960 samples every 480, in the middle of an FFT of 1,024, 64 triangular bands
between 50 Hz and 12 kHz that are linear in HTK mel. Frame ``k`` is centred on sample ``480 k + 240``, so that ten
seconds are 500 frames. With P(f) the weights of a band, the channels are

- log-mel of W, Y, Z, X: ``ln(sum P |.|^2 + 1e-10)``;
- intensity along X, Y, Z: ``tanh(5 x)``, ``x = sum P Re(W* (X, Y, Z)) / sum P (|W|^2 + |X|^2 + |Y|^2 + |Z|^2) / 2``.

For one plane wave in AmbiX ``x`` is the unit vector that points at its source (Merimaa and Pulkki 2005, equations 7
and 9); in a diffuse field it is zero. The paper names ``tanh(5 x)`` and not what x is divided by; the energy density
is our choice.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from sonolake.audio.resample import resample
from sonolake.audio.signals import Signal
from sonolake.errors import InvalidInput
from sonolake.models.logmel import hz_to_mel

RATE = 24_000
FFT, WINDOW, HOP = 1024, 960, 480
BANDS, LOW_HZ = 64, 50.0
FLOOR = 1e-10
"""Added to the power of a band before its logarithm, and to the energy that intensity is divided by."""
GAIN = 5.0
CHANNELS = 7
MONO_RATE = 16_000
"""Rate in Hz of what the backbone hears: W alone."""

Array = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Features:
    """A clip as both branches hear it.

    Attributes:
        spatial: ``(7, frames, 64)``: log-mel of W, Y, Z, X, then intensity along X, Y, Z.
        mono: W at 16 kHz, ``(samples,)``, full scale ±1.0.
    """

    spatial: Array
    mono: Array


def features(scene: Signal, rate: int) -> Features:
    """Both branches of an AmbiX scene ``(frames, 4)`` at ``rate`` Hz.

    Raises:
        InvalidInput: for other than four channels, no sample, or samples that are not finite.
    """
    if scene.ndim != 2 or scene.shape[1] != 4 or not len(scene):
        raise InvalidInput("scene", "shape (frames, 4)", scene.shape, "not first-order Ambisonics")
    if not np.isfinite(scene).all():
        raise InvalidInput("scene", "finite samples", "NaN or infinity")
    exact = np.asarray(scene, dtype=np.float64)
    mono = resample(exact[:, 0], rate, MONO_RATE).astype(np.float32)
    return Features(spatial(resample(exact, rate, RATE)), mono)


def spatial(scene: Signal) -> Array:
    """The seven channels ``(7, frames, 64)`` of an AmbiX scene ``(samples, 4)`` at 24 kHz."""
    w, y, z, x = (_spectrum(channel) for channel in scene.T)
    powers = [np.square(np.abs(one)) for one in (w, y, z, x)]
    energy = sum(powers[1:], powers[0]) / 2 @ mel().T + FLOOR
    flows = [np.real(np.conj(w) * one) @ mel().T for one in (x, y, z)]
    mels = [np.log(power @ mel().T + FLOOR) for power in powers]
    return np.stack([*mels, *(np.tanh(GAIN * flow / energy) for flow in flows)]).astype(np.float32)


@cache
def mel() -> npt.NDArray[np.float64]:
    """Weights of the bands ``(64, 513)``: triangles, linear in mel, of peak 1."""
    bins = hz_to_mel(np.arange(FFT // 2 + 1) * (RATE / FFT))
    edges = np.linspace(hz_to_mel(LOW_HZ), hz_to_mel(RATE / 2), BANDS + 2)
    low, centre, high = edges[:-2, None], edges[1:-1, None], edges[2:, None]
    return np.maximum(0.0, np.minimum((bins - low) / (centre - low), (high - bins) / (high - centre)))


def _spectrum(x: Signal) -> npt.NDArray[np.complex128]:
    """``(frames, 513)`` of a channel; the ends are filled with zeros up to whole hops."""
    count, edge = -(-len(x) // HOP), (WINDOW - HOP) // 2
    whole = np.pad(x, (edge, edge + count * HOP - len(x)))
    frames = np.lib.stride_tricks.sliding_window_view(whole, WINDOW)[::HOP]
    hann = 0.5 - 0.5 * np.cos(2.0 * np.pi * np.arange(WINDOW) / WINDOW)
    return np.asarray(np.fft.rfft(frames * hann, FFT))

"""A spectrogram as a PNG image: mel-spaced frequency, 80 dB of range, equal bytes for equal samples."""

from __future__ import annotations

import io
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sonolake.audio.signals import Signal, as_mono, check_rate
from sonolake.errors import InvalidInput

RANGE_DB = 80.0
LOWEST_HZ = 40.0
_TRANSFORM = 2048
_PER_COLUMN = 4
_ANCHORS = np.array(
    [
        [0.14, 0.01, -0.03],
        [0.32, 0.06, -0.14],
        [0.5, 0.15, -0.06],
        [0.7, 0.13, 0.09],
        [0.88, 0.0, 0.16],
        [0.99, -0.02, 0.05],
    ]
)
"""Colours in Oklab (lightness, green-red, blue-yellow) of growing lightness: night, violet, magenta, orange, yellow."""


def png(x: Signal, rate: int, width: int = 800, height: int = 200) -> bytes:
    """The spectrogram of a mono signal: time to the right, frequency up, bright is loud.

    Args:
        x: ``(frames,)``.
        rate: Hz.
        width, height: pixels, 8 to 8192.

    Raises:
        InvalidInput: for more than one channel, no frames, or a size out of range.
    """
    from PIL import Image

    mono, _ = as_mono(x), check_rate(rate)
    if not len(mono) or not (8 <= width <= 8192 and 8 <= height <= 8192):
        raise InvalidInput(
            "x, width, height", "at least one frame; 8 to 8192 pixels", (len(mono), width, height)
        )
    power = _columns(mono, width) @ _rows(rate, height)
    db = 10 * np.log10(np.maximum(power, 1e-20))
    shade = np.clip((db - db.max()) / RANGE_DB + 1, 0, 1)
    image = Image.fromarray(np.rint(shade.T[::-1] * 255).astype(np.uint8), "L").convert("P")
    image.putpalette(_palette().tobytes())
    out = io.BytesIO()
    image.save(out, "PNG", optimize=False, compress_level=9)
    return out.getvalue()


def _columns(x: Signal, width: int) -> Signal:
    """Mean power spectrum ``(width, bins)`` of each column, over up to four windows spread across it."""
    from scipy.fft import rfft

    each = int(np.clip(len(x) / (width * _TRANSFORM / 4), 1, _PER_COLUMN))
    centres = (np.arange(width * each) + 0.5) * len(x) / (width * each)
    starts = centres.astype(np.int64)
    padded = np.concatenate([np.zeros(_TRANSFORM // 2), x, np.zeros(_TRANSFORM // 2)])
    windows = np.lib.stride_tricks.sliding_window_view(padded, _TRANSFORM)
    power = np.zeros((width, _TRANSFORM // 2 + 1))
    for turn in range(each):
        spectra = rfft(windows[starts[turn::each]] * np.hanning(_TRANSFORM), axis=1)
        power += spectra.real**2 + spectra.imag**2
    return power / each


def _rows(rate: int, height: int) -> Signal:
    """``(bins, height)``: triangles around mel-spaced centres, never narrower than a bin."""
    low, high = (2595 * np.log10(1 + f / 700) for f in (LOWEST_HZ, rate / 2))
    edges = 700 * (10 ** (np.linspace(low, high, height + 2) / 2595) - 1)
    bins, width = np.arange(_TRANSFORM // 2 + 1) * rate / _TRANSFORM, rate / _TRANSFORM
    centre = edges[1:-1]
    reach = np.maximum(np.maximum(centre - edges[:-2], edges[2:] - centre), width)
    weight = np.clip(1 - np.abs(bins[:, None] - centre) / reach, 0, None)
    rows: Signal = weight / weight.sum(axis=0)
    return rows


@lru_cache(maxsize=1)
def _palette() -> NDArray[np.uint8]:
    """256 sRGB colours ``(256, 3)`` between the anchors (Oklab: Ottosson 2020; sRGB: IEC 61966-2-1)."""
    at = np.linspace(0, len(_ANCHORS) - 1, 256)
    lab = np.stack([np.interp(at, np.arange(len(_ANCHORS)), channel) for channel in _ANCHORS.T], axis=1)
    cones = lab @ np.array(
        [
            [1, 1, 1],
            [0.3963377774, -0.1055613458, -0.0894841775],
            [0.2158037573, -0.0638541728, -1.2914855480],
        ]
    )
    linear = cones**3 @ np.array(
        [
            [4.0767416621, -1.2684380046, -0.0041960863],
            [-3.3077115913, 2.6097574011, -0.7034186147],
            [0.2309699292, -0.3413193965, 1.7076147010],
        ]
    )
    clipped = np.clip(linear, 0, 1)
    srgb = np.where(clipped <= 0.0031308, 12.92 * clipped, 1.055 * clipped ** (1 / 2.4) - 0.055)
    palette: NDArray[np.uint8] = np.rint(srgb * 255).astype(np.uint8)
    return palette

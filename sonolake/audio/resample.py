"""Sample rate conversion with soxr, lengths defined once for audio, labels and metadata."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sonolake.audio.signals import Signal, check_rate


def resampled_length(frames: int, rate_in: int, rate_out: int) -> int:
    """``round(frames * rate_out / rate_in)``, at least 1; 0 frames stay 0."""
    return max(1, round(frames * rate_out / rate_in)) if frames else 0


def resample(x: Signal, rate_in: int, rate_out: int) -> Signal:
    """``x`` at ``rate_out``, exactly :func:`resampled_length` frames, linear phase, without delay.

    soxr's HQ recipe: pass band to 91 % of the lower Nyquist frequency, 120 dB rejection, double precision. Equal rates
    return ``x`` itself.

    Raises:
        InvalidInput: for a rate that is not a positive whole number.
    """
    check_rate(rate_in, "rate_in"), check_rate(rate_out, "rate_out")
    if rate_in == rate_out or not len(x):
        return x
    import soxr

    y: NDArray[np.float64] = soxr.resample(np.ascontiguousarray(x), rate_in, rate_out, quality="HQ")
    return _exactly(y, resampled_length(len(x), rate_in, rate_out))


def _exactly(y: Signal, frames: int) -> Signal:
    if len(y) >= frames:
        return y[:frames]
    return np.concatenate([y, np.zeros((frames - len(y), *y.shape[1:]))])

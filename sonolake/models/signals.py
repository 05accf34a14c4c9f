"""The signal as a network wants it: checked, mono, at its own rate."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from sonolake.errors import InvalidInput


def mono_at(x: npt.NDArray[Any], rate: int, wanted: int) -> npt.NDArray[np.float32]:
    """A mono signal ``(frames,)`` at ``rate`` Hz, resampled to ``wanted`` Hz, float32, full scale ±1.0.

    Raises:
        InvalidInput: when the signal is empty, not one-dimensional, or not finite.
    """
    signal = np.asarray(x, dtype=np.float64)
    if signal.ndim != 1 or signal.size == 0:
        raise InvalidInput("signal", "mono samples of shape (frames,), at least one", signal.shape)
    if not np.isfinite(signal).all():
        raise InvalidInput("signal", "finite samples", "NaN or infinity")
    if rate == wanted:
        return signal.astype(np.float32)
    import soxr

    return np.asarray(soxr.resample(signal, rate, wanted, "HQ"), dtype=np.float32)

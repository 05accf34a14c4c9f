"""The signal as a network wants it: checked, mono, at its own rate."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from sonolake.audio.resample import resample
from sonolake.audio.signals import as_mono
from sonolake.errors import InvalidInput


def mono_at(x: npt.NDArray[Any], rate: int, wanted: int) -> npt.NDArray[np.float32]:
    """A mono signal ``(frames,)`` at ``rate`` Hz, resampled to ``wanted`` Hz, float32, full scale ±1.0.

    Raises:
        InvalidInput: when the signal is empty, not one channel, not float, or not finite.
    """
    signal = as_mono(x, "signal")
    if signal.size == 0:
        raise InvalidInput("signal", "at least one sample", signal.shape)
    if not np.isfinite(signal).all():
        raise InvalidInput("signal", "finite samples", "NaN or infinity")
    return resample(signal, rate, wanted).astype(np.float32)

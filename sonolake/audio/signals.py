"""The type of a signal and the one check that every entry point shares."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sonolake.errors import InvalidInput

Signal = NDArray[np.float64]
"""Samples, float64, full scale ±1.0: ``(frames,)`` mono or ``(frames, channels)``."""
Real = NDArray[Any]
"""The same in float64 or float32."""
Kind = type[np.float64] | type[np.float32]
"""Of samples."""


def as_signal(x: ArrayLike, what: str = "x") -> Signal:
    """``x`` as float64 of one or two dimensions, without a copy when it already is.

    Raises:
        InvalidInput: for other dimensions, or integers (whose full scale is unknown).
    """
    array = np.asarray(x)
    if array.ndim not in (1, 2):
        raise InvalidInput(what, "shape (frames,) or (frames, channels)", array.shape)
    if not np.issubdtype(array.dtype, np.floating):
        raise InvalidInput(what, "float samples, full scale ±1.0", array.dtype, "integers were not scaled")
    return array.astype(np.float64, copy=False)


def as_mono(x: ArrayLike, what: str = "x") -> Signal:
    """``x`` as one channel ``(frames,)``; ``(frames, 1)`` is flattened.

    Raises:
        InvalidInput: when there is more than one channel.
    """
    signal = as_signal(x, what)
    if signal.ndim == 2:
        if signal.shape[1] != 1:
            raise InvalidInput(what, "one channel", signal.shape, "a multichannel file was not mixed down")
        return signal[:, 0]
    return signal


def check_rate(rate: int, what: str = "rate") -> int:
    """``rate`` in Hz when it is a positive whole number.

    Raises:
        InvalidInput: otherwise.
    """
    if isinstance(rate, bool) or int(rate) != rate or rate <= 0:
        raise InvalidInput(what, "a positive whole number of Hz", rate)
    return int(rate)

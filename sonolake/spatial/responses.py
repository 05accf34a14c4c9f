"""Four-channel room responses: where the direct sound is, and the spectra that rendering reuses."""

from __future__ import annotations

import numpy as np

from sonolake.audio.signals import Signal
from sonolake.errors import InvalidInput

ONSET_RATIO = 10 ** (-10 / 20)
"""The direct sound is the first arrival within 10 dB of the strongest one on W."""
SETTLE_S = 0.0005
"""The arrival's own peak lies within this time of its first rise."""


def direct_index(response: Signal, rate: int) -> int:
    """Frame of the direct sound's peak on W.

    Args:
        response: ``(taps, 4)`` AmbiX, or ``(taps,)``.
        rate: Hz.

    Raises:
        InvalidInput: for a silent response.
    """
    w = np.abs(response if response.ndim == 1 else response[:, 0])
    top = float(w.max(initial=0.0))
    if not top > 0.0:
        raise InvalidInput("response", "a direct sound on W", "silence")
    first = int(np.argmax(w >= ONSET_RATIO * top))
    return first + int(np.argmax(w[first : first + 1 + round(SETTLE_S * rate)]))

"""A signal cut into windows that overlap, so that a vector says where."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt


def windows_of(x: npt.NDArray[Any], window: int, hop: int) -> list[npt.NDArray[Any]]:
    """Windows of ``window`` samples every ``hop`` samples of a signal ``(samples,)``, at least one.

    Every sample is in some window; the last one is shorter where the signal ends within it, by less than ``hop``, and
    so is the only one of a short signal.
    """
    beyond = max(0, len(x) - window)
    return [x[start : start + window] for start in range(0, beyond + hop, hop)][: 1 + -(-beyond // hop)]

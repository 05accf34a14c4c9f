"""From assets to arrays."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import numpy as np
import numpy.typing as npt

from sonolake.audio.foa import Convention
from sonolake.datasets.sounds import Sounds
from tasks.opening import lake_at

Signal = npt.NDArray[np.float64]


@lru_cache
def sounds_of(lake: str) -> Sounds:
    """The sounds of a lake, shared by all of this process."""
    return Sounds(lake_at(lake).media)


def mono(lake: str, asset_id: str, convention: Convention | Literal[""] = "") -> tuple[Signal, int]:
    """One channel of an asset: W of Ambisonics, else the mean of its channels."""
    return sounds_of(lake).channel(asset_id, convention)

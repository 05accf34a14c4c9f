"""From assets to arrays."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from sonolake.audio.decode import decode
from sonolake.audio.foa import to_ambix
from tasks.opening import lake_at

Signal = npt.NDArray[np.float64]


@lru_cache(maxsize=256)
def sound(lake: str, asset_id: str, convention: str = "") -> tuple[Signal, int]:
    """Samples and rate of an asset: ``(frames,)`` when it has one channel, AmbiX ``(frames, 4)`` when it is Ambisonic,
    else ``(frames, channels)``; read-only, as it is shared."""
    decoded = decode(lake_at(lake).media.read(asset_id))
    samples = to_ambix(decoded.samples[:, :4], convention) if convention else decoded.samples
    if samples.shape[1] == 1:
        samples = samples[:, 0]
    samples.setflags(write=False)
    return samples, decoded.sample_rate


def mono(lake: str, asset_id: str, convention: str = "") -> tuple[Signal, int]:
    """One channel of an asset: W of Ambisonics, else the mean of its channels."""
    samples, rate = sound(lake, asset_id, convention)
    if samples.ndim == 1:
        return samples, rate
    return (samples[:, 0] if convention else samples.mean(axis=1)), rate

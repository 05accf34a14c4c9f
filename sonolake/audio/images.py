"""Image sources of a shoebox room (Allen and Berkley 1979, equations 5 to 10)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sonolake.audio.signals import Signal

Point = tuple[float, float, float]
"""Metres from the corner of the room: x to the front, y to the left, z up."""
SPEED_OF_SOUND = 343.0
"""m/s, dry air at 20 °C."""


class Images(NamedTuple):
    """Image sources as the microphone hears them.

    Attributes:
        offsets: ``(n, 3)`` metres from the microphone, the source itself first.
        reflections: ``(n,)`` walls met on the way.
    """

    offsets: Signal
    reflections: NDArray[np.int64]


def image_sources(size_m: Point, source_m: Point, mic_m: Point, reach_m: float) -> Images:
    """All images no farther than ``reach_m`` from the microphone, nearest first."""
    axes = [_axis(*each, reach_m) for each in zip(size_m, source_m, mic_m, strict=True)]
    grids = np.meshgrid(*[offsets for offsets, _ in axes], indexing="ij")
    offsets = np.stack([g.ravel() for g in grids], axis=1)
    met = np.add.outer(np.add.outer(axes[0][1], axes[1][1]), axes[2][1]).ravel()
    distances = np.linalg.norm(offsets, axis=1)
    order = np.argsort(distances, kind="stable")
    order = order[distances[order] <= reach_m]
    return Images(offsets[order], met[order])


def _axis(length: float, source: float, mic: float, reach: float) -> tuple[Signal, NDArray[np.int64]]:
    """Offsets along one axis, and walls met: images lie at ``2 n L + s`` (even) and ``2 n L - s`` (odd)."""
    n = np.arange(-int(reach / (2 * length)) - 2, int(reach / (2 * length)) + 3)
    offsets = np.concatenate([2 * n * length + source - mic, 2 * n * length - source - mic])
    met = np.concatenate([2 * np.abs(n), np.abs(2 * n - 1)])
    near = np.abs(offsets) <= reach
    return offsets[near], met[near]

"""Layers of a clip, each at its level on W, and their sum with its level.

K-weighting is linear: the W of each layer is weighted once, for its own level and for that of the sum. Levels are
measured well above the meter's absolute gate, whatever the level of the samples.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sonolake.audio.levels import db_to_gain, gain_to_db, peak, round_db
from sonolake.audio.loudness import (
    SETTLES_S,
    k_weighting,
    loudness,
    loudness_of,
    rounded_gain_db,
    step_frames,
)
from sonolake.audio.recursive import filtered_pieces
from sonolake.audio.signals import Kind, Real
from sonolake.errors import InvalidInput, ItemRefused
from sonolake.spatial.records import CLIP_FRAMES, CLIP_RATE

Heard = NDArray[np.float32]
"""W as a loudness meter hears it: K-weighted, in single precision."""
Kept = NDArray[np.float32]
"""Samples of layers and of their sum: single precision has eight bits more than a clip's sixteen."""


@dataclass(frozen=True)
class Layer:
    """Four channels as they are heard in the clip.

    Attributes:
        start: frame of the clip at which they begin.
        samples: ``(frames, 4)``.
        heard: their W in the meter, with what rings on after the last frame.
    """

    start: int
    samples: Kept
    heard: Heard

    def whole(self) -> Kept:
        """The layer among silence, ``(240000, 4)``."""
        y = np.zeros((CLIP_FRAMES, 4), np.float32)
        y[self.start : self.start + len(self.samples)] = self.samples
        return y


def levelled(sound: Real, start: int, level_lufs: float, what: str) -> Layer:
    """Samples ``(frames, 4)`` that begin at a frame of the clip, brought to a level on W.

    Those of single precision are brought there in their own memory.

    Raises:
        ItemRefused: ``silent`` when there is nothing to be levelled; ``what`` names it.
    """
    samples: Kept = sound.astype(np.float32, copy=False)
    w = samples[:, 0]
    top = _peak(w, what)
    heard = _weighted(w, top, CLIP_FRAMES - start)
    gain = db_to_gain(round_db(level_lufs - _level(heard[: len(w)], w, top, what)))
    heard *= np.float32(top * gain)
    samples *= gain
    return Layer(start, samples, heard)


class Mix:
    """The sum of layers.

    Attributes:
        samples: ``(240000, 4)``, a channel after the other in memory.
    """

    def __init__(self, first: Layer | None = None) -> None:
        """Silence, or a first layer of 240000 frames, whose memory is taken over."""
        self.samples = np.zeros((4, CLIP_FRAMES), np.float32).T if first is None else first.samples
        self._heard = np.zeros(CLIP_FRAMES, np.float32) if first is None else first.heard

    def add(self, layer: Layer) -> None:
        """Add a layer."""
        self.samples[layer.start : layer.start + len(layer.samples)] += layer.samples
        self._heard[layer.start : layer.start + len(layer.heard)] += layer.heard

    def level(self) -> float:
        """Loudness on W in LUFS to 0.01.

        Raises:
            ItemRefused: ``silent``.
        """
        w = self.samples[:, 0]
        top = _peak(w, "the mix")
        return _level(self._heard / np.float32(top), w, top, "the mix")


def _peak(w: Kept, what: str) -> float:
    top = peak(w)
    if not (math.isfinite(top) and top > 0.0):
        raise ItemRefused("silent", f"{what} has no sound on W")
    return top


def _weighted(w: Kept, top: float, room: int) -> Heard:
    """K-weighted ``w / top``, with what rings on as far as there is room for it."""
    x: Real = np.zeros(min(len(w) + round(SETTLES_S * CLIP_RATE), room), np.float32)
    np.divide(w, top, out=x[: len(w)], casting="same_kind")
    for first, piece in filtered_pieces(k_weighting(CLIP_RATE), x, kind=np.float32):
        x[first : first + len(piece)] = piece
    return x


def _level(heard: Heard, w: Kept, top: float, what: str) -> float:
    """Loudness of ``w`` in LUFS to 0.01 from what is heard of ``w / top``; filtered anew for double precision."""
    step = step_frames(CLIP_RATE)

    def measured(kind: Kind) -> float:
        if kind is np.float64 or len(w) < 4 * step:
            return loudness(w / top, CLIP_RATE, kind=kind) + gain_to_db(top)
        rows = heard[: len(w) // step * step].reshape(-1, step)
        return loudness_of(np.vecdot(rows, rows).astype(np.float64), CLIP_RATE) + gain_to_db(top)

    try:
        return -rounded_gain_db(0.0, measured)
    except InvalidInput as silence:
        raise ItemRefused("silent", f"{what} is too quiet on W to be levelled") from silence

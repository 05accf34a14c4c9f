"""Layers of a mix, and a meter that knows their loudness, alone and together, after every change."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sonolake.audio.levels import db_to_gain, peak
from sonolake.audio.loudness import SETTLES_S, loudness_of, rounded_gain_db, step_frames, step_products
from sonolake.audio.signals import Kind, Real, Signal

KEPT = np.float32
"""Precision in which voice and ambience are kept, with steps some 140 dB under each sample. What is filtered, convolved
or summed up is worked out in double precision before.
"""
PIECE_FRAMES = 1 << 16
"""Frames added up at a time, few enough to stay in a processor's cache."""


class Layer:
    """Mono samples with a gain that is applied where they are read.

    Attributes:
        samples: ``(frames,)`` before the gain.
        scale: the gain, an amplitude ratio.
        changed: first frame and one past the last of every change so far.
    """

    def __init__(self, samples: Real, scale: float = 1.0) -> None:
        self.samples, self.scale = samples, scale
        self.changed: list[tuple[int, int]] = []

    def __len__(self) -> int:
        return len(self.samples)

    def copy(self) -> Layer:
        """Another layer that sounds alike."""
        return Layer(self.samples.copy(), self.scale)

    def part(self, first: int, last: int) -> Real:
        """A copy of the frames ``[first, last)`` as they are heard."""
        return self.samples[first:last] * self.scale

    def gain(self, gain_db: float) -> None:
        """Make the layer louder."""
        self.scale *= db_to_gain(gain_db)

    def change(self, first: int, heard: Real) -> None:
        """Let something else be heard from frame ``first`` on."""
        np.divide(heard, self.scale, out=self.samples[first : first + len(heard)])
        self.changed.append((first, first + len(heard)))


def add_up(layer: Layer, other: Layer) -> tuple[Real, float]:
    """The sum of two equally long layers as they are heard, in the first one's memory, and its highest magnitude."""
    tops = [0.0]
    for first in range(0, len(layer), PIECE_FRAMES):
        part = layer.samples[first : first + PIECE_FRAMES]
        part *= layer.scale
        part += other.part(first, first + PIECE_FRAMES)
        tops.append(peak(part))
    layer.scale = 1.0
    return layer.samples, float(np.max(tops))


class Meter:
    """Loudness of layers of one length, alone and added up.

    It keeps what a loudness meter sums up over each 100 ms, for every layer and, since K-weighting is linear, for
    every pair: a gain changes no sum but by a factor, and a change of a few samples those around it. So all layers are
    filtered once, however often they are changed, added and measured.
    """

    def __init__(self, layers: Sequence[Layer], rate: int) -> None:
        self._layers, self._rate = layers, rate
        self._steps = self._products()
        self._read = [len(layer.changed) for layer in layers]

    def loudness(self, *of: Layer) -> float:
        """Integrated loudness of the sum of some of the layers, in LUFS, right to
        :data:`~sonolake.audio.loudness.SINGLE_LU`.
        """
        self._reread()
        return self._loudness(self._steps, of)

    def gain_db(self, lufs: float, *of: Layer) -> float:
        """What brings the sum of some of the layers to a loudness, in dB, rounded to 0.01.

        Raises:
            InvalidInput: when it is too quiet to be measured: silence is never normalised.
        """

        def measured(kind: Kind) -> float:
            return self.loudness(*of) if kind is np.float32 else self._loudness(self._products(kind), of)

        return rounded_gain_db(lufs, measured)

    def _products(self, kind: Kind = np.float32, part: slice = slice(None)) -> Signal:
        return step_products([layer.samples[part] for layer in self._layers], self._rate, kind)

    def _loudness(self, steps: Signal, of: Sequence[Layer]) -> float:
        scales = [layer.scale if layer in of else 0.0 for layer in self._layers]
        return loudness_of(np.einsum("i,j,ijs->s", scales, scales, steps), self._rate)

    def _reread(self) -> None:
        """Measure again where layers were changed, and where that leaves traces in the filters."""
        step, settled = step_frames(self._rate), round(SETTLES_S * self._rate)
        for number, layer in enumerate(self._layers):
            for first, last in layer.changed[self._read[number] :]:
                begin, end = first // step, -(-(last + settled) // step)
                before = min(begin, -(-settled // step))
                around = self._products(part=slice((begin - before) * step, end * step))
                self._steps[..., begin:end] = around[..., before:]
            self._read[number] = len(layer.changed)

"""A layer of a mix, and one that knows its loudness after every change."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from sonolake.audio.levels import db_to_gain, round_db
from sonolake.audio.loudness import SETTLES_S, k_weighted, weighted_loudness
from sonolake.audio.signals import Signal
from sonolake.errors import InvalidInput


class Layer:
    """Mono samples ``(frames,)``, changed in place."""

    def __init__(self, samples: Signal) -> None:
        self.samples = samples

    def __len__(self) -> int:
        return len(self.samples)

    def gain(self, gain_db: float) -> None:
        """Make the layer louder."""
        self.samples *= db_to_gain(gain_db)

    def change(self, first: int, samples: Signal) -> None:
        """Put other samples from frame ``first`` on."""
        self.samples[first : first + len(samples)] = samples

    def add(self, other: Layer) -> None:
        """Mix an equally long layer in."""
        self.samples += other.samples


class MeteredLayer(Layer):
    """A layer and what a loudness meter hears of it.

    K-weighting is linear: a gain changes the weighted samples alike, and a change of a few samples is weighted alone.
    So a whole layer is filtered once, however often it is changed and measured. Weighted samples are kept in single
    precision, a ten-millionth of their value.
    """

    def __init__(self, samples: Signal, rate: int) -> None:
        super().__init__(samples)
        self.rate = rate
        self._weighted: NDArray[np.float32] = k_weighted(samples, rate, np.float32)

    def loudness(self) -> float:
        """Integrated loudness in LUFS."""
        return weighted_loudness(self._weighted, self.rate)

    def gain_to(self, lufs: float) -> float:
        """Bring the layer to a loudness; the gain that it took, in dB, rounded to 0.01.

        Raises:
            InvalidInput: when it is too quiet to be measured: silence is never normalised.
        """
        measured = self.loudness()
        if not math.isfinite(measured):
            raise InvalidInput("layer", "a signal above the gate of -70 LUFS", measured, "silence")
        gain_db = round_db(lufs - measured)
        self.gain(gain_db)
        return gain_db

    def gain(self, gain_db: float) -> None:
        """Make the layer louder."""
        super().gain(gain_db)
        self._weighted *= np.float32(db_to_gain(gain_db))

    def change(self, first: int, samples: Signal) -> None:
        """Put other samples from frame ``first`` on."""
        last = first + len(samples)
        difference = np.zeros(min(last + round(SETTLES_S * self.rate), len(self)) - first)
        difference[: len(samples)] = samples - self.samples[first:last]
        super().change(first, samples)
        self._weighted[first : first + len(difference)] += k_weighted(difference, self.rate)

    def add_metered(self, other: MeteredLayer) -> None:
        """Mix an equally long layer in."""
        self.add(other)
        self._weighted += other._weighted

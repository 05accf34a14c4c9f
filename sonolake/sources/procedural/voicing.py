"""What makes one variant of a sound differ from the next: parameters spread on purpose, details drawn at random."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from sonolake.ids import rng_of

T = TypeVar("T")
_GOLDEN = 0.6180339887498949


class Voicing:
    """The parameters of one variant.

    Attributes:
        rng: draws that are this variant's own.
        variant: which one, from 0.

    :meth:`spread` and :meth:`pick` go through their range by the golden section, so that any few variants in a row
    lie far apart; where the walk starts is drawn from the sound's name.
    """

    def __init__(self, name: str, variant: int, recipe_id: str) -> None:
        self.rng = rng_of(recipe_id, "procedural")
        self.variant = variant
        self._offsets = rng_of(name, "procedural spread")

    def spread(self, low: float, high: float) -> float:
        """A value of [low, high], in even ratios; both must be positive."""
        place = (float(self._offsets.random()) + self.variant * _GOLDEN) % 1.0
        return float(low * (high / low) ** place)

    def pick(self, options: Sequence[T]) -> T:
        """One of ``options``, another one for the next variant."""
        return options[(int(self._offsets.integers(len(options))) + self.variant) % len(options)]

    def between(self, low: float, high: float) -> float:
        """A value drawn evenly from [low, high]."""
        return float(self.rng.uniform(low, high))

    def jitter(self, value: float, share: float) -> float:
        """``value`` times a factor drawn from 1 ± ``share``."""
        return value * self.between(1.0 - share, 1.0 + share)

    def count(self, low: int, high: int) -> int:
        """A whole number drawn from low to high, both included."""
        return int(self.rng.integers(low, high + 1))

    def times(self, duration: float, rate: float, start: float = 0.0) -> list[float]:
        """Moments of a Poisson process of ``rate`` a second between ``start`` and ``duration``, sorted."""
        number = int(self.rng.poisson(rate * max(duration - start, 0.0)))
        return sorted(float(at) for at in np.asarray(self.rng.uniform(start, duration, number)))

"""Intervals of scores: scenes are drawn with replacement, all items of a scene together.

Items of one scene share their audio, so they are no independent draws; the interval of a figure holds the middle 95 %
of what it is over the resamples. The draws depend on the number of scenes and a fixed seed alone, and scenes are taken
in the order of their ids.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sonolake.ids import rng_of

LEVEL = 0.95
_AT_ONCE = 200
"""Resamples worked out together: bounds the memory."""

Sums = NDArray[np.float64]
"""Counts summed over scenes: ``(resamples, counts)``."""
Figure = Callable[[Sums], NDArray[np.float64]]
"""From summed counts to one value a row."""


@dataclass(frozen=True)
class Score:
    """A fraction with its 95 % interval; without resamples the interval is the fraction itself."""

    value: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half of the interval."""
        return (self.high - self.low) / 2


def intervals(counts: Sums, figures: Sequence[Figure], resamples: int, seed: str = "cares") -> list[Score]:
    """Each figure on all scenes, with its interval.

    Args:
        counts: a row a scene, in the order of the scenes' ids; never negative.
        figures: what is worked out from the sums.
        resamples: 0 for no intervals.
        seed: of the draws.
    """
    whole = counts.sum(axis=0, keepdims=True)
    values = [float(figure(whole)[0]) for figure in figures]
    if not resamples or not len(counts):
        return [Score(value, value, value) for value in values]
    drawn = list(_drawn(counts, resamples, seed))
    scores = []
    for figure, value in zip(figures, values, strict=True):
        found = np.concatenate([figure(sums) for sums in drawn])
        low, high = np.nanquantile(found, ((1 - LEVEL) / 2, (1 + LEVEL) / 2))
        scores.append(Score(value, float(low), float(high)))
    return scores


def _drawn(counts: Sums, resamples: int, seed: str) -> list[Sums]:
    rng, scenes = rng_of(seed, f"bootstrap of {len(counts)}"), len(counts)
    chances = np.full(scenes, 1 / scenes)
    sums = []
    for first in range(0, resamples, _AT_ONCE):
        weights = rng.multinomial(scenes, chances, size=min(_AT_ONCE, resamples - first))
        sums.append(weights @ counts)
    return sums


def ratio(part: int, whole: int) -> Figure:
    """One column of the sums over another, 0 where that is 0."""
    return lambda sums: np.divide(
        sums[:, part], sums[:, whole], out=np.zeros(len(sums)), where=sums[:, whole] > 0
    )


def mean_ratio(parts: Sequence[int], wholes: Sequence[int]) -> Figure:
    """The mean of ratios over those whose whole is not 0."""

    def figure(sums: Sums) -> NDArray[np.float64]:
        have = sums[:, wholes] > 0
        each = np.divide(sums[:, parts], sums[:, wholes], out=np.zeros((len(sums), len(parts))), where=have)
        return np.asarray(each.sum(axis=1) / np.maximum(1, have.sum(axis=1)))

    return figure

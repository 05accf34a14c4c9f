"""Bootstrap intervals of scores over utterances, in one pass and in any order.

Each utterance gets a Poisson(1) weight a resample instead of being drawn with replacement (Hanley and MacGibbon 2006;
Chamandy et al. 2012). Its weights come from its own id: 16 bits of SHAKE-128 each, inverted through the distribution,
so that neither order nor the other utterances change them. Intervals are percentiles of the resampled figures.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from sonolake.wesr.counts import Counts
from sonolake.wesr.taxonomy import BY_NAME

LEVEL = 0.95
"""Share of the resampled figures that an interval holds."""

Resampled = NDArray[np.float64]
"""One figure in every resample."""


@dataclass(frozen=True)
class Interval:
    """Where a figure lies, both ends included."""

    low: float
    high: float


@dataclass(frozen=True)
class Intervals:
    """Intervals of F1s, and of the word error rate (None without reference words)."""

    per_tag: Mapping[str, Interval]
    per_category: Mapping[str, Interval]
    micro: Interval
    macro: Interval
    macro21: Interval
    discrete: Interval
    continuous: Interval
    wer: Interval | None


class Bootstrap:
    """Weighted counts of every resample, memory of 24 bytes a tag and resample.

    Args:
        resamples: how many, 1 or more.
    """

    def __init__(self, resamples: int) -> None:
        self.resamples = resamples
        self._tags: dict[str, NDArray[np.int64]] = {}
        self._categories: dict[str, NDArray[np.int64]] = {}
        self._words = np.zeros((2, resamples), dtype=np.int64)

    def add(
        self,
        utterance_id: str,
        per_tag: Mapping[str, Counts],
        per_category: Mapping[str, Counts],
        words: int,
        errors: int,
    ) -> None:
        """Take an utterance in."""
        weights = _weights(utterance_id, self.resamples)
        self._gather(self._tags, per_tag, weights)
        self._gather(self._categories, per_category, weights)
        self._words[0] += words * weights
        self._words[1] += errors * weights

    def _gather(
        self, into: dict[str, NDArray[np.int64]], counts: Mapping[str, Counts], weights: NDArray[np.int64]
    ) -> None:
        for name, count in counts.items():
            sums = into.setdefault(name, np.zeros((3, self.resamples), dtype=np.int64))
            for row, number in zip(sums, (count.tp, count.fp, count.fn), strict=True):
                if number:
                    row += number * weights

    def intervals(self) -> Intervals:
        """Intervals of all figures, each worked out in every resample as it is for the set."""
        known = [self._tags.get(name, np.zeros((3, self.resamples))) for name in BY_NAME]
        words, errors = self._words
        return Intervals(
            per_tag={name: _interval(_f1(sums)) for name, sums in sorted(self._tags.items())},
            per_category={name: _interval(_f1(sums)) for name, sums in sorted(self._categories.items())},
            micro=_interval(self._micro(list(self._tags))),
            macro=_interval(_macro_of_seen(list(self._tags.values()), self.resamples)),
            macro21=_interval(np.mean([_f1(sums) for sums in known], axis=0)),
            discrete=_interval(self._micro([t.name for t in BY_NAME.values() if t.form == "discrete"])),
            continuous=_interval(self._micro([t.name for t in BY_NAME.values() if t.form == "continuous"])),
            wer=_interval(errors[words > 0] / words[words > 0]) if words.any() else None,
        )

    def _micro(self, names: list[str]) -> Resampled:
        sums = np.zeros((3, self.resamples))
        for name in names:
            sums += self._tags.get(name, 0)
        return _f1(sums)


def _f1(sums: NDArray[np.int64] | Resampled) -> Resampled:
    tp, fp, fn = sums
    return np.asarray(2 * tp / np.maximum(1, 2 * tp + fp + fn))


def _macro_of_seen(tags: list[NDArray[np.int64]], resamples: int) -> Resampled:
    """The mean of F1 over the tags that occur, resample by resample."""
    seen = sum((sums.any(axis=0).astype(np.int64) for sums in tags), np.zeros(resamples, dtype=np.int64))
    total = sum((_f1(sums) for sums in tags), np.zeros(resamples))
    return np.asarray(total / np.maximum(1, seen))


def _interval(values: Resampled) -> Interval:
    low, high = np.quantile(values, ((1 - LEVEL) / 2, (1 + LEVEL) / 2))
    return Interval(float(low), float(high))


def _weights(utterance_id: str, resamples: int) -> NDArray[np.int64]:
    bits = hashlib.shake_128(b"wesr bootstrap\0" + utterance_id.encode()).digest(2 * resamples)
    return np.take(_poisson(), np.frombuffer(bits, dtype="<u2"))


@cache
def _poisson() -> NDArray[np.int64]:
    """Poisson(1) by inversion: how many of its cumulative probabilities each of 65,536 even steps has passed."""
    cumulative = np.cumsum([math.exp(-1) / math.factorial(k) for k in range(12)])
    return np.searchsorted(cumulative, (np.arange(65_536) + 0.5) / 65_536).astype(np.int64)

"""Counts of positions, the rates that follow from them, and their means.

Precision = TP / (TP + FP), recall = TP / (TP + FN), F1 = 2 TP / (2 TP + FP + FN), 0 where the denominator is 0 (WESR,
section 4.4, step 3).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass


@dataclass(frozen=True)
class Rates:
    """Precision, recall and F1, each from 0 to 1."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True)
class Counts:
    """Positions right (TP), wrong (FP) and missed (FN)."""

    tp: int = 0
    fp: int = 0
    fn: int = 0

    @property
    def precision(self) -> float:
        """TP / (TP + FP)."""
        return self.tp / (self.tp + self.fp) if self.tp else 0.0

    @property
    def recall(self) -> float:
        """TP / (TP + FN)."""
        return self.tp / (self.tp + self.fn) if self.tp else 0.0

    @property
    def f1(self) -> float:
        """2 TP / (2 TP + FP + FN)."""
        return 2 * self.tp / (2 * self.tp + self.fp + self.fn) if self.tp else 0.0

    @property
    def rates(self) -> Rates:
        """All three rates."""
        return Rates(self.precision, self.recall, self.f1)

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.tp + other.tp, self.fp + other.fp, self.fn + other.fn)


def macro(rates: Collection[Rates]) -> Rates:
    """The means of precision, recall and F1; 0 of none. F1 is the mean of the F1s, as in the paper's tables 4 and 8."""
    size = max(1, len(rates))
    return Rates(
        sum(r.precision for r in rates) / size,
        sum(r.recall for r in rates) / size,
        sum(r.f1 for r in rates) / size,
    )

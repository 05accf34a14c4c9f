"""Agreement of raters on categories, corrected for chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from sonolake.errors import InvalidInput

Label = Hashable


@dataclass(frozen=True)
class Kappa:
    """Kappa with what it is made of: items, observed agreement, agreement expected by chance.

    ``value`` is (observed - expected) / (1 - expected); None where everybody always gives one and the same label.
    """

    n: int
    observed: float
    expected: float

    @property
    def value(self) -> float | None:
        """Kappa, at most 1."""
        return None if self.expected >= 1 else (self.observed - self.expected) / (1 - self.expected)


def cohen(first: Sequence[Label], second: Sequence[Label]) -> Kappa:
    """Cohen's kappa (1960) of two raters on the same items.

    Raises:
        InvalidInput: for sequences of different lengths, or empty ones.
    """
    if len(first) != len(second) or not first:
        raise InvalidInput("ratings", "two of the same items, one or more", (len(first), len(second)))
    n = len(first)
    observed = sum(a == b for a, b in zip(first, second, strict=True)) / n
    ones, others = Counter(first), Counter(second)
    expected = sum(ones[label] * others[label] for label in ones) / n**2
    return Kappa(n, observed, expected)


def fleiss(ratings: Sequence[Sequence[Label]]) -> Kappa:
    """Fleiss' kappa (1971) of several raters, each item rated by equally many.

    Args:
        ratings: for each item the labels it was given, in any order.

    Raises:
        InvalidInput: for fewer than two ratings of an item, or a number that differs.
    """
    raters = {len(labels) for labels in ratings}
    if len(raters) != 1 or min(raters) < 2:
        raise InvalidInput("ratings", "equally many of every item, two or more", sorted(raters))
    n, m = len(ratings), raters.pop()
    counts = [Counter(labels) for labels in ratings]
    observed = sum((sum(c * c for c in one.values()) - m) / (m * (m - 1)) for one in counts) / n
    totals: Counter[Label] = sum(counts, Counter())
    expected = sum((c / (n * m)) ** 2 for c in totals.values())
    return Kappa(n, observed, expected)

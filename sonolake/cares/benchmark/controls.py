"""Controls: the same scenes without the sound, and whether one system is better than another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb

import numpy as np

from sonolake.cares.benchmark.scoring import Marked, balanced, class_counts, per_scene
from sonolake.cares.records import REACTIONS
from sonolake.scoring.bootstrap import Figure, Score, Sums, intervals


@dataclass(frozen=True)
class MutedControl:
    """Reaction classification with and without the sound, on the items that were answered in both.

    Attributes:
        n: pairs. with_sound, without_sound: balanced accuracy. change: the first minus the second.
        only_with, only_without: pairs that are right only with, or only without the sound.
        p: two-sided exact McNemar test of those two numbers being equal.
    """

    n: int
    with_sound: Score
    without_sound: Score
    change: Score
    only_with: int
    only_without: int
    p: float


def mcnemar(only_one: int, only_other: int) -> float:
    """Two-sided p of the exact McNemar test: as many discordant pairs either way, each with chance one half."""
    n, k = only_one + only_other, min(only_one, only_other)
    if not n:
        return 1.0
    tail = sum(comb(n, i) for i in range(k + 1))
    return float(min(Fraction(1), Fraction(2 * tail, 2**n)))


def muted_control(
    reactions: Sequence[Marked], muted: Sequence[Marked], resamples: int
) -> MutedControl | None:
    """The control, or None when no pair was answered.

    Args:
        reactions: items of reaction classification as answered.
        muted: the same on muted audio, each naming its item by ``of``.
        resamples: of the intervals.
    """
    by_id = {one.item.item_id: one for one in reactions}
    pairs = [(by_id[one.item.of], one) for one in muted if one.chosen != "" and one.item.of in by_id]
    pairs = [pair for pair in pairs if pair[0].chosen != ""]
    if not pairs:
        return None
    counts = np.hstack([per_scene([pair[i] for pair in pairs], class_counts) for i in (0, 1)])
    first, second, change = _two(counts, resamples)
    only_with = sum(a.right and not b.right for a, b in pairs)
    only_without = sum(b.right and not a.right for a, b in pairs)
    p = mcnemar(only_with, only_without)
    return MutedControl(len(pairs), first, second, change, only_with, only_without, p)


def difference(ours: Sums, theirs: Sums, figure: Figure, resamples: int) -> Score:
    """A figure of one system minus the same of another on the same scenes, which are drawn together.

    Args:
        ours, theirs: counts a scene, in the same order.
        figure: from sums of one system to values.
        resamples: of the interval.
    """
    width = ours.shape[1]
    both = np.hstack([ours, theirs])
    (score,) = intervals(
        both, [lambda sums: np.asarray(figure(sums[:, :width]) - figure(sums[:, width:]))], resamples
    )
    return score


def _two(counts: Sums, resamples: int) -> list[Score]:
    width, figure = 3 * len(REACTIONS), balanced()
    return intervals(
        counts,
        [
            lambda sums: figure(sums[:, :width]),
            lambda sums: figure(sums[:, width:]),
            lambda sums: np.asarray(figure(sums[:, :width]) - figure(sums[:, width:])),
        ],
        resamples,
    )

"""Arithmetic of the scorers without numpy: points without intervals, from counts."""

from __future__ import annotations

from collections.abc import Sequence

from sonolake.cares.benchmark.controls import MutedControl, mcnemar
from sonolake.cares.benchmark.predictions import Key
from sonolake.cares.benchmark.records import Item
from sonolake.cares.benchmark.scoring import ChoiceScores, ClassScore, Marked, ReactionScores, mark
from sonolake.cares.records import REACTIONS
from sonolake.scoring.bootstrap import Score
from sonolake.spatial.benchmark.scoring import Accuracy
from sonolake.spatial.benchmark.scoring import Marked as MarkedRecord

Sums = Sequence[Sequence[float]]
"""What is an array in the library."""


def point(part: float, whole: float) -> Score:
    """A fraction without interval, 0 where there is nothing."""
    return exactly(part / whole if whole > 0 else 0.0)


def exactly(value: float) -> Score:
    """A value without interval."""
    return Score(value, value, value)


def accuracy(marked: Sequence[MarkedRecord], resamples: int = 0) -> Accuracy:
    """As :func:`sonolake.spatial.benchmark.scoring.accuracy`, without intervals."""
    n = len(marked)
    return Accuracy(
        n,
        point(sum(one.stage_1 for one in marked), n),
        point(sum(one.stage_2 for one in marked), n),
        point(sum(one.grounded for one in marked), n),
    )


def choice_scores(marked: Sequence[Marked]) -> ChoiceScores:
    """As :func:`sonolake.cares.benchmark.scoring.score_choices`, without intervals."""
    return ChoiceScores(len(marked), *lost(marked), point(sum(one.right for one in marked), len(marked)))


def reaction_scores(marked: Sequence[Marked]) -> ReactionScores:
    """As :func:`sonolake.cares.benchmark.scoring.score_reactions`, without intervals."""
    per_class: dict[str, ClassScore] = {}
    for name in REACTIONS:
        have = sum(one.item.answer == name for one in marked)
        right = sum(one.item.answer == name and one.chosen == name for one in marked)
        chosen = sum(one.chosen == name for one in marked)
        f1 = 2 * right / max(1e-9, have + chosen)
        per_class[name] = ClassScore(have, point(right, have), point(right, chosen), exactly(f1))
    seen = [one for one in per_class.values() if one.n]
    hits = sum(one.right for one in marked)
    macro = sum(one.f1.value for one in seen) / max(1, len(seen))
    return ReactionScores(
        len(marked),
        *lost(marked),
        exactly(balanced(marked)),
        exactly(hits / max(1, len(marked))),
        exactly(macro),
        per_class,
    )


def balanced(marked: Sequence[Marked]) -> float:
    """The mean recall of the reactions that occur."""
    recalls = []
    for name in REACTIONS:
        ours = [one for one in marked if one.item.answer == name]
        if ours:
            recalls.append(sum(one.chosen == name for one in ours) / len(ours))
    return sum(recalls) / max(1, len(recalls))


def muted_scores(reactions: Sequence[Marked], muted: Sequence[Marked]) -> MutedControl | None:
    """As :func:`sonolake.cares.benchmark.controls.muted_control`, without intervals."""
    by_id = {one.item.item_id: one for one in reactions}
    pairs = [(by_id[one.item.of], one) for one in muted if one.chosen != "" and one.item.of in by_id]
    pairs = [pair for pair in pairs if pair[0].chosen != ""]
    if not pairs:
        return None
    first, second = (balanced([pair[i] for pair in pairs]) for i in (0, 1))
    only_with = sum(a.right and not b.right for a, b in pairs)
    only_without = sum(b.right and not a.right for a, b in pairs)
    p = mcnemar(only_with, only_without)
    return MutedControl(
        len(pairs),
        exactly(first),
        exactly(second),
        exactly(first - second),
        only_with,
        only_without,
        p,
    )


def lost(marked: Sequence[Marked]) -> tuple[int, int]:
    """How many answers are missing, and how many cannot be read."""
    return sum(one.chosen == "" for one in marked), sum(one.chosen is None for one in marked)


def answered(items: Sequence[Item], answers: dict[Key, str], task: str) -> list[Marked]:
    """The items of a task with what was answered."""
    return mark([item for item in items if item.task == task], answers)

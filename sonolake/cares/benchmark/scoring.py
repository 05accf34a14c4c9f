"""Scores of the tasks with a right answer; an answer that is missing or unreadable is wrong (protocol, section 2.6)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sonolake.cares.benchmark.predictions import Key
from sonolake.cares.benchmark.reading import read_option
from sonolake.cares.benchmark.records import Item
from sonolake.cares.records import REACTIONS
from sonolake.scoring.bootstrap import Figure, Score, Sums, intervals, mean_ratio, ratio

RESAMPLES = 2000


@dataclass(frozen=True)
class ClassScore:
    """One reaction: how many items have it, and recall, precision and F1 as fractions."""

    n: int
    recall: Score
    precision: Score
    f1: Score


@dataclass(frozen=True)
class ReactionScores:
    """Reaction classification.

    Attributes:
        n, missing, unreadable: items, those without an answer, those whose answer cannot be read.
        overall: balanced accuracy, the mean recall of the classes that occur.
        accuracy: share of right answers. macro_f1: mean F1 of the classes that occur.
        per_class: by reaction.
    """

    n: int
    missing: int
    unreadable: int
    overall: Score
    accuracy: Score
    macro_f1: Score
    per_class: Mapping[str, ClassScore]


@dataclass(frozen=True)
class ChoiceScores:
    """Scene classification or audio tagging: ``overall`` is the accuracy over all items."""

    n: int
    missing: int
    unreadable: int
    overall: Score


@dataclass(frozen=True)
class Marked:
    """An item with what was answered: one of its options; ``""`` when missing, None when unreadable."""

    item: Item
    chosen: str | None

    @property
    def right(self) -> bool:
        """Whether the answer is right."""
        return self.chosen == self.item.answer


def mark(items: Iterable[Item], answers: Mapping[Key, str]) -> list[Marked]:
    """Each item with its answer as it is read."""
    marked = []
    for item in items:
        text = answers.get((item.item_id, 0))
        marked.append(Marked(item, "" if text is None else read_option(text, item.options)))
    return marked


def score_choices(marked: Sequence[Marked], resamples: int = RESAMPLES) -> ChoiceScores:
    """Accuracy of a multiple-choice task."""
    counts = per_scene(marked, lambda m: [1, m.right])
    (overall,) = intervals(counts, [ratio(1, 0)], resamples)
    return ChoiceScores(len(marked), *_lost(marked), overall)


def score_reactions(marked: Sequence[Marked], resamples: int = RESAMPLES) -> ReactionScores:
    """Balanced accuracy with recall, precision and F1 of each class."""
    figures = _figures()
    scores = intervals(per_scene(marked, class_counts), figures, resamples)
    overall, accuracy, macro, *classes = scores
    kinds = len(REACTIONS)
    per_class = {
        name: ClassScore(
            sum(m.item.answer == name for m in marked),
            classes[i],
            classes[kinds + i],
            classes[2 * kinds + i],
        )
        for i, name in enumerate(REACTIONS)
    }
    return ReactionScores(len(marked), *_lost(marked), overall, accuracy, macro, per_class)


def per_scene(marked: Iterable[Marked], counts: Callable[[Marked], Sequence[float]]) -> Sums:
    """Counts of each item summed by scene, scenes in the order of their ids."""
    rows: dict[str, list[Sequence[float]]] = {}
    for one in marked:
        rows.setdefault(one.item.scene_id, []).append(counts(one))
    return np.array([np.sum(rows[scene], axis=0) for scene in sorted(rows)], dtype=float).reshape(
        len(rows), -1
    )


def class_counts(one: Marked) -> list[float]:
    """For each reaction: is it the right one, was it rightly chosen, was it chosen."""
    truth = [one.item.answer == name for name in REACTIONS]
    chosen = [one.chosen == name for name in REACTIONS]
    return [*truth, *(t and c for t, c in zip(truth, chosen, strict=True)), *chosen]


def balanced() -> Figure:
    """Balanced accuracy from summed :func:`class_counts`."""
    kinds = len(REACTIONS)
    return mean_ratio(range(kinds, 2 * kinds), range(kinds))


def _figures() -> list[Figure]:
    kinds = len(REACTIONS)
    recall = [ratio(kinds + i, i) for i in range(kinds)]
    precision = [ratio(kinds + i, 2 * kinds + i) for i in range(kinds)]
    f1 = [_f1(i, kinds) for i in range(kinds)]

    def accuracy(sums: Sums) -> Sums:
        whole = sums[:, :kinds].sum(axis=1)
        return np.asarray(sums[:, kinds : 2 * kinds].sum(axis=1) / np.maximum(1, whole))

    def macro(sums: Sums) -> Sums:
        have = sums[:, :kinds] > 0
        total = np.sum([figure(sums) * have[:, i] for i, figure in enumerate(f1)], axis=0)
        return np.asarray(total / np.maximum(1, have.sum(axis=1)))

    return [balanced(), accuracy, macro, *recall, *precision, *f1]


def _f1(i: int, kinds: int) -> Figure:
    """2 TP / (support + chosen)."""
    return lambda sums: np.asarray(
        2 * sums[:, kinds + i] / np.maximum(1e-9, sums[:, i] + sums[:, 2 * kinds + i])
    )


def _lost(marked: Sequence[Marked]) -> tuple[int, int]:
    return sum(m.chosen == "" for m in marked), sum(m.chosen is None for m in marked)

"""Everything a system is scored on, and where it is better than another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sonolake.cares.benchmark.controls import MutedControl, difference, muted_control
from sonolake.cares.benchmark.judging import Judge
from sonolake.cares.benchmark.predictions import Predictions
from sonolake.cares.benchmark.records import BUDGETS, Item
from sonolake.cares.benchmark.scoring import (
    RESAMPLES,
    ChoiceScores,
    ReactionScores,
    balanced,
    class_counts,
    mark,
    per_scene,
    score_choices,
    score_reactions,
)
from sonolake.cares.benchmark.summaries import SummaryScores, score_summaries
from sonolake.cares.records import REACTIONS
from sonolake.scoring.bootstrap import Figure, Sums, ratio

COLUMNS = ("reactions", "scene", "sounds", *(f"summary {name}" for name in REACTIONS))
"""Columns of the table in which systems are compared."""
SHOWN_BUDGET = 200
"""The paper's budget of words."""


@dataclass(frozen=True)
class Scorecard:
    """One system's scores; a task without any answer is None, a budget without any is left out.

    Attributes:
        system: its name.
        reactions, scene, sounds: the tasks with a right answer.
        summaries: by budget.
        muted: the control without the sound.
        sums: for each column of :data:`COLUMNS` that there is, counts a scene and the figure made of them.
    """

    system: str
    reactions: ReactionScores | None
    scene: ChoiceScores | None
    sounds: ChoiceScores | None
    summaries: Mapping[int, SummaryScores]
    muted: MutedControl | None
    sums: Mapping[str, tuple[Sums, Figure]] = field(repr=False, compare=False)


def score_system(
    system: str,
    items: Sequence[Item],
    predictions: Predictions,
    judge: Judge,
    resamples: int = RESAMPLES,
    with_nature: bool = False,
) -> Scorecard:
    """The scorecard of one system's predictions.

    Args:
        system: its name.
        items: of the whole benchmark.
        predictions: its answers.
        judge: of the summaries.
        resamples: of the intervals.
        with_nature: count sounds whose nature alone a summary names.
    """
    answers = predictions.answers
    marked = {
        task: mark([item for item in items if item.task == task], answers)
        for task in ("reactions", "scene", "sounds", "muted")
    }
    answered = {task: any(one.chosen != "" for one in found) for task, found in marked.items()}
    wanted = [item for item in items if item.task == "summary"]
    summaries = {
        budget: score_summaries(wanted, answers, budget, judge, resamples, with_nature)
        for budget in BUDGETS
        if any((item.item_id, budget) in answers for item in wanted)
    }
    sums: dict[str, tuple[Sums, Figure]] = {}
    if answered["reactions"]:
        sums["reactions"] = per_scene(marked["reactions"], class_counts), balanced()
    for task in ("scene", "sounds"):
        if answered[task]:
            sums[task] = per_scene(marked[task], lambda m: [1, m.right]), ratio(1, 0)
    if SHOWN_BUDGET in summaries:
        for kind, name in enumerate(REACTIONS):
            counts = summaries[SHOWN_BUDGET].by_scene
            sums[f"summary {name}"] = counts, ratio(len(REACTIONS) + kind, kind)
    return Scorecard(
        system,
        score_reactions(marked["reactions"], resamples) if answered["reactions"] else None,
        score_choices(marked["scene"], resamples) if answered["scene"] else None,
        score_choices(marked["sounds"], resamples) if answered["sounds"] else None,
        summaries,
        muted_control(marked["reactions"], marked["muted"], resamples),
        sums,
    )


def better_than(system: Scorecard, control: Scorecard, resamples: int = RESAMPLES) -> frozenset[str]:
    """Columns in which a system is higher than the control and the 95 % interval of the difference is above 0."""
    found = set()
    for column in COLUMNS:
        if column in system.sums and column in control.sums:
            (ours, figure), (theirs, _) = system.sums[column], control.sums[column]
            if ours.shape == theirs.shape and difference(ours, theirs, figure, resamples).low > 0:
                found.add(column)
    return frozenset(found)

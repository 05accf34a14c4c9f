"""Summary recall: of the sounds that a scene holds, how many its summary mentions, by reaction and budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from sonolake.cares.benchmark.judging import Judge, Verdict, checked
from sonolake.cares.benchmark.predictions import Key
from sonolake.cares.benchmark.records import Item
from sonolake.cares.records import REACTIONS
from sonolake.errors import ItemRefused
from sonolake.scoring.bootstrap import Score, Sums, intervals, ratio


@dataclass(frozen=True)
class SummaryScores:
    """Recall at one budget.

    Attributes:
        budget: words allowed; what goes beyond them is not read.
        n, missing, too_long: summaries wanted, without an answer, and longer than the budget.
        voided: verdicts whose quote did not stand in the summary. unjudged: summaries that the judge gave no answer to.
        overall: share of all sounds that are mentioned. per_class: by reaction.
        counts: sounds by reaction.
        judge: who judged; rule: ``heard``, or ``heard or nature``.
        by_scene: for each scene by id, sounds by reaction, then those that are mentioned.
    """

    budget: int
    n: int
    missing: int
    too_long: int
    voided: int
    unjudged: int
    overall: Score
    per_class: Mapping[str, Score]
    counts: Mapping[str, int]
    judge: str
    rule: str
    by_scene: Sums = field(repr=False, compare=False)


def score_summaries(
    items: Sequence[Item],
    answers: Mapping[Key, str],
    budget: int,
    judge: Judge,
    resamples: int,
    with_nature: bool = False,
) -> SummaryScores:
    """Recall at a budget.

    Args:
        items: of summary recall.
        answers: by item and budget.
        budget: words.
        judge: says what is mentioned.
        resamples: of the intervals.
        with_nature: count what is only named by its nature, too.
    """
    counted = ("heard", "nature") if with_nature else ("heard",)
    rows: dict[str, list[float]] = {}
    missing = too_long = voided = unjudged = 0
    for item in items:
        given = answers.get((item.item_id, budget), "")
        missing += not given.strip()
        words = given.split()
        too_long += len(words) > budget
        summary = given if len(words) <= budget else " ".join(words[:budget])
        said = _judged(judge, summary, item) if words else {}
        unjudged += said is None
        rows[item.scene_id] = row = [0.0] * (2 * len(REACTIONS))
        for sound in item.sounds:
            verdict = (said or {}).get(sound.event)
            kept = checked(verdict, summary) if verdict else None
            voided += bool(verdict and kept and verdict.verdict != "absent" and kept.verdict == "absent")
            kind = REACTIONS.index(sound.reaction)
            row[kind] += 1
            row[len(REACTIONS) + kind] += bool(kept and kept.verdict in counted)
    return _scores(
        items, rows, budget, (missing, too_long, voided, unjudged), judge.name, resamples, with_nature
    )


def _judged(judge: Judge, summary: str, item: Item) -> Mapping[str, Verdict] | None:
    try:
        return judge.judge(summary, item.sounds)
    except ItemRefused:
        return None


def _scores(
    items: Sequence[Item],
    rows: Mapping[str, list[float]],
    budget: int,
    lost: tuple[int, int, int, int],
    judge: str,
    resamples: int,
    with_nature: bool,
) -> SummaryScores:
    kinds = len(REACTIONS)
    counts = np.array([rows[scene] for scene in sorted(rows)], dtype=float).reshape(len(rows), 2 * kinds)
    figures = [ratio(kinds + i, i) for i in range(kinds)]

    def everything(sums: Sums) -> Sums:
        return np.asarray(sums[:, kinds:].sum(axis=1) / np.maximum(1, sums[:, :kinds].sum(axis=1)))

    overall, *classes = intervals(counts, [everything, *figures], resamples)
    totals = counts.sum(axis=0) if len(counts) else np.zeros(2 * kinds)
    return SummaryScores(
        budget,
        len(items),
        *lost,
        overall,
        dict(zip(REACTIONS, classes, strict=True)),
        {name: int(totals[i]) for i, name in enumerate(REACTIONS)},
        judge,
        "heard or nature" if with_nature else "heard",
        counts,
    )

"""Scores of answers: stage 1, stage 2, and grounded stage 2 (RMS-AQA, section 2.3).

For records i of N, with 1[...] one when true: A_S1 = mean of 1[stage-1 answer right], A_S2 = mean of 1[stage-2 answer
right], A_GS2 = mean of 1[both right]. Every record counts; an answer that is missing or cannot be read is wrong.
Intervals draw clips with replacement, all records of a clip together, within the group that a figure is of.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sonolake.errors import InvalidInput
from sonolake.scoring.bootstrap import Score, intervals, ratio
from sonolake.spatial.benchmark.predictions import Predictions
from sonolake.spatial.benchmark.reading import read_answer
from sonolake.spatial.benchmark.records import Query, Record
from sonolake.spatial.dimensions import DIMENSIONS
from sonolake.spatial.records import ORIGINS

MANY = 3
"""This many sources at once, or more, are one group."""


@dataclass(frozen=True)
class Marked:
    """A record as answered: whether each stage is right, and how many of its answers are missing or unreadable."""

    record: Record
    stage_1: bool
    stage_2: bool
    missing: int = 0
    unreadable: int = 0

    @property
    def grounded(self) -> bool:
        """Both stages are right."""
        return self.stage_1 and self.stage_2


@dataclass(frozen=True)
class Accuracy:
    """Fractions over ``n`` records: stage 1, stage 2, and both."""

    n: int
    stage_1: Score
    stage_2: Score
    grounded: Score


@dataclass(frozen=True)
class Scorecard:
    """Everything about one system.

    Attributes:
        system: its name.
        context: of the stage-2 answers: ``no``, ``predicted`` or ``oracle``.
        n: records. missing, unreadable: answers, of two a record.
        overall: all records.
        per_dimension: the six dimensions by abbreviation.
        per_origin: ``simulated``, ``recorded``, ``stand-in``, as far as there are any.
        per_concurrency: ``1``, ``2``, ``3+`` sources at once.
        per_distance: ``near``, ``far``.
        contexts: all records in each context that the system answered in.
    """

    system: str
    context: str
    n: int
    missing: int
    unreadable: int
    overall: Accuracy
    per_dimension: Mapping[str, Accuracy]
    per_origin: Mapping[str, Accuracy]
    per_concurrency: Mapping[str, Accuracy]
    per_distance: Mapping[str, Accuracy]
    contexts: Mapping[str, Accuracy]


def mark(records: Sequence[Record], predictions: Predictions, context: str = "predicted") -> list[Marked]:
    """Which answers are right, in the order of the records."""
    return [
        _marked(record, predictions.stage_1(record, context), predictions.stage_2(record, context))
        for record in records
    ]


def _marked(record: Record, *answers: str | None) -> Marked:
    queries: tuple[Query, ...] = (record.stage_1, record.stage_2)
    read = [a if a is None else read_answer(a, q.options) for a, q in zip(answers, queries, strict=True)]
    missing = sum(answer is None for answer in answers)
    first, second = (letter == query.answer for letter, query in zip(read, queries, strict=True))
    return Marked(record, first, second, missing, read.count(None) - missing)


def score(
    system: str, records: Sequence[Record], predictions: Predictions, resamples: int = 2000
) -> Scorecard:
    """The scorecard of a system, in predicted context where it answered in several.

    Args:
        system: its name.
        records: of the benchmark.
        predictions: its answers.
        resamples: of the intervals, 0 for none.

    Raises:
        InvalidInput: without records, or for two records of one name.
    """
    names = [record.record_id for record in records]
    if not names or len(set(names)) < len(names):
        raise InvalidInput("records", "one or more, each of its own name", len(names))
    given = predictions.contexts or ("predicted",)
    context = "predicted" if "predicted" in given else given[0]
    by_context = {name: mark(records, predictions, name) for name in given}
    marked = by_context[context]

    def grouped(of: Callable[[Record], str], order: Sequence[str], keep: bool = False) -> dict[str, Accuracy]:
        groups = {name: [one for one in marked if of(one.record) == name] for name in order}
        return {name: accuracy(group, resamples) for name, group in groups.items() if group or keep}

    return Scorecard(
        system,
        context,
        len(marked),
        sum(one.missing for one in marked),
        sum(one.unreadable for one in marked),
        accuracy(marked, resamples),
        grouped(lambda r: r.dimension, tuple(DIMENSIONS), keep=True),
        grouped(lambda r: r.origin, ORIGINS),
        grouped(concurrency, [str(n) for n in range(1, MANY)] + [f"{MANY}+"]),
        grouped(lambda r: r.distance, ("near", "far")),
        {name: accuracy(ones, resamples) for name, ones in by_context.items()},
    )


def concurrency(record: Record) -> str:
    """The group of a record by its sources at once; empty when that is not known."""
    if not record.concurrent:
        return ""
    return str(record.concurrent) if record.concurrent < MANY else f"{MANY}+"


def accuracy(marked: Sequence[Marked], resamples: int = 0) -> Accuracy:
    """The three accuracies of some records, 0 when there is none."""
    by_clip: dict[str, list[int]] = {}
    for one in marked:
        counts = by_clip.setdefault(one.record.clip_id, [0, 0, 0, 0])
        for i, count in enumerate((1, one.stage_1, one.stage_2, one.grounded)):
            counts[i] += count
    rows = [by_clip[clip] for clip in sorted(by_clip)]
    table = np.array(rows, dtype=np.float64).reshape(len(rows), 4)
    figures = [ratio(part, 0) for part in (1, 2, 3)]
    return Accuracy(len(marked), *intervals(table, figures, resamples, "rms-aqa"))

"""Predictions: JSON lines of ``{"question_id", "answer", "stage1"?, "context"?}``, or the published layout.

``question_id`` is of either stage. ``stage1`` beside a stage-2 answer is what was answered in stage 1; one answer to
stage 1 serves all contexts. ``context`` is ``no``, ``predicted`` (when nothing is said) or ``oracle``. In the published
layout a pair's ``prediction``, or else its ``answer``, is what the model said.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sonolake.errors import InvalidInput, NotFound
from sonolake.scoring import as_text, objects
from sonolake.spatial.benchmark.published import pairs, rows
from sonolake.spatial.benchmark.records import CONTEXTS, Record

Key = tuple[str, str]
"""A question's id and the context; the context of a stage-1 answer that serves all is empty."""


@dataclass(frozen=True)
class Trouble:
    """Something that was not taken: where, and why."""

    where: str
    why: str


@dataclass(frozen=True)
class Predictions:
    """Answers as text by key, and what was not taken."""

    answers: Mapping[Key, str]
    troubles: tuple[Trouble, ...] = ()

    @property
    def contexts(self) -> tuple[str, ...]:
        """The contexts that stage 2 was answered in, in the order of :data:`CONTEXTS`."""
        there = {context for _, context in self.answers}
        return tuple(context for context in CONTEXTS if context in there)

    def stage_1(self, record: Record, context: str) -> str | None:
        """The answer to stage 1 that belongs to a context, None when it is missing."""
        question_id = record.stage_1.question_id
        return self.answers.get((question_id, context), self.answers.get((question_id, "")))

    def stage_2(self, record: Record, context: str) -> str | None:
        """The answer to stage 2 in a context, None when it is missing."""
        return self.answers.get((record.stage_2.question_id, context))


def read_predictions(path: Path, records: Iterable[Record]) -> Predictions:
    """The predictions for these records.

    What cannot be read, is of an unknown question, or was answered before, is not taken and reported.

    Args:
        path: JSON lines (``.jsonl``), or a file (``.json``) or folder in the published layout.
        records: of the benchmark.

    Raises:
        NotFound: when there is nothing at ``path``.
    """
    if not path.exists():
        raise NotFound(f"no predictions at {path}")
    whole = tuple(records)
    given = _published(path, whole) if path.is_dir() or path.suffix == ".json" else _lines(path, whole)
    answers: dict[Key, str] = {}
    troubles: list[Trouble] = []
    for where, found in given:
        if isinstance(found, str):
            troubles.append(Trouble(where, found))
            continue
        if repeated := [question for question, context in found if (question, context) in answers]:
            troubles.append(Trouble(where, f"answered before: {repeated[0]}"))
            continue
        answers |= found
    return Predictions(answers, tuple(troubles))


_Given = Iterator[tuple[str, dict[Key, str] | str]]
"""Where, and the answers found there or why there are none."""


def _lines(path: Path, records: tuple[Record, ...]) -> _Given:
    first = {record.stage_1.question_id for record in records}
    second = {record.stage_2.question_id: record for record in records}
    for number, row in objects(path, "question_id"):
        yield f"line {number}", row if isinstance(row, str) else _read(row, first, second)


def _read(row: Mapping[str, Any], first: set[str], second: Mapping[str, Record]) -> dict[Key, str] | str:
    question_id, context = row["question_id"], row.get("context", "predicted")
    if row.get("answer") is None:
        return "no answer"
    if context not in CONTEXTS:
        return f"context {context!r} is none of {', '.join(CONTEXTS)}"
    if question_id in first:
        return {(question_id, ""): as_text(row["answer"])}
    if question_id not in second:
        return f"no question {question_id}"
    found = {(question_id, context): as_text(row["answer"])}
    if row.get("stage1") is not None:
        found[second[question_id].stage_1.question_id, context] = as_text(row["stage1"])
    return found


def _published(path: Path, records: tuple[Record, ...]) -> _Given:
    known = {record.record_id: record for record in records}
    for name, _, record_id, row in rows(path):
        where = f"{name}, {record_id}"
        if record_id not in known:
            yield where, f"no record {record_id}"
            continue
        try:
            by_stage = pairs(row)
        except (InvalidInput, LookupError, TypeError, ValueError, AttributeError) as error:
            yield where, f"no pair of each stage: {error}"
            continue
        record = known[record_id]
        keys = {1: (record.stage_1.question_id, ""), 2: (record.stage_2.question_id, "predicted")}
        said = {stage: pair.get("prediction", pair.get("answer")) for stage, pair in by_stage.items()}
        yield where, {keys[stage]: as_text(answer) for stage, answer in said.items() if answer is not None}

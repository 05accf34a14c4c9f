"""Scores of answers: stage 1, stage 2, and grounded stage 2 (RMS-AQA, section 2.3).

For records i of N, with 1[...] one when true: A_S1 = mean of 1[stage-1 answer right], A_S2 = mean of 1[stage-2 answer
right], A_GS2 = mean of 1[both right]. Every record counts; an answer that is missing or cannot be read is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sonolake.errors import InvalidInput
from sonolake.spatial.dimensions import DIMENSIONS, dimension_of

_TAGGED = re.compile(r"(?i:<answer>)\s*\(?([A-Za-z])\)?(?![A-Za-z])[^<]*(?i:</answer>)")
_MARKED = re.compile(
    r"\b(?i:final answer|answer|option)\b(?i:\s+is)?\s*[:=-]?\s*\**(?:\(([A-Za-z])\)|([A-Z])(?![A-Za-z]))"
)
_LEADING = re.compile(r"^[\s*]*(?:\(([A-Za-z])\)|([A-Z])(?=[.):*]|\s*$))", re.MULTILINE)
_SINGLE = re.compile(r"(?<![A-Za-z'])([A-Z])(?![A-Za-z'])")


@dataclass(frozen=True)
class Pair:
    """Both questions of a record as answered.

    Attributes:
        dimension: the stage-2 category in any published spelling; numbers are not read.
        stage_1, stage_2: the right letters.
        answer_1, answer_2: what was answered, as text; None when missing.
    """

    dimension: str
    stage_1: str
    stage_2: str
    answer_1: str | None
    answer_2: str | None


@dataclass(frozen=True)
class Accuracy:
    """Fractions over ``n`` records: stage 1, stage 2, both; NaN-free, 0.0 when there is none."""

    n: int
    stage_1: float
    stage_2: float
    grounded: float


@dataclass(frozen=True)
class Scores:
    """Overall and by dimension (all six), with the counts of answers that were missing or could not be read."""

    overall: Accuracy
    by_dimension: Mapping[str, Accuracy]
    missing: int
    unreadable: int


def read_answer(text: str, letters: Sequence[str] = ("A", "B", "C", "D")) -> str | None:
    """The letter that a free text answers, or None.

    Tried in this order (the published scorer's): an ``<answer>`` tag; the last "final answer", "answer" or "option"
    with a letter; the last letter that begins a line and is set off by ``.``, ``)``, ``:``, brackets or the line's end;
    single capital letters, when all of them are the same (an article "A" counts).
    """
    allowed = {letter.upper() for letter in letters}
    for pattern in (_TAGGED, _MARKED, _LEADING):
        letters_found = ("".join(match.groups(default="")).upper() for match in pattern.finditer(text))
        found = [letter for letter in letters_found if letter in allowed]
        if found:
            return found[-1]
    single = {letter for letter in _SINGLE.findall(text) if letter in allowed}
    return single.pop() if len(single) == 1 else None


def score(pairs: Iterable[Pair]) -> Scores:
    """Scores of all records.

    Raises:
        InvalidInput: for a category name that is none of the six, or a key that is not a letter.
    """
    rights: dict[str, list[tuple[bool, bool]]] = {name: [] for name in DIMENSIONS}
    missing = unreadable = 0
    for pair in pairs:
        answers = (pair.answer_1, pair.answer_2)
        read = [None if text is None else read_answer(text) for text in answers]
        missing += sum(text is None for text in answers)
        unreadable += sum(
            text is not None and letter is None for text, letter in zip(answers, read, strict=True)
        )
        first, second = _key(pair.stage_1), _key(pair.stage_2)
        rights[dimension_of(pair.dimension)].append((read[0] == first, read[1] == second))
    everything = [right for rows in rights.values() for right in rows]
    return Scores(
        _accuracy(everything), {d: _accuracy(rows) for d, rows in rights.items()}, missing, unreadable
    )


def _key(letter: str) -> str:
    if not re.fullmatch("[A-Z]", letter):
        raise InvalidInput("answer key", "one capital letter", letter)
    return letter


def _accuracy(rights: Sequence[tuple[bool, bool]]) -> Accuracy:
    n = len(rights)
    if not n:
        return Accuracy(0, 0.0, 0.0, 0.0)
    counts = (sum(a for a, _ in rights), sum(b for _, b in rights), sum(a and b for a, b in rights))
    return Accuracy(n, *(count / n for count in counts))

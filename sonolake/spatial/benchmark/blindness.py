"""Can the answers be had without listening? Predictors that never hear, against chance, by dimension.

Each predictor answers every question; in each dimension and in stage 1 its number of right answers is tested, one-sided
and exactly, against that of guessing. All tests that are judged form one family: by Holm (1979) a p value of m is
compared to 1 % over the number of tests not yet rejected, so that a benchmark that is blind is called otherwise at most
once in a hundred times. Action Prediction, which common sense can partly answer, is reported for text-only models and
not judged.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sonolake.spatial.benchmark.guessing import LEARNT, Asked, Guess, always, by_dimension, said
from sonolake.spatial.benchmark.predictions import Predictions
from sonolake.spatial.benchmark.reading import read_answer
from sonolake.spatial.benchmark.records import Query, Record
from sonolake.spatial.dimensions import DIMENSIONS, STAGE_1

FAMILY_LEVEL = 0.01
"""Chance that any judged test of a benchmark without a trace is rejected."""
TEXT_ONLY = "text-only"
"""What the names of models begin with that read the text and hear nothing."""
TEXT_MODEL = f"{TEXT_ONLY} model"
"""One behind an endpoint, which was asked without sound."""
KEPT_AS = "rms-aqa:text-only"
"""The question under which a lake keeps such a model's answers among its judgements."""
COLUMNS = (STAGE_1, *DIMENSIONS)
Told = Mapping[str, Mapping[str, str]]
"""What models said that heard nothing: by name, then by question id."""


@dataclass(frozen=True)
class Finding:
    """What a predictor reaches in a dimension.

    Attributes:
        predictor: its name.
        dimension: ``S1`` for stage 1, or one of the six.
        n: questions. right: how many it answers rightly. chance: the expected share of guessing.
        p: one-sided exact probability of as many right answers by guessing.
        judged: whether it counts for the verdict.
        beats: whether it is better than chance in the family of all judged tests; never without being judged.
    """

    predictor: str
    dimension: str
    n: int
    right: int
    chance: float
    p: float
    judged: bool = True
    beats: bool = False

    @property
    def accuracy(self) -> float:
        """Share of right answers, 0 without questions."""
        return self.right / self.n if self.n else 0.0


def blindness(records: Sequence[Record], told: Told | None = None) -> list[Finding]:
    """What predictors that hear nothing reach, by predictor and dimension.

    The predictors: each letter always; the option with the most characters; the option whose words (those that not all
    options share) were most often part of a right answer in other clips' questions of the dimension, which finds
    favourite classes, numbers and directions; a small model that reads question and options, cross-validated by clip;
    and models that were asked without sound.

    Args:
        records: of a benchmark.
        told: answers of models without sound; those they lack are wrong.
    """
    groups = dict(by_dimension(records, COLUMNS))
    letters = sorted({letter for asked in groups.values() for _, q in asked for letter in q.options})
    fixed: dict[str, Guess] = {f"always {letter}": always(letter) for letter in letters}
    read = {name: said(_letters(records, answers)) for name, answers in (told or {}).items()}
    return _holm(
        [
            _finding(name, dimension, asked, guess)
            for dimension, asked in groups.items()
            for name, guess in {**fixed, **_learnt(asked), **read}.items()
        ]
    )


def guessed(records: Sequence[Record], told: Told | None = None) -> dict[str, dict[str, str]]:
    """By the name of each predictor that does not always say one letter: its letter for each question, by question id.

    What a model did not answer, or not readably, is left out.
    """
    found: dict[str, dict[str, str]] = {name: {} for name in LEARNT}
    for _, asked in by_dimension(records, COLUMNS):
        for name, guess in _learnt(asked).items():
            found[name] |= {one[1].question_id: str(guess(one)) for one in asked}
    for name, answers in (told or {}).items():
        found[name] = {key: letter for key, letter in _letters(records, answers).items() if letter}
    return found


def answers_of(predictions: Predictions, records: Sequence[Record]) -> dict[str, str]:
    """What a model said of each question, in the first context that there is."""
    context = next(iter(predictions.contexts), "predicted")
    found: dict[str, str] = {}
    for record in records:
        first, second = predictions.stage_1(record, context), predictions.stage_2(record, context)
        found |= {record.stage_1.question_id: first} if first is not None else {}
        found |= {record.stage_2.question_id: second} if second is not None else {}
    return found


def judged(predictor: str, dimension: str) -> bool:
    """Whether what a predictor reaches in a dimension counts for the verdict."""
    return not (predictor.startswith(TEXT_ONLY) and dimension == "AP")


def table(findings: Sequence[Finding]) -> str:
    """The findings as a Markdown table in percent, a row a predictor; ``!`` marks what beats chance."""
    head, *rows = cells(findings)
    lines = [head, ["---", *("--:" for _ in head[1:])], *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def cells(findings: Sequence[Finding]) -> list[list[str]]:
    """The lines of :func:`table`, the head first."""
    columns = [d for d in (STAGE_1, *DIMENSIONS) if any(f.dimension == d for f in findings)]
    by_place = {(f.predictor, f.dimension): f for f in findings}
    chance = {d: next(f for f in findings if f.dimension == d) for d in columns}
    return [
        ["Answers without listening, %", *columns],
        ["questions", *(str(chance[d].n) for d in columns)],
        ["chance", *(f"{100 * chance[d].chance:.1f}" for d in columns)],
        *(
            [name, *(_cell(by_place.get((name, d))) for d in columns)]
            for name in dict.fromkeys(f.predictor for f in findings)
        ),
    ]


def verdict(findings: Sequence[Finding]) -> str:
    """How many predictors beat chance, in a sentence."""
    beats, tests = sum(f.beats for f in findings), sum(f.judged for f in findings)
    told = f"{beats} beat chance" if beats else "none beats chance"
    return f"{told}: {tests} tests, {100 * FAMILY_LEVEL:.0f} % for all of them together"


def _cell(finding: Finding | None) -> str:
    if finding is None:
        return ""
    mark = "" if finding.judged else " (not judged)"
    return f"{100 * finding.accuracy:.1f}{' !' if finding.beats else ''}{mark}"


def upper_tail(right: int, n: int, chance: float) -> float:
    """The probability of ``right`` or more of ``n`` at a chance strictly between 0 and 1 (binomial)."""
    if right <= 0:
        return 1.0
    terms = (
        math.lgamma(n + 1)
        - math.lgamma(k + 1)
        - math.lgamma(n - k + 1)
        + k * math.log(chance)
        + (n - k) * math.log1p(-chance)
        for k in range(right, n + 1)
    )
    return min(1.0, math.fsum(map(math.exp, terms)))


def _learnt(asked: Sequence[Asked]) -> dict[str, Guess]:
    return {name: make(asked) for name, make in LEARNT.items()}


def _letters(records: Sequence[Record], answers: Mapping[str, str]) -> dict[str, str | None]:
    return {
        query.question_id: read_answer(answers[query.question_id], query.options)
        for query in _queries(records)
        if query.question_id in answers
    }


def _queries(records: Sequence[Record]) -> Iterator[Query]:
    for record in records:
        yield from (record.stage_1, record.stage_2)


def _finding(name: str, dimension: str, asked: Sequence[Asked], guess: Guess) -> Finding:
    right = sum(guess(one) == one[1].answer for one in asked)
    chance = math.fsum(1 / len(query.options) for _, query in asked) / len(asked)
    p = upper_tail(right, len(asked), chance)
    return Finding(name, dimension, len(asked), right, chance, p, judged(name, dimension))


def _holm(found: Sequence[Finding]) -> list[Finding]:
    tests = sorted((f for f in found if f.judged), key=lambda f: f.p)
    rejected: set[tuple[str, str]] = set()
    for number, one in enumerate(tests):
        if one.p > FAMILY_LEVEL / (len(tests) - number):
            break
        rejected.add((one.predictor, one.dimension))
    return [Finding(**{**vars(f), "beats": (f.predictor, f.dimension) in rejected}) for f in found]

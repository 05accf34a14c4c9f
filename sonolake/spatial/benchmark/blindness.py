"""Can the answers be had without listening? Predictors that never hear, against chance, by dimension.

Each predictor answers every question; in each dimension and in stage 1 its number of right answers is tested, one-sided
and exactly, against that of guessing. All tests that are judged form one family: by Holm (1979) a p value of m is
compared to 1 % over the number of tests not yet rejected, so that a benchmark that is blind is called otherwise at most
once in a hundred times. Action Prediction, which common sense can partly answer, is reported for a text-only model and
not judged.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from sonolake.ids import rng_of, seed_of
from sonolake.spatial.benchmark.predictions import Predictions
from sonolake.spatial.benchmark.reading import read_answer
from sonolake.spatial.benchmark.records import Query, Record
from sonolake.spatial.dimensions import DIMENSIONS, STAGE_1

FAMILY_LEVEL = 0.01
"""Chance that any judged test of a benchmark without a trace is rejected."""
TEXT_MODEL = "text-only model"
FOLDS = 10
"""The most frequent answers are counted over the clips of the other folds."""
_WORD = re.compile(r"[\w.-]*\w")

Asked = tuple[Record, Query]
Guess = Callable[[Asked], str | None]


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


def blindness(records: Sequence[Record], text_only: Predictions | None = None) -> list[Finding]:
    """What predictors that hear nothing reach, by predictor and dimension.

    The predictors: each letter always; the option with the most characters; the option whose words (those that not all
    options share) were most often part of a right answer in other clips' questions of the dimension, which finds
    favourite classes, numbers and directions; and a model that read the text alone.

    Args:
        records: of a benchmark.
        text_only: answers of a model without sound; those it lacks are wrong.
    """
    groups = _groups(records)
    letters = sorted({letter for asked in groups.values() for _, q in asked for letter in q.options})
    guesses: dict[str, Callable[[str], Guess]] = {
        **{f"always {letter}": _always(letter) for letter in letters},
        **_by_options(groups),
    }
    if text_only is not None:
        guesses[TEXT_MODEL] = lambda dimension: _read(text_only, dimension)
    found = [
        _finding(name, dimension, asked, make(dimension))
        for name, make in guesses.items()
        for dimension, asked in groups.items()
        if asked
    ]
    return _holm(found)


def guessed(records: Sequence[Record]) -> dict[str, dict[str, str]]:
    """By the name of each predictor that looks at the options alone: its letter for each question, by question id."""
    groups = _groups(records)
    found: dict[str, dict[str, str]] = {}
    for name, make in _by_options(groups).items():
        asked = [(make(dimension), one) for dimension, group in groups.items() for one in group]
        found[name] = {
            one[1].question_id: letter for guess, one in asked if (letter := guess(one)) is not None
        }
    return found


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
    beats, judged = sum(f.beats for f in findings), sum(f.judged for f in findings)
    said = f"{beats} beat chance" if beats else "none beats chance"
    return f"{said}: {judged} tests, {100 * FAMILY_LEVEL:.0f} % for all of them together"


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


def _groups(records: Sequence[Record]) -> dict[str, list[Asked]]:
    """Questions by dimension, in the order of their ids."""
    ordered = sorted(records, key=lambda r: r.record_id)
    groups: dict[str, list[Asked]] = {STAGE_1: [(r, r.stage_1) for r in ordered]}
    for dimension in DIMENSIONS:
        groups[dimension] = [(r, r.stage_2) for r in ordered if r.dimension == dimension]
    return groups


def _finding(name: str, dimension: str, asked: Sequence[Asked], guess: Guess) -> Finding:
    right = sum(guess(one) == one[1].answer for one in asked)
    chance = math.fsum(1 / len(query.options) for _, query in asked) / len(asked)
    judged = not (name == TEXT_MODEL and dimension == "AP")
    return Finding(name, dimension, len(asked), right, chance, upper_tail(right, len(asked), chance), judged)


def _holm(found: Sequence[Finding]) -> list[Finding]:
    judged = sorted((f for f in found if f.judged), key=lambda f: f.p)
    rejected: set[tuple[str, str]] = set()
    for number, one in enumerate(judged):
        if one.p > FAMILY_LEVEL / (len(judged) - number):
            break
        rejected.add((one.predictor, one.dimension))
    return [Finding(**{**vars(f), "beats": (f.predictor, f.dimension) in rejected}) for f in found]


def _by_options(groups: Mapping[str, Sequence[Asked]]) -> dict[str, Callable[[str], Guess]]:
    return {
        "longest option": lambda _: _longest,
        "most frequent answer": lambda dimension: _frequent(groups[dimension]),
    }


def _always(letter: str) -> Callable[[str], Guess]:
    return lambda _: lambda asked: letter


def _longest(asked: Asked) -> str:
    return _best(asked[1], {letter: float(len(text)) for letter, text in asked[1].options.items()})


def _read(text_only: Predictions, dimension: str) -> Guess:
    context = next(iter(text_only.contexts), "predicted")

    def guess(asked: Asked) -> str | None:
        record, query = asked
        said = text_only.stage_1 if dimension == STAGE_1 else text_only.stage_2
        text = said(record, context)
        return None if text is None else read_answer(text, query.options)

    return guess


def _frequent(asked: Sequence[Asked]) -> Guess:
    """The option whose words were right most often, learnt from the questions of other folds of clips."""
    offered: list[dict[str, int]] = [{} for _ in range(FOLDS)]
    right: list[dict[str, int]] = [{} for _ in range(FOLDS)]
    for record, query in asked:
        own = _fold(record)
        for letter, words in _distinct(query).items():
            for fold in (f for f in range(FOLDS) if f != own):
                for word in words:
                    offered[fold][word] = offered[fold].get(word, 0) + 1
                    right[fold][word] = right[fold].get(word, 0) + (letter == query.answer)

    def guess(one: Asked) -> str:
        record, query = one
        fold, prior = _fold(record), 1 / len(query.options)
        rates = {
            letter: [(right[fold].get(w, 0) + prior) / (offered[fold].get(w, 0) + 1) for w in sorted(words)]
            or [prior]
            for letter, words in _distinct(query).items()
        }
        return _best(query, {letter: math.fsum(each) / len(each) for letter, each in rates.items()})

    return guess


def _fold(record: Record) -> int:
    return seed_of(record.clip_id, "blindness") % FOLDS


def _distinct(query: Query) -> Mapping[str, set[str]]:
    """The words of each option that not all of them share."""
    words = {letter: set(_WORD.findall(text.casefold())) for letter, text in query.options.items()}
    shared = set.intersection(*words.values())
    return {letter: own - shared for letter, own in words.items()}


def _best(query: Query, scores: Mapping[str, float]) -> str:
    """The letter of the highest score; equal ones are drawn from the question's id."""
    most = max(scores.values())
    best = sorted(letter for letter, score in scores.items() if score == most)
    return best[int(rng_of(query.question_id, "tie").integers(len(best)))]

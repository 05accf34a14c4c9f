"""Predictors that see questions and options and hear nothing; they learn from the questions about other clips."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

from sonolake.ids import rng_of, seed_of
from sonolake.spatial.benchmark.records import Query, Record

LONGEST, FREQUENT, READER = "longest option", "most frequent answer", "text-only reader"
FOLDS = 10
"""What is learnt for a clip is learnt from those of the other folds."""
_SHRINK = 10.0
"""How many questions a feature's share of right answers is drawn towards chance by."""
_WORD = re.compile(r"[\w.-]*\w")

Asked = tuple[Record, Query]
Guess = Callable[[Asked], str | None]
Feature = tuple[str, ...]


def always(letter: str) -> Guess:
    """The same letter for each question."""
    return lambda asked: letter


def said(answers: Mapping[str, str | None]) -> Guess:
    """Letters by question id; wrong where there is none."""
    return lambda asked: answers.get(asked[1].question_id)


def longest(asked: Sequence[Asked]) -> Guess:
    """The option with the most characters."""
    return lambda one: _best(one[1], {letter: float(len(text)) for letter, text in one[1].options.items()})


def frequent(asked: Sequence[Asked]) -> Guess:
    """The option whose words were right most often: the mean share over its words that not all options have."""
    learnt = _Shares(asked, lambda query: {k: [(w,) for w in v] for k, v in _distinct(query).items()})
    return learnt.guess(lambda rates: math.fsum(rates) / len(rates) if rates else 0.0, prior=1.0)


def reader(asked: Sequence[Asked]) -> Guess:
    """A naive Bayes classifier of options, the smallest model that reads.

    It weighs an option's words, each of them together with each word of the question, how its length, its number and
    its likeness to the other options rank among the four, and its letter; for each the logarithm of how much more
    often than by chance it was right, shrunk towards none.
    """
    learnt = _Shares(asked, _read)
    return learnt.guess(lambda rates: math.fsum(map(math.log, rates)), prior=_SHRINK)


LEARNT: Mapping[str, Callable[[Sequence[Asked]], Guess]] = {
    LONGEST: longest,
    FREQUENT: frequent,
    READER: reader,
}
"""Predictors of the questions of a dimension, by name."""


class _Shares:
    """How often each feature of an option was offered, and right, by fold."""

    def __init__(
        self, asked: Sequence[Asked], features: Callable[[Query], Mapping[str, Sequence[Feature]]]
    ) -> None:
        self._features = features
        self._offered: dict[int, Counter[Feature]] = defaultdict(Counter)
        self._right: dict[int, Counter[Feature]] = defaultdict(Counter)
        for record, query in asked:
            fold = _fold(record)
            for letter, found in features(query).items():
                self._offered[fold].update(found)
                if letter == query.answer:
                    self._right[fold].update(found)
        self._all = sum(self._offered.values(), Counter()), sum(self._right.values(), Counter())

    def guess(self, score: Callable[[list[float]], float], prior: float) -> Guess:
        """The option of the highest score of its features' shares of right answers, as multiples of chance."""
        known: dict[tuple[int, float, Feature], float] = {}

        def rate(fold: int, chance: float, feature: Feature) -> float:
            n = self._all[0][feature] - self._offered[fold][feature]
            right = self._all[1][feature] - self._right[fold][feature]
            return (right + prior * chance) / (n + prior) / chance

        def guessed(one: Asked) -> str:
            record, query = one
            own, chance = _fold(record), 1 / len(query.options)
            scores = {}
            for letter, found in self._features(query).items():
                keys = [(own, chance, feature) for feature in found]
                known.update({key: rate(*key) for key in keys if key not in known})
                scores[letter] = score([known[key] for key in keys])
            return _best(query, scores)

        return guessed


def _read(query: Query) -> Mapping[str, Sequence[Feature]]:
    """The features of each option."""
    asked = sorted(set(_WORD.findall(query.question.casefold())))
    words = _distinct(query)
    ranks = {
        "length": _ranked({letter: float(len(text)) for letter, text in query.options.items()}),
        "number": _ranked({letter: _number(text) for letter, text in query.options.items()}),
        "like": _ranked(
            {a: float(sum(len(own & other) for other in words.values())) for a, own in words.items()}
        ),
    }
    return {
        letter: [
            ("letter", letter),
            *((name, rank) for name, by_letter in ranks.items() if (rank := by_letter[letter])),
            *((word,) for word in sorted(own)),
            *(("beside", word, other) for word in sorted(own) for other in asked),
        ]
        for letter, own in words.items()
    }


def _ranked(values: Mapping[str, float]) -> dict[str, str]:
    """Place of each value among the four, equal ones at one place; nothing where all are equal."""
    ordered = sorted(values.values())
    if ordered[0] == ordered[-1]:
        return dict.fromkeys(values, "")
    return {
        letter: f"{ordered.index(value)}-{len(ordered) - ordered[::-1].index(value)}"
        for letter, value in values.items()
    }


def _number(text: str) -> float:
    found = re.search(r"\d+(?:\.\d+)?", text)
    return float(found[0]) if found else -1.0


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


def by_dimension(records: Sequence[Record], dimensions: Sequence[str]) -> Iterator[tuple[str, list[Asked]]]:
    """Stage 1 and the questions of each dimension that has any, in the order of their ids."""
    ordered = sorted(records, key=lambda r: r.record_id)
    if ordered:
        yield dimensions[0], [(r, r.stage_1) for r in ordered]
    for dimension in dimensions[1:]:
        if asked := [(r, r.stage_2) for r in ordered if r.dimension == dimension]:
            yield dimension, asked

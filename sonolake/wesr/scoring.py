"""Scores of tagged transcripts as the paper defines them (WESR, section 4.4).

The hypothesis is aligned to the reference's words, tags are mapped to positions, and for every tag the positions are
compared: TP in both, FP in the hypothesis alone, FN in the reference alone. Precision = TP / (TP + FP), recall =
TP / (TP + FN), F1 = 2 TP / (2 TP + FP + FN), 0 where the denominator is 0. Micro: of the summed counts. Macro: the mean
of the tags' precisions, recalls and F1s. A missing hypothesis is an empty one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sonolake.wesr.align import align
from sonolake.wesr.positions import positions
from sonolake.wesr.scoretext import tokens
from sonolake.wesr.taxonomy import TAGS

_CATEGORY = {tag.name: tag.aggregate for tag in TAGS}


@dataclass(frozen=True)
class Counts:
    """Positions right, wrong and missed, and what follows from them."""

    tp: int = 0
    fp: int = 0
    fn: int = 0

    @property
    def precision(self) -> float:
        """TP / (TP + FP)."""
        return self.tp / (self.tp + self.fp) if self.tp else 0.0

    @property
    def recall(self) -> float:
        """TP / (TP + FN)."""
        return self.tp / (self.tp + self.fn) if self.tp else 0.0

    @property
    def f1(self) -> float:
        """2 TP / (2 TP + FP + FN)."""
        return 2 * self.tp / (2 * self.tp + self.fp + self.fn) if self.tp else 0.0

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.tp + other.tp, self.fp + other.fp, self.fn + other.fn)


@dataclass(frozen=True)
class Macro:
    """Means over tags."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True)
class Scores:
    """All figures of a set.

    Attributes:
        n: references.
        missing: references without a hypothesis.
        odd_tags: tags on either side that were unclosed, stray or opened twice.
        per_tag, per_category: counts of each tag, and of each aggregate with its tags taken as one.
        micro: of all tags together.
        macro: over tags that occur on either side.
        macro21: over the 21 tags of the taxonomy, those that do not occur counting 0.
        discrete, continuous: micro counts of the taxonomy's tags of that form.
    """

    n: int
    missing: int
    odd_tags: int
    per_tag: Mapping[str, Counts]
    per_category: Mapping[str, Counts]
    micro: Counts
    macro: Macro
    macro21: Macro
    discrete: Counts
    continuous: Counts


def compare(
    reference: str, hypothesis: str, rename: Mapping[str, str] | None = None
) -> tuple[dict[str, Counts], int]:
    """Counts of every tag of one utterance, and its number of odd tags.

    Args:
        reference, hypothesis: tagged texts.
        rename: new names of tags, such as their aggregates.
    """
    wanted = tokens(reference, rename)
    right, odd = positions(wanted)
    found, odder = positions(align(tokens(hypothesis, rename), wanted))
    counts = {}
    for name in sorted(right.keys() | found.keys()):
        a, b = right.get(name, set()), found.get(name, set())
        counts[name] = Counts(len(a & b), len(b - a), len(a - b))
    return counts, odd + odder


def score(references: Iterable[tuple[str, str]], hypotheses: Mapping[str, str]) -> Scores:
    """Scores of a set, in memory that does not grow with it.

    Args:
        references: (utterance id, tagged text) pairs.
        hypotheses: tagged texts by utterance id; those of other ids are not looked at.
    """
    tags: Counter[tuple[str, str]] = Counter()
    categories: Counter[tuple[str, str]] = Counter()
    n = missing = odd = 0
    for utterance_id, reference in references:
        n, missing = n + 1, missing + (utterance_id not in hypotheses)
        hypothesis = hypotheses.get(utterance_id, "")
        counts, odd_here = compare(reference, hypothesis)
        odd += odd_here
        _collect(tags, counts)
        if counts:
            _collect(categories, compare(reference, hypothesis, _CATEGORY)[0])
    return _scores(n, missing, odd, _tallied(tags), _tallied(categories))


def _collect(into: Counter[tuple[str, str]], counts: Mapping[str, Counts]) -> None:
    for name, count in counts.items():
        into[name, "tp"] += count.tp
        into[name, "fp"] += count.fp
        into[name, "fn"] += count.fn


def _tallied(tally: Mapping[tuple[str, str], int]) -> dict[str, Counts]:
    names = sorted({name for name, _ in tally})
    return {name: Counts(tally[name, "tp"], tally[name, "fp"], tally[name, "fn"]) for name in names}


def _scores(n: int, missing: int, odd: int, tags: dict[str, Counts], categories: dict[str, Counts]) -> Scores:
    known = {tag.name: tags.get(tag.name, Counts()) for tag in TAGS}
    forms = {form: [known[t.name] for t in TAGS if t.form == form] for form in ("discrete", "continuous")}
    return Scores(
        n=n,
        missing=missing,
        odd_tags=odd,
        per_tag=tags,
        per_category=categories,
        micro=sum(tags.values(), Counts()),
        macro=_macro([c for c in tags.values() if c != Counts()]),
        macro21=_macro(list(known.values())),
        discrete=sum(forms["discrete"], Counts()),
        continuous=sum(forms["continuous"], Counts()),
    )


def _macro(counts: list[Counts]) -> Macro:
    size = max(1, len(counts))
    return Macro(
        sum(c.precision for c in counts) / size,
        sum(c.recall for c in counts) / size,
        sum(c.f1 for c in counts) / size,
    )

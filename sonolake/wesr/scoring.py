"""Scores of tagged transcripts (WESR, section 4.4).

The hypothesis is aligned to the reference's words, tags are mapped to positions, and for every tag the positions are
compared: TP in both, FP in the hypothesis alone, FN in the reference alone. Micro: of the summed counts. Macro: the
mean of the tags' rates.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from sonolake.wesr.bootstrap import Bootstrap, Intervals
from sonolake.wesr.comparing import Compared, compare
from sonolake.wesr.counts import Counts, Rates, macro
from sonolake.wesr.reading import PAPER, Reading
from sonolake.wesr.taxonomy import TAGS
from sonolake.wesr.worderrors import WordErrors, word_errors

Watch = Callable[[str, str, Compared], None]
"""Called with every utterance's id, reference and comparison, in order."""


@dataclass(frozen=True)
class Scores:
    """All figures of a set.

    Attributes:
        reading: ``paper`` or ``compat``.
        n: utterances scored.
        missing: references without a hypothesis; scored as empty in ``paper``, left out in ``compat``.
        odd_tags: tags on either side that were unclosed, stray or opened twice.
        per_tag, per_category: counts of each tag, and of each aggregate with its tags taken as one.
        micro: of all tags together.
        macro: over tags that occur on either side.
        macro21: over the 21 tags of the taxonomy, those that do not occur counting 0.
        discrete, continuous: micro counts of the taxonomy's tags of that form.
        discrete_macro, continuous_macro: means over the tags of that form that occur.
        words: errors of the transcripts without tags.
        intervals: of F1s and the word error rate; None when none were asked for or nothing was scored.
    """

    reading: str
    n: int
    missing: int
    odd_tags: int
    per_tag: Mapping[str, Counts]
    per_category: Mapping[str, Counts]
    micro: Counts
    macro: Rates
    macro21: Rates
    discrete: Counts
    continuous: Counts
    discrete_macro: Rates
    continuous_macro: Rates
    words: WordErrors
    intervals: Intervals | None


def score(
    references: Iterable[tuple[str, str]],
    hypotheses: Mapping[str, str],
    reading: Reading = PAPER,
    resamples: int = 0,
    watch: Watch | None = None,
) -> Scores:
    """Scores of a set, in memory that does not grow with it.

    Args:
        references: (utterance id, tagged text) pairs.
        hypotheses: tagged texts by utterance id; those of other ids are not looked at.
        reading: how utterances are compared.
        resamples: of the bootstrap; 0 for no intervals.
        watch: sees every utterance that is scored.
    """
    sums = _Sums(Bootstrap(resamples) if resamples else None)
    missing = 0
    for utterance_id, reference in references:
        hypothesis = hypotheses.get(utterance_id)
        missing += hypothesis is None
        if hypothesis is None and not reading.counts_missing:
            continue
        compared = compare(reference, hypothesis or "", reading)
        sums.add(utterance_id, compared, word_errors(reference, hypothesis or ""))
        if watch:
            watch(utterance_id, reference, compared)
    return sums.scores(reading.name, missing)


class _Sums:
    """Running sums of a set."""

    def __init__(self, bootstrap: Bootstrap | None) -> None:
        self.bootstrap = bootstrap
        self.n = self.odd = 0
        self.tags: Counter[tuple[str, str]] = Counter()
        self.categories: Counter[tuple[str, str]] = Counter()
        self.words: Counter[str] = Counter()

    def add(self, utterance_id: str, compared: Compared, words: WordErrors) -> None:
        self.n, self.odd = self.n + 1, self.odd + compared.odd_tags
        _collect(self.tags, compared.per_tag)
        _collect(self.categories, compared.per_category)
        self.words.update(vars(words))
        if self.bootstrap:
            self.bootstrap.add(
                utterance_id, compared.per_tag, compared.per_category, words.words, words.errors
            )

    def scores(self, reading: str, missing: int) -> Scores:
        tags = _tallied(self.tags)
        known = {tag.name: tags.get(tag.name, Counts()) for tag in TAGS}
        discrete = [known[tag.name] for tag in TAGS if tag.form == "discrete"]
        continuous = [known[tag.name] for tag in TAGS if tag.form == "continuous"]
        return Scores(
            reading=reading,
            n=self.n,
            missing=missing,
            odd_tags=self.odd,
            per_tag=tags,
            per_category=_tallied(self.categories),
            micro=sum(tags.values(), Counts()),
            macro=_macro_of_seen(tags.values()),
            macro21=macro([counts.rates for counts in known.values()]),
            discrete=sum(discrete, Counts()),
            continuous=sum(continuous, Counts()),
            discrete_macro=_macro_of_seen(discrete),
            continuous_macro=_macro_of_seen(continuous),
            words=WordErrors(**self.words),
            intervals=self.bootstrap.intervals() if self.bootstrap and self.n else None,
        )


def _collect(into: Counter[tuple[str, str]], counts: Mapping[str, Counts]) -> None:
    for name, count in counts.items():
        into[name, "tp"] += count.tp
        into[name, "fp"] += count.fp
        into[name, "fn"] += count.fn


def _tallied(tally: Mapping[tuple[str, str], int]) -> dict[str, Counts]:
    names = sorted({name for name, _ in tally})
    return {name: Counts(tally[name, "tp"], tally[name, "fp"], tally[name, "fn"]) for name in names}


def _macro_of_seen(counts: Iterable[Counts]) -> Rates:
    return macro([count.rates for count in counts if count != Counts()])

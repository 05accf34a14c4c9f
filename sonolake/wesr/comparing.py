"""One utterance compared: the hypothesis over the reference's words, and positions right, wrong and missed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sonolake.wesr.counts import Counts
from sonolake.wesr.positions import Positions
from sonolake.wesr.reading import PAPER, Reading
from sonolake.wesr.scoretext import is_tag, renamed, tokens


@dataclass(frozen=True)
class Compared:
    """What came out.

    Attributes:
        per_tag: counts of each tag on either side.
        per_category: counts with tags under their aggregates; tags without one keep their name.
        odd_tags: tags on either side that were unclosed, stray or opened twice.
        wanted, found: positions of each tag in the reference and in the aligned hypothesis.
    """

    per_tag: Mapping[str, Counts]
    per_category: Mapping[str, Counts]
    odd_tags: int
    wanted: Positions
    found: Positions


def compare(reference: str, hypothesis: str, reading: Reading = PAPER) -> Compared:
    """Compare two tagged texts.

    Args:
        reference, hypothesis: tagged texts.
        reading: how.
    """
    right, mine = tokens(reference, reading.options), tokens(hypothesis, reading.options)
    if not any(map(is_tag, right)) and not any(map(is_tag, mine)):
        return Compared({}, {}, 0, {}, {})
    wanted, odd = reading.positions(right)
    found, odder = reading.positions(reading.align(mine, right))
    return Compared(_counts(wanted, found), _categories(right, mine, reading), odd + odder, wanted, found)


def _categories(right: Sequence[str], mine: Sequence[str], reading: Reading) -> dict[str, Counts]:
    names = reading.aggregates
    right, mine = renamed(right, names), renamed(mine, names)
    return _counts(reading.positions(right)[0], reading.positions(reading.align(mine, right))[0])


def _counts(wanted: Positions, found: Positions) -> dict[str, Counts]:
    counts = {}
    for name in sorted(wanted.keys() | found.keys()):
        a, b = wanted.get(name, set()), found.get(name, set())
        counts[name] = Counts(len(a & b), len(b - a), len(a - b))
    return counts

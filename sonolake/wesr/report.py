"""How good mined candidates are, where the truth is known: precision at k and recall at k, by tag."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from sonolake.errors import InvalidInput
from sonolake.wesr.mining import Candidate


@dataclass(frozen=True)
class Quality:
    """One tag's figures.

    Attributes:
        tag: the event.
        relevant: utterances that have it.
        precision: (k, share of the first k places that are right) pairs; places that are empty are wrong.
        recall: (k, share of the relevant ones among the first k) pairs; 0.0 when there is none.
    """

    tag: str
    relevant: int
    precision: tuple[tuple[int, float], ...]
    recall: tuple[tuple[int, float], ...]


def quality(
    candidates: Iterable[Candidate], truth: Collection[tuple[str, str]], cuts: Sequence[int] = (3, 10, 50)
) -> list[Quality]:
    """Figures of every tag that is in the candidates or the truth, by tag.

    Args:
        candidates: as mined.
        truth: (utterance, tag) pairs.
        cuts: the k.

    Raises:
        InvalidInput: for a k under 1.
    """
    if min(cuts, default=0) < 1:
        raise InvalidInput("cuts", "numbers >= 1", cuts)
    by_tag: dict[str, list[Candidate]] = {tag: [] for _, tag in truth}
    for candidate in candidates:
        by_tag.setdefault(candidate.tag, []).append(candidate)
    return [_quality(tag, by_tag[tag], {u for u, t in truth if t == tag}, cuts) for tag in sorted(by_tag)]


def _quality(tag: str, found: Iterable[Candidate], relevant: set[str], cuts: Sequence[int]) -> Quality:
    order = [c.utterance_id in relevant for c in sorted(found, key=lambda c: c.rank)]
    precision = tuple((k, sum(order[:k]) / k) for k in cuts)
    recall = tuple((k, sum(order[:k]) / len(relevant) if relevant else 0.0) for k in cuts)
    return Quality(tag, len(relevant), precision, recall)

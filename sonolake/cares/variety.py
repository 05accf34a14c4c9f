"""How much dialogues vary: distinct n-grams, sentences said again, lengths, and what two scenes share."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from sonolake.cares.phrases import sentences
from sonolake.cares.records import Timeline
from sonolake.cares.vocabulary import TAG


@dataclass(frozen=True)
class Variety:
    """Figures of a collection of dialogues.

    Attributes:
        dialogues, sentences: how many there are.
        distinct: share of distinct 1-, 2- and 3-grams of words among all (distinct-1, -2, -3).
        repeated_sentences: share of sentences that another dialogue has word for word.
        words: mean, standard deviation, fewest and most words of a dialogue.
        shared_mean, shared_most: of all pairs of dialogues of different templates, the share of the shorter one's
            sentences that both have: on average, and the most.
        pairs_over_limit: share of those pairs that have more than :data:`LIMIT` in common.
    """

    dialogues: int
    sentences: int
    distinct: tuple[float, float, float]
    repeated_sentences: float
    words: tuple[float, float, int, int]
    shared_mean: float
    shared_most: float
    pairs_over_limit: float


LIMIT = 0.05
"""Two scenes of different templates should have no more of their sentences in common."""


def variety_of(dialogues: Iterable[tuple[str, Timeline]]) -> Variety:
    """The variety of dialogues, each with what pairs are told apart by, such as its template's id.

    Sentences and words are compared without capitals, tags and marks.
    """
    talks = [(group, [_plain(u.text) for u in timeline.utterances]) for group, timeline in dialogues]
    said = [(group, {s for text in texts for s in sentences(text)}) for group, texts in talks]
    lengths = np.array([sum(len(text.split()) for text in texts) for _, texts in talks] or [0])
    seen = Counter(sentence for _, own in said for sentence in own)
    total = sum(seen.values())
    shares, pairs = _shares(said)
    return Variety(
        dialogues=len(talks),
        sentences=total,
        distinct=(_distinct(talks, 1), _distinct(talks, 2), _distinct(talks, 3)),
        repeated_sentences=sum(n for n in seen.values() if n > 1) / max(1, total),
        words=(float(lengths.mean()), float(lengths.std()), int(lengths.min()), int(lengths.max())),
        shared_mean=sum(shares) / max(1, pairs),
        shared_most=max(shares, default=0.0),
        pairs_over_limit=sum(share > LIMIT for share in shares) / max(1, pairs),
    )


def _plain(text: str) -> str:
    return " ".join(TAG.sub(" ", text).lower().split())


def _distinct(talks: list[tuple[str, list[str]]], n: int) -> float:
    """Distinct n-grams over all of them; none reaches over two utterances."""
    grams: Counter[tuple[str, ...]] = Counter()
    for _, texts in talks:
        for text in texts:
            words = [word.strip(".,?!…\"'") for word in text.split()]
            grams.update(zip(*(words[i:] for i in range(n)), strict=False))
    return len(grams) / max(1, sum(grams.values()))


def _shares(said: list[tuple[str, set[str]]]) -> tuple[list[float], int]:
    """The shares above zero of pairs of different groups, and how many such pairs there are."""
    holders: dict[str, list[int]] = defaultdict(list)
    for index, (_, own) in enumerate(said):
        for sentence in own:
            holders[sentence].append(index)
    common: Counter[tuple[int, int]] = Counter()
    for indices in holders.values():
        common.update(pair for pair in combinations(indices, 2) if said[pair[0]][0] != said[pair[1]][0])
    shares = [n / max(1, min(len(said[a][1]), len(said[b][1]))) for (a, b), n in common.items()]
    groups = Counter(group for group, _ in said)
    pairs = len(said) * (len(said) - 1) // 2 - sum(n * (n - 1) // 2 for n in groups.values())
    return shares, pairs

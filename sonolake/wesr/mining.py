"""From ranked lists to candidates: reciprocal rank fusion a tag, quotas a tag, the reason kept.

Six queries that compare the same scores of the same windows are not six witnesses: lists of one kind of evidence share
one vote, so that an example is not outvoted by them. And a sound that answers to one label answers a little to those
that are like it: what an utterance has of another label counts against it, so that a cough stands behind a throat that
is cleared where that is asked for.

Filters belong before the search, so the lists given here hold only what may be chosen. Everything is deterministic:
ties go to the better single rank, then to the utterance's id.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from sonolake.errors import InvalidInput
from sonolake.wesr.taxonomy import tag_of

TRANSCRIPT = "transcript"
"""The evidence of lists that words were searched for."""
EXAMPLE = "example"
"""The evidence of lists that a recording was the query of."""
SENTENCE = "sentence"
"""The evidence of lists that a sentence was asked for by way of class names."""
VOTES = {TRANSCRIPT: 1 / 3, SENTENCE: 1 / 3}
"""Votes of kinds of evidence that have not one: what is talked about is seldom heard, and what names of classes are
guessed from a sentence says less than names of classes."""
OTHERS = 0.3
"""Of how well an utterance does for the label that it does best for besides, so much is taken from it."""
RRF_K = 60
"""Constant of reciprocal rank fusion (Cormack, Clarke and Buettcher 2009)."""


@dataclass(frozen=True)
class Hit:
    """One utterance in a ranked list: its distance to the query and where in it the best window lies, seconds."""

    utterance_id: str
    distance: float
    onset_s: float
    offset_s: float | None = None


@dataclass(frozen=True)
class RankedList:
    """The answer of one query for one tag, best first.

    Attributes:
        tag: the event.
        query: the query's id.
        hits: the utterances.
        evidence: what was compared, such as a vector space.

    Raises:
        InvalidInput: for an unknown tag or an utterance that stands twice.
    """

    tag: str
    query: str
    hits: tuple[Hit, ...]
    evidence: str = ""

    def __post_init__(self) -> None:
        tag_of(self.tag)
        if len({hit.utterance_id for hit in self.hits}) != len(self.hits):
            raise InvalidInput(
                "hits", "each utterance once", self.query, "windows were not reduced to utterances"
            )


@dataclass(frozen=True)
class Candidate:
    """An utterance chosen for a tag: ``rank`` from 1 among the tag's, and the query that ranked it best, and where."""

    utterance_id: str
    tag: str
    query: str
    rank: int
    distance: float
    onset_s: float
    offset_s: float | None = None
    query_rank: int | None = None


def ranked(
    tag: str,
    query: str,
    utterance_ids: Sequence[str],
    onsets_s: ArrayLike,
    distances: ArrayLike,
    top: int,
    offsets_s: Sequence[float | None] | None = None,
    evidence: str = "",
) -> RankedList:
    """A ranked list from windows: each utterance by its nearest window.

    Args:
        tag: the event.
        query: the query's id.
        utterance_ids: utterance of each window.
        onsets_s: start of each window inside its utterance, seconds.
        distances: of each window to the query, smaller is nearer.
        top: how many utterances to keep.
        offsets_s: end of each window inside its utterance, seconds.
        evidence: what was compared.

    Raises:
        InvalidInput: for lengths that differ, or distances that are not finite.
    """
    starts, far = np.asarray(onsets_s, dtype=np.float64), np.asarray(distances, dtype=np.float64)
    if not len(utterance_ids) == len(starts) == len(far):
        raise InvalidInput(
            "windows", "one utterance, onset and distance each", (len(utterance_ids), len(starts), len(far))
        )
    if not np.isfinite(far).all():
        raise InvalidInput("distances", "finite numbers", "NaN or infinity")
    best: dict[str, Hit] = {}
    ends = [None] * len(starts) if offsets_s is None else offsets_s
    for name, start, end, distance in zip(utterance_ids, starts.tolist(), ends, far.tolist(), strict=True):
        known = best.get(name)
        if known is None or (distance, start) < (known.distance, known.onset_s):
            best[name] = Hit(name, distance, start, end)
    hits = sorted(best.values(), key=lambda hit: (hit.distance, hit.utterance_id))[:top]
    return RankedList(tag, query, tuple(hits), evidence)


def mine(
    lists: Iterable[RankedList],
    quotas: int | Mapping[str, int],
    exclude: Iterable[tuple[str, str]] = (),
    k: int = RRF_K,
) -> list[Candidate]:
    """Candidates of every tag, by tag name and rank.

    Args:
        lists: the ranked lists, in any order.
        quotas: how many candidates a tag, one number for all or one a tag (none for a tag that is missing).
        exclude: (utterance, tag) pairs that are not wanted, such as those annotated already.
        k: the fusion's constant; a place r adds its list's share of a vote / (k + r). :data:`OTHERS` of an utterance's
            best sum for another tag is taken from its own.

    Returns:
        For each tag as many candidates as the quota asks or exist. An utterance may stand for several tags.
    """
    by_tag: dict[str, list[RankedList]] = defaultdict(list)
    for one in lists:
        by_tag[one.tag].append(one)
    scores = {tag: _scores(some, k) for tag, some in by_tag.items()}
    elsewhere = _elsewhere(scores)
    unwanted = frozenset(exclude)
    chosen = []
    for tag in sorted(by_tag):
        quota = quotas if isinstance(quotas, int) else quotas.get(tag, 0)
        score = {name: own - OTHERS * elsewhere(name, tag) for name, own in scores[tag].items()}
        fused = [c for c in _ordered(by_tag[tag], score) if (c.utterance_id, tag) not in unwanted][:quota]
        chosen += [_at(candidate, rank) for rank, candidate in enumerate(fused, start=1)]
    return chosen


def _at(found: Candidate, rank: int) -> Candidate:
    return replace(found, rank=rank)


def _elsewhere(scores: Mapping[str, Mapping[str, float]]) -> Callable[[str, str], float]:
    """The best score of an utterance for any other tag than a given one, 0 where it has none."""
    best: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for tag, of in scores.items():
        for name, score in of.items():
            best[name] = sorted([*best[name], (score, tag)], reverse=True)[:2]
    return lambda name, tag: next((score for score, other in best[name] if other != tag), 0.0)


def fuse(lists: Sequence[RankedList], k: int = RRF_K) -> list[Candidate]:
    """All utterances of one tag's lists, by the sum of vote / (k + rank) over the lists that hold them.

    A kind of evidence has one vote, or what :data:`VOTES` says; its lists that hold anything have equal shares.

    The query, distance and onset of a candidate are those of the list where it stands highest (of equals, the query
    whose id sorts first).

    Raises:
        InvalidInput: for lists of several tags or two lists of one query.
    """
    return _ordered(lists, _scores(lists, k))


def _scores(lists: Sequence[RankedList], k: int) -> dict[str, float]:
    """The sum of each utterance."""
    names = [one.query for one in lists]
    if len({one.tag for one in lists}) > 1 or len(set(names)) != len(names):
        raise InvalidInput("lists", "one tag, each query once", sorted(names))
    kinds = Counter(one.evidence for one in lists if one.hits)
    score: dict[str, float] = defaultdict(float)
    for one in sorted(lists, key=lambda one: one.query):
        for place, hit in enumerate(one.hits, start=1):
            score[hit.utterance_id] += VOTES.get(one.evidence, 1.0) / kinds[one.evidence] / (k + place)
    return score


def _ordered(lists: Sequence[RankedList], score: Mapping[str, float]) -> list[Candidate]:
    """The utterances by their scores, each as the list has it where it stands highest."""
    best: dict[str, tuple[int, str, Hit]] = {}
    for one in sorted(lists, key=lambda one: one.query):
        for place, hit in enumerate(one.hits, start=1):
            if hit.utterance_id not in best or place < best[hit.utterance_id][0]:
                best[hit.utterance_id] = (place, one.query, hit)
    order = sorted(score, key=lambda name: (-round(score[name], 12), best[name][0], name))
    return [_found(lists[0].tag, place, *best[name]) for place, name in enumerate(order, start=1)]


def _found(tag: str, rank: int, query_rank: int, query: str, hit: Hit) -> Candidate:
    return Candidate(hit.utterance_id, tag, query, rank, hit.distance, hit.onset_s, hit.offset_s, query_rank)

"""Which training utterances are in the benchmark in some form, and so may not be trained on.

Five ways, each enough: the same source, the same speaker, the same samples, the same sound (near by fingerprint, as at
intake), the same words. Short transcripts say nothing: "yes" is said everywhere.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from sonolake.audio.fingerprint import NEAR, OUTLINE_DB, lookup_keys, outline, similarity
from sonolake.wesr.tagged import words_of

How = Literal["source", "speaker", "samples", "sound", "transcript"]
HOWS: tuple[How, ...] = ("source", "speaker", "samples", "sound", "transcript")
LEAST_WORDS = 5
"""Shorter transcripts are not compared."""


@dataclass(frozen=True)
class Print:
    """What identifies an utterance.

    Attributes:
        utterance_id: its name.
        sources: identities at its source, those of its duplicates included.
        pcm_hash: hash of its decoded samples.
        fingerprint: of its sound; empty when there is nothing to hear.
        words: its transcript as :func:`plain_words` gives it.
        speaker: whose voice it is; None where nobody knows.
    """

    utterance_id: str
    sources: frozenset[str]
    pcm_hash: str
    fingerprint: str
    words: str
    speaker: str | None = None


@dataclass(frozen=True)
class Overlap:
    """A training utterance that is in the benchmark: as which utterance, how, and how alike (1 where equal)."""

    utterance_id: str
    of: str
    how: How
    alike: float


def plain_words(text: str) -> str:
    """The words of a tagged or plain text in lower case and plain width, by blanks; empty when there are few."""
    words = words_of(unicodedata.normalize("NFKC", text).replace("’", "'"))
    return " ".join(word.lower() for word in words) if len(words) >= LEAST_WORDS else ""


def overlaps(training: Iterable[Print], benchmark: Iterable[Print]) -> list[Overlap]:
    """Every way in which a training utterance is in the benchmark, by utterance and way.

    Args:
        training, benchmark: the two sets; an utterance in both overlaps with itself.
    """
    index = _Index(benchmark)
    found = [overlap for one in training for overlap in index.find(one)]
    return sorted(found, key=lambda o: (o.utterance_id, HOWS.index(o.how)))


class _Index:
    """The benchmark by everything that is compared; of several the first by name is told."""

    def __init__(self, benchmark: Iterable[Print]) -> None:
        ordered = sorted(benchmark, key=lambda one: one.utterance_id, reverse=True)
        self.by_source = {source: one.utterance_id for one in ordered for source in one.sources}
        self.by_speaker = {one.speaker: one.utterance_id for one in ordered if one.speaker is not None}
        self.by_samples = {one.pcm_hash: one.utterance_id for one in ordered if one.pcm_hash}
        self.by_words = {one.words: one.utterance_id for one in ordered if one.words}
        self.by_key: dict[str, list[Print]] = {}
        for one in ordered:
            for key in lookup_keys(one.fingerprint) if one.fingerprint else ():
                self.by_key.setdefault(key, []).append(one)

    def find(self, one: Print) -> list[Overlap]:
        found = [
            _equal(
                one,
                "source",
                min((self.by_source[s] for s in one.sources if s in self.by_source), default=None),
            ),
            _equal(one, "speaker", None if one.speaker is None else self.by_speaker.get(one.speaker)),
            _equal(one, "samples", self.by_samples.get(one.pcm_hash)),
            self._near(one),
            _equal(one, "transcript", self.by_words.get(one.words)),
        ]
        return [overlap for overlap in found if overlap]

    def _near(self, one: Print) -> Overlap | None:
        if not one.fingerprint:
            return None
        close = {
            other.utterance_id: other
            for key in lookup_keys(one.fingerprint)
            for other in self.by_key.get(key, ())
        }
        mine = outline(one.fingerprint)
        scored = [
            (similarity(one.fingerprint, other.fingerprint, NEAR), name)
            for name, other in close.items()
            if abs(outline(other.fingerprint) - mine).mean() <= OUTLINE_DB
        ]
        best = min(((-score, name) for score, name in scored if score >= NEAR), default=None)
        return Overlap(one.utterance_id, best[1], "sound", -best[0]) if best else None


def _equal(one: Print, how: How, of: str | None) -> Overlap | None:
    return Overlap(one.utterance_id, of, how, 1.0) if of is not None else None


def counted(found: Iterable[Overlap]) -> Mapping[How, int]:
    """How many utterances overlap in each way; all 0 proves that the sets are apart."""
    listed = list(found)
    return {how: sum(overlap.how == how for overlap in listed) for how in HOWS}

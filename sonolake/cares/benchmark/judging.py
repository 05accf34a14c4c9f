"""Which sounds a summary mentions: by a judge that quotes the words it goes by.

A quote of fewer than two words, or one that does not stand in the summary, voids the verdict. Capitals, quotation marks
and dashes do not count in that comparison.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from sonolake.cares.benchmark.records import HeardSound
from sonolake.cares.vocabulary import forms, words_of

VERDICTS = ("heard", "nature", "discussed", "absent")
"""The sound is said to occur; only what makes it is named; only what was said about it is; nothing of it."""
_QUOTES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "‑": "-"})
_LIGHT = frozenset(
    {"of", "a", "an", "the", "on", "in", "into", "with", "at", "to", "being", "from", "by", "up", "down"}
)
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True)
class Verdict:
    """What a judge says of one sound, with the words of the summary it goes by."""

    verdict: str
    quote: str = ""


class Judge(Protocol):
    """Says of each sound of a scene whether a summary mentions it."""

    @property
    def name(self) -> str:
        """What the report calls it."""

    def judge(self, summary: str, sounds: Sequence[HeardSound]) -> Mapping[str, Verdict]:
        """A verdict for each sound's event."""


class LiteralMatcher:
    """The embedded judge: a sound is mentioned when the words of its name stand in one sentence, inflected or not.

    It knows no synonyms and no paraphrase, so it counts too few; it is the same for everybody and needs no model.
    """

    name = "literal matcher (names only)"

    def judge(self, summary: str, sounds: Sequence[HeardSound]) -> Mapping[str, Verdict]:
        """``heard`` or ``absent`` for each sound, with the stretch of the summary that holds its name."""
        parts = [part for part in re.split(r"(?<=[.!?])\s+", summary) if part.strip()]
        return {sound.event: self._one(parts, sound.name) for sound in sounds}

    def _one(self, parts: Sequence[str], name: str) -> Verdict:
        wanted = [word for word in words_of(name) if word not in _LIGHT]
        for part in parts:
            places = [_place(part, word) for word in wanted]
            if places and all(place is not None for place in places):
                spans = [place for place in places if place is not None]
                return Verdict("heard", _widened(part, min(s for s, _ in spans), max(e for _, e in spans)))
        return Verdict("absent")


def _stems(word: str) -> frozenset[str]:
    """A word with the forms that it and what it may be a form of can take."""
    bases = {word, word.removesuffix("ing"), word.removesuffix("ing") + "e", word.removesuffix("s")}
    if word.endswith("ing") and len(word) > 5 and word[-4] == word[-5]:
        bases.add(word[:-4])
    return frozenset({word}).union(*(forms(base) for base in bases if len(base) >= 3))


def _place(text: str, word: str) -> tuple[int, int] | None:
    able = _stems(word)
    return next((m.span() for m in _WORD.finditer(text) if m.group(0).lower() in able), None)


def _widened(text: str, start: int, end: int) -> str:
    """The stretch, with a neighbour where it is one word alone."""
    words = [m.span() for m in _WORD.finditer(text)]
    inside = [i for i, (s, e) in enumerate(words) if s >= start and e <= end]
    first, last = inside[0], inside[-1]
    if first == last:
        first, last = (first - 1, last) if first else (first, min(last + 1, len(words) - 1))
    return text[words[first][0] : words[last][1]]


def checked(verdict: Verdict, summary: str) -> Verdict:
    """The verdict, or ``absent`` where its quote is none."""
    if verdict.verdict == "absent":
        return verdict
    quote = _folded(verdict.quote)
    if verdict.verdict not in VERDICTS or len(quote.split()) < 2 or quote not in _folded(summary):
        return Verdict("absent", verdict.quote)
    return verdict


def _folded(text: str) -> str:
    return " ".join(text.translate(_QUOTES).casefold().strip(" \"'.,;:!?").split())

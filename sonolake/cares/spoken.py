"""What is spoken of an utterance, and what its marks become in the audio.

An utterance's text holds words, inline tags ``[quietly]`` and ellipses. A voice speaks :func:`spoken_text`, an
aligner is given :func:`spoken_words`. :func:`marked` says what each mark becomes, and no tag is left without a trace:

- ``engine``: the voice performs the tag itself; it stays in what is spoken.
- ``vocal``: a take of the lake is heard at the tag's place.
- ``pause``: a silence. A vocal tag without a take leaves one, too. At the edge of a turn, where the gap between turns
  must say nothing, the silence moves to the nearest break inside the turn.
- ``delivery``: a change of level over the phrase that follows, or over the phrase before a tag that ends a turn. A
  pause that finds no place inside a turn of one word is a lowered voice.

An ellipsis is a gap as those between turns.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from sonolake.cares.banks import Tag
from sonolake.cares.recipe import DeliverySpec, PauseSpec, TagTrace, VocalSpec
from sonolake.cares.vocabulary import ELLIPSIS, TAG
from sonolake.errors import InvalidInput

_TOKEN = re.compile(r"\[[^\]\[]*\]|…|\.\.\.|[^\W_]+(?:['’][^\W_]+)*|[.,?!]")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
ALL = "*"
"""Stands for every vocal and delivery tag, in what a voice performs itself."""
ELLIPSIS_S = 0.65
"""What an ellipsis adds to another pause at its place: the middle of the range of gaps."""
NO_PLACE_DB = -4.0
"""Level of a turn's only word where a pause was asked for."""


@dataclass(frozen=True)
class Marked:
    """An utterance with its marks as what they become; see :class:`~sonolake.cares.recipe.TurnSpec`."""

    spoken: str
    words: tuple[str, ...]
    pauses: tuple[PauseSpec, ...]
    vocals: tuple[VocalSpec, ...]
    deliveries: tuple[DeliverySpec, ...]
    tags: tuple[TagTrace, ...]


def spoken_text(text: str, performed: frozenset[str] = frozenset()) -> str:
    """The words and punctuation for a voice: no tags but those it performs, a comma for an ellipsis."""
    kept = TAG.sub(lambda tag: f" {tag.group() if tag.group(1) in performed else ''} ", text)
    plain = re.sub(r"\s+", " ", ELLIPSIS.sub(", ", kept)).strip()
    return re.sub(r"\s+([.,?!])", r"\1", re.sub(r"[,\s]+,", ",", plain)).lstrip(", ")


def spoken_words(text: str) -> tuple[str, ...]:
    """The words of :func:`spoken_text`, as an aligner takes them."""
    return tuple(_WORD.findall(TAG.sub(" ", text)))


def marked(
    text: str,
    tags: Mapping[str, Tag],
    performed: frozenset[str] = frozenset(),
    take_of: Callable[[str, int], VocalSpec | None] = lambda event, word: None,
) -> Marked:
    """What an utterance's marks become.

    Args:
        text: with tags and ellipses.
        tags: of the banks.
        performed: tags that the voice performs itself, or :data:`ALL`; a pause is always ours.
        take_of: from a vocal event and the number of words before it to its take; None where there is none.

    Raises:
        InvalidInput: for a tag that is in no bank.
    """
    own = frozenset(name for name, tag in tags.items() if tag.becomes != "pause" and {name, ALL} & performed)
    marks = _Marks(len(spoken_words(text)))
    for token in _TOKEN.findall(text):
        if not TAG.fullmatch(token):
            marks.step(token)
            continue
        name = token[1:-1]
        if name not in tags:
            raise InvalidInput("tag", f"one of {sorted(tags)}", name)
        ours = tags[name].becomes == "vocal" and name not in own
        marks.tag(tags[name], take_of(tags[name].vocal, marks.at) if ours else None, name in own)
    return marks.done(spoken_text(text, own), spoken_words(text))


@dataclass
class _Marks:
    """Marks of an utterance of ``count`` words, read from left to right."""

    count: int
    at: int = 0
    breaks: list[int] = field(default_factory=list)
    gaps: list[int] = field(default_factory=list)
    silences: list[tuple[int, float, int]] = field(default_factory=list)
    vocals: list[VocalSpec] = field(default_factory=list)
    begun: list[tuple[int, float, int]] = field(default_factory=list)
    deliveries: list[DeliverySpec] = field(default_factory=list)
    traces: list[TagTrace] = field(default_factory=list)

    def step(self, token: str) -> None:
        """A word, a punctuation mark or an ellipsis."""
        if _WORD.fullmatch(token):
            self.at += 1
            return
        self._end_deliveries(self.at)
        if 0 < self.at < self.count:
            self.breaks.append(self.at)
            if ELLIPSIS.fullmatch(token):
                self.gaps.append(self.at)

    def tag(self, tag: Tag, take: VocalSpec | None, performed: bool) -> None:
        """A tag; its trace is known when the utterance is over, but its place among the others now."""
        self._end_deliveries(self.at)
        becomes, heard = "engine" if performed else tag.becomes, take.take_id if take else None
        self.traces.append(TagTrace(tag.tag, self.at, self.at, becomes, heard))
        number = len(self.traces) - 1
        if performed:
            return
        if tag.becomes == "delivery":
            self.begun.append((self.at, tag.gain_db, number))
        elif take is None:
            self.silences.append((self.at, tag.pause_s, number))
        else:
            self.vocals.append(take)

    def _end_deliveries(self, end: int) -> None:
        for first, gain_db, number in self.begun:
            if end > first:
                self._deliver(first, end - 1, gain_db, number)
        self.begun = [one for one in self.begun if end <= one[0]]

    def _deliver(self, first: int, last: int, gain_db: float, number: int) -> None:
        if not self.count:
            return
        self.deliveries.append(DeliverySpec(first, last, gain_db))
        tag = self.traces[number].tag
        self.traces[number] = TagTrace(tag, first, last, "delivery", None)

    def done(self, spoken: str, words: tuple[str, ...]) -> Marked:
        """All of it."""
        self._end_deliveries(self.count)
        for _, gain_db, number in self.begun:
            first = max((place for place in self.breaks if place < self.count), default=0)
            self._deliver(first, self.count - 1, gain_db, number)
        pauses = self._pauses()
        return Marked(spoken, words, pauses, tuple(self.vocals), tuple(self.deliveries), tuple(self.traces))

    def _pauses(self) -> tuple[PauseSpec, ...]:
        seconds: dict[int, float] = {}
        for word, wanted_s, number in self.silences:
            place = self._inside(word)
            tag = self.traces[number].tag
            if place is None:
                self._deliver(0, self.count - 1, NO_PLACE_DB, number)
                continue
            seconds[place] = seconds.get(place, 0.0) + wanted_s
            self.traces[number] = TagTrace(tag, place, place, "pause", None)
        fixed = {
            place: round(wanted_s + (ELLIPSIS_S if place in self.gaps else 0.0), 3)
            for place, wanted_s in seconds.items()
        }
        return tuple(PauseSpec(place, fixed.get(place)) for place in sorted({*self.gaps, *fixed}))

    def _inside(self, word: int) -> int | None:
        """The place itself, or the nearest break inside the turn; None for a turn of one word."""
        if 0 < word < self.count:
            return word
        if self.count < 2:
            return None
        return min(self.breaks, default=1) if word == 0 else max(self.breaks, default=self.count - 1)

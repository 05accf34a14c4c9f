"""Reactions put into words: what a sound does to the utterance that follows it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from sonolake.cares.banks import Banks, Sound
from sonolake.cares.persons import second_person
from sonolake.cares.phrases import capitalise, lower_first, sentences
from sonolake.cares.supply import Deck
from sonolake.cares.talk import Talk

SHORTEST_BROKEN = 6
"""Words that a sentence needs to be broken off in the middle."""
_LINKING = (
    "And So Well But Or Now Right Good Okay Thanks Thank All Yes No Look Wait Hang Back Come Then There Oh Suppose "
    "Say Maybe Perhaps True Granted Fine Besides Mind Otherwise Never Anyway Hold Sorry Honestly Seriously Really "
    "Frankly Truly Gosh Goodness Gracious Heavens Dear Listen"
)
CONNECTORS = frozenset(_LINKING.split())
"""First words of a sentence that already link it to what was said."""


class Reactor:
    """Writes reactions into utterances of one dialogue."""

    def __init__(self, talk: Talk, banks: Banks, rng: np.random.Generator) -> None:
        self._talk, self._banks, self._rng = talk, banks, rng
        self._names = banks.names

    def verbal(self, register: str, sound: Sound, content: str) -> str:
        """A remark on the sound, then the utterance as it would have been."""
        remark = self._talk.must(f"verbal.{register}", SoundWords(sound, self._rng))
        if content.split(maxsplit=1)[0].strip(",.") in CONNECTORS:
            return f"{remark} {content}"
        resume = self._talk.must("resume", str)
        return f"{remark} {capitalise(f'{resume.strip()} {lower_first(content, self._names)}')}"

    def behavioral(self, register: str, content: str, owner: bool, on_matter: bool) -> str:
        """The utterance with a break in its first sentence and no word about why.

        Args:
            register: a behavioral one.
            content: begins with a sentence of at least :data:`SHORTEST_BROKEN` words.
            owner: whether the matter's owner speaks.
            on_matter: whether the talk is about the matter; else it is about a pivot.
        """
        act = f"behavioral.{register}"
        if not on_matter and f"{act}.any" in self._banks.lines:
            act = f"{act}.any"
        slots = self._slots(register, content, owner)
        return self._talk.must(act, slots.__getitem__)

    def _slots(self, register: str, content: str, owner: bool) -> Mapping[str, str]:
        first, *others = sentences(content)
        words = first.split()
        cut = self._cut(words)
        tags = self._banks.register("behavioral", register).tags
        start = " ".join(words[: min(2, cut)]).rstrip(",")
        supply = self._talk.supply
        own = {"topic": self._talk.topic, "thing": supply.thing, "wrong": supply.slips.draw()}
        return {
            "half": " ".join(words[:cut]).rstrip(",.?!"),
            "rest": " ".join([*words[cut:], *others]),
            "start": start,
            "start_lower": lower_first(start, self._names),
            "whole": content,
            "whole_lower": lower_first(content, self._names),
            "tag": tags[int(self._rng.integers(len(tags)))] if tags else "",
            **(own if owner else {name: second_person(value) for name, value in own.items()}),
        }

    def _cut(self, words: list[str]) -> int:
        """A place in the middle of a sentence, not after a comma and not between two equal words."""
        low, high = max(2, len(words) // 3), max(3, (3 * len(words)) // 4)
        places = [i for i in range(low, high) if words[i - 1][-1].isalnum() and words[i - 1] != words[i]]
        return places[int(self._rng.integers(len(places)))] if places else low


class SoundWords:
    """How one sound is referred to, as slots of a line: by one phrase mostly, by "it" once it was named in a turn."""

    OTHERWISE = 0.25
    """How often another phrase of the sound is used."""

    def __init__(self, sound: Sound, rng: np.random.Generator) -> None:
        self._guesses, self._rng = Deck(sound.guesses, rng), rng
        order: list[int] = rng.permutation(len(sound.heard)).tolist()
        self._usual: str = sound.heard[order[0]]
        self._others: list[str] = [sound.heard[i] for i in order[1:]]
        self._named: set[str] = set()

    def begin_turn(self) -> None:
        """Name the sound anew."""
        self._named.clear()

    def __call__(self, name: str) -> str:
        """``heard``, ``other`` (another phrase), ``bare`` (without "that") or ``guess``."""
        if name == "guess":
            return self._guesses.draw()
        if name == "bare":
            return self._usual.removeprefix("that ")
        if name in self._named or (name == "heard" and self._named):
            return "it"
        self._named.add(name)
        if name == "other" or self._rng.random() < self.OTHERWISE:
            return self._others[int(self._rng.integers(len(self._others)))]
        return self._usual

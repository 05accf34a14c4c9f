"""Reactions put into words: what a sound does to the utterance that follows it."""

from __future__ import annotations

import numpy as np

from sonolake.cares.banks import Banks, Sound
from sonolake.cares.phrases import capitalise, lower_first, sentences
from sonolake.cares.talk import Deck, Talk

SHORTEST_BROKEN = 6
"""Words that a sentence needs to be broken off in the middle."""

CONNECTORS = frozenset(
    {
        "And",
        "So",
        "Well",
        "But",
        "Or",
        "Now",
        "Right",
        "Good",
        "Okay",
        "Thanks",
        "Thank",
        "All",
        "Yes",
        "No",
        "Look",
        "Wait",
        "Hang",
        "Back",
        "Come",
        "Then",
        "There",
        "Oh",
        "Suppose",
    }
)
"""First words of a sentence that already link it to what was said."""


class Reactor:
    """Writes reactions into utterances of one dialogue."""

    def __init__(self, talk: Talk, banks: Banks, rng: np.random.Generator) -> None:
        self._talk, self._banks, self._rng = talk, banks, rng
        self._resume = Deck(banks.lines["resume"], rng)

    def sound_slot(self, sound: Sound) -> SoundWords:
        """The words for one sound, each used before any comes again."""
        return SoundWords(sound, self._rng)

    def verbal(self, register: str, sound: Sound, content: str) -> str:
        """A remark on the sound, then the utterance as it would have been."""
        remark = self._talk.line(f"verbal.{register}", self.sound_slot(sound))
        if content.split(maxsplit=1)[0].strip(",.") in CONNECTORS:
            return f"{remark} {content}"
        return f"{remark} {capitalise(self._resume.draw() + lower_first(content))}"

    def behavioral(self, register: str, content: str) -> str:
        """The utterance with a break in its first sentence and no word about why.

        ``content`` begins with a sentence of at least :data:`SHORTEST_BROKEN` words.
        """
        first, *others = sentences(content)
        words = first.split()
        cut = self._cut(words)
        tags = self._banks.register("behavioral", register).tags
        start = " ".join(words[: min(2, cut)]).rstrip(",")
        slots = {
            "half": " ".join(words[:cut]).rstrip(",.?!"),
            "rest": " ".join([*words[cut:], *others]),
            "start": start,
            "start_lower": lower_first(start),
            "whole": content,
            "whole_lower": lower_first(content),
            "last": self._talk.details["thing"],
            "thing": self._talk.details["thing"],
            "tag": tags[int(self._rng.integers(len(tags)))] if tags else "",
        }
        return self._talk.line(f"behavioral.{register}", slots.__getitem__)

    def _cut(self, words: list[str]) -> int:
        """A place in the middle of a sentence, not after a comma and not between two equal words."""
        low, high = max(2, len(words) // 3), max(3, (3 * len(words)) // 4)
        places = [i for i in range(low, high) if words[i - 1][-1].isalnum() and words[i - 1] != words[i]]
        return places[int(self._rng.integers(len(places)))] if places else low


class SoundWords:
    """How one sound is referred to, as slots of a line."""

    def __init__(self, sound: Sound, rng: np.random.Generator) -> None:
        self._heard, self._guesses = Deck(sound.heard, rng), Deck(sound.guesses, rng)

    def __call__(self, name: str) -> str:
        """``heard``, ``bare`` (without "that") or ``guess``."""
        if name == "guess":
            return self._guesses.draw()
        heard = self._heard.draw()
        return heard.removeprefix("that ") if name == "bare" else heard

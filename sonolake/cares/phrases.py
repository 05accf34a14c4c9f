"""The small language of the writer's lines: ``{slot}``, ``<one|or|other>``, and ``<~list>`` for all of a list."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import lru_cache
from itertools import count
from math import isqrt, prod
from zlib import crc32

import numpy as np

from sonolake.errors import InvalidInput

LIST = "~"
"""Begins the name of a list of phrases."""
_CHOICE = re.compile(r"<([^<>]*)>")
_SLOT = re.compile(r"\{(\w+)\}")
_START = re.compile(r"(^|[.?!] )([a-z])")
_CAPITAL = re.compile(r"(?<![.?!] )(?<!^)\b[A-Z][a-z]\w*|^[A-Z][a-z]\w*(?!')")
_TRIES = 6
"""How many wordings of a sentence are compared for what was said before."""


class Wording:
    """Draws the choices of lines for one dialogue.

    Of ``ways`` ways to treat one matter, the ``way``-th has wordings of its own that no other way uses, in any sentence
    with at least so many wordings (the first prime from ``ways`` on). Of those, one with few phrases that the dialogue
    has had already is taken.

    Args:
        rng: draws.
        way: which way, from 0.
        ways: how many there are.
        brief: take few words rather than new ones.
    """

    def __init__(self, rng: np.random.Generator, way: int = 0, ways: int = 1, brief: bool = False) -> None:
        self._brief, self._rng, self._way, self._ways = brief, rng, way, _prime_from(ways)
        self._said: set[str] = set()

    def fill(self, line: str, slot: Callable[[str], str]) -> str:
        """``line`` with each choice drawn and each slot replaced by ``slot(name)``, sentences begun with a capital."""
        chosen = " ".join(self._chosen(sentence) for sentence in sentences(line))
        return capitalise(_SLOT.sub(lambda match: slot(match.group(1)), chosen))

    def _chosen(self, sentence: str) -> str:
        groups = [group.split("|") for group in _CHOICE.findall(sentence)]
        if not groups:
            return sentence
        own = _own(sentence, prod(map(len, groups)), self._way, self._ways)
        tries = [
            self._of(groups, own[int(i)])
            for i in self._rng.integers(len(own), size=_TRIES * (4 if self._brief else 1))
        ]
        phrases = min(tries, key=self._burden)
        self._said.update(phrase for phrase in phrases if " " in phrase)
        parts = iter(phrases)
        return _CHOICE.sub(lambda _: next(parts), sentence)

    def _burden(self, phrases: list[str]) -> tuple[int, int]:
        """What speaks against a wording: its words, where few are wanted, and how much of it was said before."""
        words = sum(len(phrase.split()) for phrase in phrases) if self._brief else 0
        return words, sum(phrase in self._said for phrase in phrases)

    @staticmethod
    def _of(groups: list[list[str]], number: int) -> list[str]:
        """The ``number``-th wording: the digits of a number whose places are the choices."""
        phrases = []
        for options in groups:
            number, place = divmod(number, len(options))
            phrases.append(options[place])
        return phrases


def _own(sentence: str, wordings: int, way: int, ways: int) -> range:
    """The wordings of a way; a hash of the sentence keeps two sentences of one way from the same choices."""
    if wordings < ways:
        return range(wordings)
    return range((way + crc32(sentence.encode())) % ways, wordings, ways)


@lru_cache(maxsize=8)
def _prime_from(least: int) -> int:
    """The first prime from ``least`` on: steps of it meet every option of every choice."""
    return next(n for n in count(max(2, least)) if all(n % d for d in range(2, isqrt(n) + 1)))


def fill(line: str, slot: Callable[[str], str], rng: np.random.Generator) -> str:
    """``line`` with each choice drawn and each slot replaced by ``slot(name)``, sentences begun with a capital."""
    return Wording(rng).fill(line, slot)


def with_lists(lines: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Lines by act, with each ``~name`` of a choice replaced by the phrases of that list, and without the lists.

    Raises:
        InvalidInput: for a list that is not there.
    """

    def listed(match: re.Match[str]) -> str:
        options: list[str] = []
        for option in match.group(1).split("|"):
            if option.startswith(LIST) and option not in lines:
                raise InvalidInput("list of phrases", str(sorted(n for n in lines if n[0] == LIST)), option)
            options += lines[option] if option.startswith(LIST) else (option,)
        return f"<{'|'.join(dict.fromkeys(options))}>"

    return {
        act: tuple(_CHOICE.sub(listed, line) for line in some)
        for act, some in lines.items()
        if not act.startswith(LIST)
    }


def slots_of(line: str) -> tuple[str, ...]:
    """Names of the slots in ``line``, in order."""
    return tuple(_SLOT.findall(line))


def capitalise(text: str) -> str:
    """A capital at the start and after each full stop, question or exclamation mark."""
    return _START.sub(lambda match: match.group(1) + match.group(2).upper(), text)


def lower_first(text: str, names: Collection[str] = ()) -> str:
    """``text`` for the middle of a sentence: its first letter small, except in ``names`` and in "I"."""
    first = re.split(r"[\W_]", text, maxsplit=1)[0]
    if first == "I" or not first[:1].isupper() or first in names:
        return text
    return text[0].lower() + text[1:]


def names_in(phrases: Iterable[str]) -> frozenset[str]:
    """Words that are written with a capital in phrases that begin small: names, days, months."""
    return frozenset(word for phrase in phrases for word in _CAPITAL.findall(phrase))


def sentences(text: str) -> list[str]:
    """``text`` cut after each full stop, question or exclamation mark."""
    return [part for part in re.split(r"(?<=[.?!])\s+", text.strip()) if part]

"""The small language of the writer's lines: ``{slot}`` and ``<one|or|other>``."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable

import numpy as np

_CHOICE = re.compile(r"<([^<>]*)>")
_SLOT = re.compile(r"\{(\w+)\}")
_START = re.compile(r"(^|[.?!] )([a-z])")
_CAPITAL = re.compile(r"(?<![.?!] )(?<!^)\b[A-Z][a-z]\w*|^[A-Z][a-z]\w*(?!')")


def fill(line: str, slot: Callable[[str], str], rng: np.random.Generator) -> str:
    """``line`` with each choice drawn and each slot replaced by ``slot(name)``, sentences begun with a capital."""

    def choose(match: re.Match[str]) -> str:
        options = match.group(1).split("|")
        return options[int(rng.integers(len(options)))]

    text = _SLOT.sub(lambda match: slot(match.group(1)), _CHOICE.sub(choose, line))
    return capitalise(text)


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

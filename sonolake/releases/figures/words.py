"""Words that state a figure: with a digit, a fraction such as ½, or an English number in front. Ids, names, dates and
versions are none, and neither is ``one``, which is mostly a pronoun."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

_CHUNK = re.compile(r"[^\s|/=~≤≥<>≈≃≅≲≳–—…×·]+")
_EDGE = "()[]{}'\"“”‘’„,.;:!?*_`&"
_BEFORE = re.compile(r"[\W_]*?(?=[-+−±]?[^\W_]|$)")
"""What may stand in front of a figure: brackets, quotes, ``#``, ``$`` and other signs, but for the one that it has."""
_NOT = re.compile(r"\d+(\.\d+){2,}|\d{4}-\d{2}-\d{2}")
"""Versions and dates."""
_VALUE = re.compile(r"([-+−±]?)(\d[\d,]*)?(\.\d+)?([¼-¾⅐-⅞])?")
_CLOCK = re.compile(r"(\d+):(\d\d)")
_NUMERIC = ("Nd", "Nl", "No")
"""Categories of Unicode of digits, of ⅷ and of ½ or ②."""
_SMALL = (
    "zero", "", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_LARGE = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "dozen": 12}
NUMBERS = {
    **{name: str(value) for value, name in enumerate(_SMALL) if name},
    **{name: str(10 * tens) for tens, name in enumerate(_TENS, 2)},
    **{
        f"{name}-{_SMALL[unit] or 'one'}": str(10 * tens + unit)
        for tens, name in enumerate(_TENS, 2)
        for unit in range(1, 10)
    },
    **{name + end: str(value) for name, value in _LARGE.items() for end in ("", "s")},
    "half": "0.5",
}
"""English numbers, in digits."""


def figure_spans(text: str) -> Iterator[tuple[int, int]]:
    """Where in ``text`` the words are that begin with a digit, a sign and a digit, or an English number."""
    for chunk in _CHUNK.finditer(text):
        word = chunk[0].rstrip(_EDGE)
        before = _BEFORE.match(word)
        start = before.end() if before else 0
        if _is_figure(word[start:]):
            yield chunk.start() + start, chunk.start() + len(word)


def _is_figure(word: str) -> bool:
    first = word.lstrip("-+−±")[:1]
    if first and unicodedata.category(first) in _NUMERIC:
        return not _NOT.fullmatch(word)
    return _in_digits(word) is not None


def _in_digits(word: str) -> str | None:
    """The digits of an English number, also in front of a hyphen, as in ``two-stage``; None of another word."""
    low = word.lower()
    return NUMBERS.get(low) or NUMBERS.get(low.partition("-")[0])


def figure_words(text: str) -> list[str]:
    """The words themselves."""
    return [text[start:end] for start, end in figure_spans(text)]


def plain(word: str) -> str:
    """A figure in digits, without thousands separators, unit or plus sign: ``6``, ``-23.1``; others as they are."""
    found = _VALUE.match(word)
    if found is None or not found[0].strip("+-−±") or _CLOCK.fullmatch(word):
        return _in_digits(word) or word
    sign = "-" if found[1] in ("-", "−") else ""
    whole = (found[2] or "").replace(",", "")
    if found[4] and not found[3]:
        part = Fraction(unicodedata.numeric(found[4])).limit_denominator(10)
        return f"{sign}{float(int(whole or 0) + part):.4g}"
    return f"{sign}{whole}{found[3] or ''}"


@dataclass
class Told:
    """What a row of an answer tells: figures in its texts, in order, and numbers of the items that it holds as JSON."""

    figures: list[str] = field(default_factory=list)
    numbers: list[float] = field(default_factory=list)

    def holds(self, word: str) -> bool:
        """Is ``word`` one of the figures, or one of the numbers, rounded to as many decimals as it has?"""
        value = plain(word)
        if value in self.figures:
            return True
        if clock := _CLOCK.fullmatch(word):
            seconds = 60 * int(clock[1]) + int(clock[2])
            return any(int(number) == seconds for number in self.numbers)
        try:
            wanted = float(value)
        except ValueError:
            return False
        reach = 0.5 * 10.0 ** -len(value.partition(".")[2]) + 1e-9
        return any(abs(number - wanted) <= reach for number in self.numbers)

    def holds_in_order(self, words: Iterable[str]) -> bool:
        """Are ``words`` figures of the texts, in the order that they have there, others between them or not?"""
        left = iter(self.figures)
        return all(plain(word) in left for word in words)


def told_by(cells: Iterable[str]) -> Told:
    """What these cells tell."""
    told = Told()
    for cell in cells:
        if cell.startswith("{"):
            _gather(json.loads(cell), told.numbers)
        else:
            told.figures += [plain(word) for word in figure_words(cell.replace("_", " "))]
    return told


def _gather(value: Any, into: list[float]) -> None:
    """Every number, those within texts too, and how long each list is."""
    if isinstance(value, dict):
        for inner in value.values():
            _gather(inner, into)
    elif isinstance(value, list):
        into.append(float(len(value)))
        for inner in value:
            _gather(inner, into)
    elif isinstance(value, str):
        into += [float(number) for number in re.findall(r"[-+]?\d+(?:\.\d+)?", value)]
        into += [float(number) for number in re.findall(r"\d+(?:\.\d+)?", value)]
        into += [
            float(NUMBERS[word])
            for word in re.findall(r"[a-z]+(?:-[a-z]+)?", value.lower())
            if word in NUMBERS
        ]
    elif isinstance(value, int | float) and not isinstance(value, bool):
        into.append(float(value))

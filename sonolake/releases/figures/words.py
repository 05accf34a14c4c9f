"""Words that state a figure. Ids, names, dates and versions are none."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

_CHUNK = re.compile(r"[^\s|/=~≤≥<>–—…×·]+")
_EDGE = "()[]{}'\"“”‘’„,.;:!?*_`&"
_FIGURE = re.compile(r"[-+−±]?\d")
_NOT = re.compile(r"\d+(\.\d+){2,}|\d{4}-\d{2}-\d{2}")
"""Versions and dates."""
_VALUE = re.compile(r"([-+−±]?)(\d[\d,]*)(\.\d+)?")
_CLOCK = re.compile(r"(\d+):(\d\d)")


def figure_spans(text: str) -> Iterator[tuple[int, int]]:
    """Where in ``text`` the words are that begin with a digit, or a sign and a digit."""
    for chunk in _CHUNK.finditer(text):
        word = chunk[0].rstrip(_EDGE)
        start = chunk.start() + len(word) - len(word.lstrip(_EDGE))
        word = word.lstrip(_EDGE)
        if _FIGURE.match(word) and not _NOT.fullmatch(word):
            yield start, start + len(word)


def figure_words(text: str) -> list[str]:
    """The words themselves."""
    return [text[start:end] for start, end in figure_spans(text)]


def plain(word: str) -> str:
    """A figure without thousands separators, unit or plus sign: ``6``, ``-23.1``; other words as they are."""
    found = _VALUE.match(word)
    if found is None or _CLOCK.fullmatch(word):
        return word
    sign = "-" if found[1] in ("-", "−") else ""
    return f"{sign}{found[2].replace(',', '')}{found[3] or ''}"


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
    elif isinstance(value, int | float) and not isinstance(value, bool):
        into.append(float(value))

"""Answers as models write them: the letter that was chosen, or None when that cannot be told."""

from __future__ import annotations

import re
from collections.abc import Iterable

_TAGGED = re.compile(r"(?i:<answer>)\s*\(?([A-Za-z])\)?(?![A-Za-z])[^<]*(?i:</answer>)")
_MARKED = re.compile(
    r"\b(?:final answer|answer|option)\b>?(?:\s+is)?\s*[:=-]?\s*\**\(?([A-Z])\)?(?![A-Z])", re.IGNORECASE
)
_LEADING = re.compile(r"^[\s*]*(?:\(([A-Z])\)|([A-Z])(?=[.):*]|\s*$))", re.MULTILINE | re.IGNORECASE)
_SINGLE = re.compile(r"(?<![A-Za-z'])([A-Z])(?![A-Za-z'])")


def read_answer(text: str, letters: Iterable[str] = "ABCD") -> str | None:
    """The letter that a free text answers, or None.

    Tried in this order (the published scorer's), letters large or small: an ``<answer>`` tag; the last "final answer",
    "answer" or "option" with a letter, "a" included where it was meant as an article; the last letter that begins a
    line and is set off by ``.``, ``)``, ``:``, brackets or the line's end; single capital letters, when all of them are
    the same (an article "A" counts).
    """
    allowed = {letter.upper() for letter in letters}
    for pattern in (_TAGGED, _MARKED, _LEADING):
        letters_found = ("".join(match.groups(default="")).upper() for match in pattern.finditer(text))
        found = [letter for letter in letters_found if letter in allowed]
        if found:
            return found[-1]
    single = {letter for letter in _SINGLE.findall(text) if letter in allowed}
    return single.pop() if len(single) == 1 else None

"""English as it is spoken: figures as words, British and American spelling as one.

Recognisers write "£40" and "neighbor" where a script has "forty pounds" and "neighbour", which no ear can tell apart.
Both sides are brought to one form, as is usual where word error rates are reported (Radford et al. 2022, appendix C).
"""

from __future__ import annotations

import re

_UP_TO_NINETEEN = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_SMALL = _UP_TO_NINETEEN.split()
_TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_ORDINALS = {"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth"} | {
    "nine": "ninth",
    "twelve": "twelfth",
}
_MONEY = {"£": "pounds", "$": "dollars", "€": "euros"}
_CENTURY = range(1100, 2000)
"""Numbers that are read in two halves, as years are."""
_FIGURES = re.compile(
    r"(?P<sign>[£$€])?(?P<whole>\d{1,3}(?:,\d{3})+|\d{1,6})(?!\d)(?::(?P<minutes>\d\d)\b|\.(?P<part>\d+))?"
    r"(?P<end>st|nd|rd|th|s|%)?\b|(?P<sign2>%)"
)
_SPELLINGS = (
    (re.compile(r"(?<=\w{3})our(?=\w*\b)"), "or"),
    (re.compile(r"(?<=\w{3})is(?=(?:e|ed|es|ing|ation|er)\b)"), "iz"),
    (re.compile(r"(?<=\w{3})yse(?=[ds]?\b)"), "yze"),
    (re.compile(r"(?<=\w{2})tre(?=s?\b)"), "ter"),
    (re.compile(r"ll(?=(?:ed|er|ers|ing)\b)"), "l"),
    (re.compile(r"ence\b"), "ense"),
    (re.compile(r"\bgrey"), "gray"),
    (re.compile(r"\bok\b"), "okay"),
    (re.compile(r"\bprogramme"), "program"),
    (re.compile(r"\btyre"), "tire"),
)


def in_words(text: str) -> str:
    """The text in lower case, without hyphens, with figures as words and one spelling."""
    plain = text.lower().replace("’", "'").replace("%", "% ")
    plain = _FIGURES.sub(_said, plain).replace("-", " ")
    for pattern, one in _SPELLINGS:
        plain = pattern.sub(one, plain)
    return " ".join(plain.split())


def number_in_words(number: int) -> str:
    """A whole number from 0 to 999,999 as it is said: 342 is "three hundred and forty two"."""
    if number < 20:
        return _SMALL[number]
    if number < 100:
        tens, ones = divmod(number, 10)
        return _TENS[tens] + (f" {_SMALL[ones]}" if ones else "")
    size, name = (1000, "thousand") if number >= 1000 else (100, "hundred")
    many, rest = divmod(number, size)
    joined = " and " if 0 < rest < 100 else " "
    return f"{number_in_words(many)} {name}" + (joined + number_in_words(rest) if rest else "")


def _said(match: re.Match[str]) -> str:
    if match["sign2"]:
        return " percent "
    number = int(match["whole"].replace(",", ""))
    words = number_in_words(number)
    if number in _CENTURY and "," not in match["whole"] and number % 100 >= 10:
        words = f"{number_in_words(number // 100)} {number_in_words(number % 100)}"
    if match["minutes"]:
        minutes = int(match["minutes"])
        words += f" {number_in_words(minutes)}" if minutes else ""
    elif match["part"]:
        words += " point " + " ".join(_SMALL[int(digit)] for digit in match["part"])
    words = _ended(words, match["end"] or "")
    return f"{words} {_MONEY[match['sign']]}" if match["sign"] else words


def _ended(words: str, end: str) -> str:
    if end == "s":
        return words.removesuffix("y") + "ies" if words.endswith("y") else f"{words}s"
    if end == "%":
        return f"{words} percent"
    if not end:
        return words
    rest, _, last = words.rpartition(" ")
    ordinal = _ORDINALS.get(last) or (last.removesuffix("y") + "ieth" if last.endswith("y") else f"{last}th")
    return f"{rest} {ordinal}".strip()

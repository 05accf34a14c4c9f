"""Printing tagged text: tags put into a transcript, taken out of it, or spelled as the taxonomy spells them.

Spacing follows the text: where words stand apart by blanks, so do tags; Chinese stays without. A tag stands after the
punctuation of the word before it and before an opening quote or bracket of the word after it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from sonolake.errors import InvalidInput
from sonolake.wesr.tagged import Span, Token, parse
from sonolake.wesr.taxonomy import tag_of

_TAG_KINDS = ("point", "open", "close")


def insert(text: str, points: Iterable[tuple[int, str]] = (), spans: Iterable[Span] = ()) -> str:
    """A transcript with events at their places; reading it back gives these points and spans.

    Args:
        text: a transcript without tags.
        points: (gap, discrete tag) pairs; gap i is before word i, the last one after all words.
        spans: continuous events over words; two spans of one event must not share a word.

    Raises:
        InvalidInput: for a text with tags, a tag of the other form, or a place that is not there.
    """
    tokens = parse(text).tokens
    if any(token.kind in _TAG_KINDS for token in tokens):
        raise InvalidInput("text", "a transcript without tags", text)
    words = sum(token.kind == "word" for token in tokens)
    marks: list[list[str]] = [[] for _ in range(words + 1)]
    _close(marks, spans := sorted(spans, key=lambda s: (s.first, -s.last, s.label)), words)
    for gap, name in points:
        if not 0 <= gap <= words or tag_of(name).form != "discrete":
            raise InvalidInput("point", f"a discrete tag at a gap of 0 to {words}", (gap, name))
        marks[gap].append(tag_of(name).text)
    for span in spans:
        marks[span.first].append(tag_of(span.label).text)
    return _joined(text, marks)


def without_tags(text: str) -> str:
    """The transcript alone, stripped; a blank on either side of what is taken out becomes one."""
    made = ""
    after_tag = False
    for token in parse(text).tokens:
        if token.kind in _TAG_KINDS or token.kind == "speaker":
            after_tag = True
            continue
        raw = token.raw
        if after_tag and raw[:1].isspace():
            made = made.rstrip()
        made, after_tag = made + raw, False
    return made.strip()


def tidy(text: str) -> str:
    """The same text with plain brackets, and known tags under the taxonomy's names; nothing else changes."""
    return "".join(_spelled(token) for token in parse(text).tokens)


def _spelled(token: Token) -> str:
    name = token.tag.name if token.tag else token.name
    if token.kind == "close":
        return f"</{name}>"
    if token.kind == "open" or (token.kind == "point" and token.raw[0] in "<＜〈"):
        return f"<{name}>"
    return f"[{name}]" if token.kind == "point" else token.raw


def _split(tokens: Iterable[Token]) -> tuple[list[str], list[str]]:
    """Words as they stand, and what is before, between and after them."""
    words: list[str] = []
    between = [""]
    for token in tokens:
        if token.kind == "word":
            words.append(token.raw)
            between.append("")
        else:
            between[-1] += token.raw
    return words, between


def _close(marks: list[list[str]], spans: list[Span], words: int) -> None:
    ends: dict[str, int] = {}
    for span in spans:
        if not 0 <= span.first <= span.last < words or tag_of(span.label).form != "continuous":
            raise InvalidInput("span", f"a continuous tag over words 0 to {words - 1}", span)
        if ends.get(span.label, -1) >= span.first:
            raise InvalidInput("spans", "no word twice under one event", span)
        ends[span.label] = span.last
    for span in reversed(spans):
        marks[span.last + 1].append(tag_of(span.label).closing)


def apart(text: str) -> tuple[list[str], list[tuple[str, str]]]:
    """A transcript in its words, and what is at each gap: the end of the word before, and the beginning of the next."""
    words, between = _split(parse(text).tokens)
    cuts = [_cut(separator, gap, len(words)) for gap, separator in enumerate(between)]
    return words, [(separator[:cut], separator[cut:]) for separator, cut in zip(between, cuts, strict=True)]


def _joined(text: str, marks: list[list[str]]) -> str:
    made = ""
    words, gaps = apart(text)
    for (tail, head), found, word in zip(gaps, marks, [*words, ""], strict=True):
        made += _at_gap(made, tail, found, head + word)
    return made


def _at_gap(before: str, tail: str, marks: list[str], after: str) -> str:
    """What stands at a gap: the rest of the word before, the tags, and the word after."""
    if not marks:
        return tail + after
    close = tail.rstrip()
    blank = tail[len(close) :]
    apart = " " if blank or _at_edge_of_spaced_text(before + close, after) else ""
    leading = apart if before or close else ""
    return close + leading + apart.join(marks) + (blank or (apart if after else "")) + after


def _at_edge_of_spaced_text(before: str, after: str) -> bool:
    neighbour = before[-1:] or after[:1] if not (before and after) else ""
    return bool(neighbour) and unicodedata.east_asian_width(neighbour) not in "WF"


def _cut(separator: str, gap: int, words: int) -> int:
    """Where a separator parts into the end of one word and the beginning of the next."""
    if gap == 0:
        return 0
    if gap == words:
        return len(separator)
    last_blank = max((i for i, sign in enumerate(separator) if sign.isspace()), default=-1)
    if last_blank >= 0:
        return last_blank + 1
    opening = separator
    while opening and unicodedata.category(opening[-1]) in ("Ps", "Pi"):
        opening = opening[:-1]
    return len(opening)

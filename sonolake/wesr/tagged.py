"""Tagged text: words with vocal events at their places, read without loss.

``[x]`` is an event at a point, ``<x>…</x>`` colours the words inside; full-width and lenticular brackets (［x］, 【x】,
＜x＞, 〈x〉) are read as well. Whatever else stands in square brackets on one line, and ``<x/>``, is an unknown event
at a point. A text of N words has 2N + 1 positions: word i is at 2i + 1, the gap before it at 2i (WESR, section 4.4,
step 2). A CJK character is a word; elsewhere a word is a run of letters and digits, joined by apostrophes and hyphens.

Nothing is dropped: tokens keep the text exactly as it was, so that joining them gives it back, and whatever is odd
about a tag is a finding beside it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from sonolake.wesr.taxonomy import Form, Tag, folded, resolve

Kind = Literal["word", "other", "point", "open", "close", "speaker"]
"""``other``: blanks and punctuation; ``speaker``: marks such as ``[S1]``."""

Problem = Literal[
    "unknown_tag",
    "alias",
    "wide_brackets",
    "unclosed",
    "stray_close",
    "opened_twice",
    "empty_span",
    "crossing",
    "broken_bracket",
]
"""What can be odd about a tag; ``alias`` and ``wide_brackets`` do no harm, ``broken_bracket`` is half a tag."""

_CJK = r"[\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af]"
_LETTER = rf"(?!{_CJK})[^\W_]"
_JOINT = rf"['’ʼ‐-](?={_LETTER})|(?<=\d)[.,](?=\d)"
_MARKS = r"[\u0300-\u036f]"
_NAME = r"\s*[^\W\d_][\w \t-]*"
_ANYTHING = r"[^\[\]［］【】<>＜＞〈〉\r\n]*"
_TOKEN = re.compile(
    r"(?P<speaker>\[S\d+\])"
    rf"|(?P<point>[\[［【](?P<inside>(?={_ANYTHING}[^\W_]){_ANYTHING})[\]］】])"
    rf"|(?P<alone>[<＜〈](?P<standing>{_NAME}[/／]\s*)[>＞〉])"
    rf"|(?P<close>[<＜〈]\s*[/／](?P<closing>{_NAME})[>＞〉])"
    rf"|(?P<open>[<＜〈](?P<opening>{_NAME})[>＞〉])"
    rf"|(?P<word>{_CJK}{_MARKS}*|{_LETTER}(?:(?!{_CJK})\w|{_MARKS}|{_JOINT})*)"
)
_WIDE = frozenset("［］【】＜＞〈〉")
_BRACKETS = _WIDE | frozenset("[]<>")


@dataclass(frozen=True)
class Token:
    """A piece of the text.

    Attributes:
        kind: what it is.
        raw: the text itself.
        name: name of a tag as written, without brackets and outer blanks; a word in NFC; else empty.
        tag: the event that the name means, None for an unknown one and for what is no tag.
    """

    kind: Kind
    raw: str
    name: str = ""
    tag: Tag | None = None

    @property
    def label(self) -> str:
        """Name of the event, or the name as written, folded, when it is unknown."""
        return self.tag.name if self.tag else folded(self.name)


@dataclass(frozen=True)
class Finding:
    """Something odd: which token (index), what, and the tag's text."""

    token: int
    problem: Problem
    raw: str


@dataclass(frozen=True)
class Span:
    """Words coloured by an event: ``first`` to ``last`` word, both included; ``last < first`` when there is none."""

    label: str
    first: int
    last: int


@dataclass(frozen=True)
class Position:
    """One of the 2N + 1 positions: its number, ``word`` or ``gap``, the word's text, and the events there."""

    number: int
    kind: Literal["word", "gap"]
    word: str
    events: tuple[str, ...]


@dataclass(frozen=True)
class Tagged:
    """A parsed text."""

    tokens: tuple[Token, ...]
    findings: tuple[Finding, ...]
    points: tuple[tuple[int, str], ...]
    spans: tuple[Span, ...]

    @property
    def words(self) -> tuple[str, ...]:
        """The words, in NFC."""
        return tuple(token.name for token in self.tokens if token.kind == "word")

    def positions(self) -> tuple[Position, ...]:
        """All positions with the events that are known or not: points at gaps, spans at each of their words."""
        words = self.words
        events: list[list[str]] = [[] for _ in range(2 * len(words) + 1)]
        for gap, label in self.points:
            events[2 * gap].append(label)
        for span in self.spans:
            for word in range(span.first, span.last + 1):
                events[2 * word + 1].append(span.label)
        return tuple(_position(number, words, found) for number, found in enumerate(events))


def _position(number: int, words: tuple[str, ...], events: list[str]) -> Position:
    names = tuple(sorted(set(events)))
    return (
        Position(number, "word", words[number // 2], names)
        if number % 2
        else Position(number, "gap", "", names)
    )


def parse(text: str) -> Tagged:
    """Read a tagged text.

    A span that is never closed runs to the end; a second opening of the same event inside it is reported and counts
    for nothing, a closing without an opening likewise; different events may nest and overlap.
    """
    tokens = tuple(_tokens(text))
    reader = _Reader()
    for index, token in enumerate(tokens):
        reader.take(index, token)
    return reader.finish(tokens)


def words_of(text: str) -> list[str]:
    """The words of a tagged text, in NFC; what :attr:`Tagged.words` holds, without the rest."""
    return [unicodedata.normalize("NFC", match["word"]) for match in _TOKEN.finditer(text) if match["word"]]


def to_text(tokens: Iterable[Token]) -> str:
    """The text of tokens; for those of :func:`parse`, exactly what was parsed."""
    return "".join(token.raw for token in tokens)


def _tokens(text: str) -> Iterable[Token]:
    done = 0
    for match in _TOKEN.finditer(text):
        if match.start() > done:
            yield Token("other", text[done : match.start()])
        yield _token(match)
        done = match.end()
    if done < len(text):
        yield Token("other", text[done:])


def _token(match: re.Match[str]) -> Token:
    raw = match.group()
    if match["speaker"]:
        return Token("speaker", raw)
    if match["word"]:
        return Token("word", raw, unicodedata.normalize("NFC", raw))
    name = (match["inside"] or match["standing"] or match["opening"] or match["closing"]).strip()
    form: Form = "discrete" if match["point"] else "continuous"
    kind: Kind = "open" if match["open"] else "close" if match["close"] else "point"
    return Token(kind, raw, name, resolve(name, form))


class _Reader:
    """Counts words and keeps the spans that are open."""

    def __init__(self) -> None:
        self.words = 0
        self.open: dict[str, tuple[int, Token, int]] = {}
        self.points: list[tuple[int, str]] = []
        self.spans: list[Span] = []
        self.findings: list[Finding] = []

    def take(self, index: int, token: Token) -> None:
        if token.kind == "word":
            self.words += 1
        elif token.kind == "other" and _BRACKETS & set(token.raw):
            self._find(index, "broken_bracket", token)
        elif token.kind in ("point", "open", "close"):
            self._describe(index, token)
            {"point": self._point, "open": self._open, "close": self._close}[token.kind](index, token)

    def _describe(self, index: int, token: Token) -> None:
        if token.tag is None:
            self._find(index, "unknown_tag", token)
        elif token.tag.name != token.name:
            self._find(index, "alias", token)
        if _WIDE & set(token.raw):
            self._find(index, "wide_brackets", token)

    def _find(self, index: int, problem: Problem, token: Token) -> None:
        self.findings.append(Finding(index, problem, token.raw))

    def _point(self, _: int, token: Token) -> None:
        self.points.append((self.words, token.label))

    def _open(self, index: int, token: Token) -> None:
        if token.label in self.open:
            self._find(index, "opened_twice", token)
        else:
            self.open[token.label] = (index, token, self.words)

    def _close(self, index: int, token: Token) -> None:
        if token.label not in self.open:
            self._find(index, "stray_close", token)
            return
        if next(reversed(self.open)) != token.label:
            self._find(index, "crossing", token)
        _, _, first = self.open.pop(token.label)
        if first == self.words:
            self._find(index, "empty_span", token)
        self.spans.append(Span(token.label, first, self.words - 1))

    def finish(self, tokens: tuple[Token, ...]) -> Tagged:
        for label, (index, token, first) in self.open.items():
            self._find(index, "unclosed", token)
            self.spans.append(Span(label, first, self.words - 1))
        findings = tuple(sorted(self.findings, key=lambda f: (f.token, f.problem)))
        return Tagged(
            tokens, findings, tuple(self.points), tuple(sorted(self.spans, key=lambda s: (s.first, s.label)))
        )

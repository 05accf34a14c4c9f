"""Figures of the report: what is read there, in texts and in labels.

``data-proof`` on an element names the proof of all that is in it, ``data-row`` the row of that proof's answer, or that
its rows are counted.
Passed over are code, what a control shows while it is used (``output``), and what is marked with ``data-quoted``:
names, and the ticks of scales.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from html.parser import HTMLParser

from sonolake.releases.figures.claims import Claim
from sonolake.releases.figures.words import figure_words
from sonolake.releases.layout import REPORT

_SKIPPED = {"head", "script", "style", "code", "output"}
_LABELS = ("aria-label", "title", "alt")
_VOID = {"meta", "img", "input", "br", "hr", "link"}


@dataclass(frozen=True)
class _Inside:
    """What holds for all that is in an element."""

    tag: str
    section: str = ""
    proof: str = ""
    row: int | str | None = None
    skipped: bool = False


def page_claims(text: str) -> Iterator[Claim]:
    """Every figure that the page shows."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    yield from reader.claims


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open = [_Inside("")]
        self.claims: list[Claim] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        inside = self._entered(tag, {name: value or "" for name, value in attrs})
        for name, value in attrs:
            if name in _LABELS and value:
                self._claim(value, inside)
        if tag not in _VOID:
            self.open.append(inside)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        while len(self.open) > 1 and self.open.pop().tag != tag:
            pass

    def handle_data(self, data: str) -> None:
        self._claim(data, self.open[-1])

    def _entered(self, tag: str, said: dict[str, str]) -> _Inside:
        inside = replace(self.open[-1], tag=tag)
        if "data-proof" in said:
            inside = replace(inside, proof=said["data-proof"], row=None)
        if row := said.get("data-row"):
            inside = replace(inside, row=int(row) if row.isdigit() else row)
        if tag == "section" and said.get("id"):
            inside = replace(inside, section=said["id"])
        return replace(inside, skipped=inside.skipped or tag in _SKIPPED or "data-quoted" in said)

    def _claim(self, text: str, inside: _Inside) -> None:
        words = () if inside.skipped else tuple(figure_words(text))
        if words:
            where = f"{REPORT}, {inside.section or 'head'}"
            self.claims.append(Claim(where, words, (inside.proof,) if inside.proof else (), inside.row))

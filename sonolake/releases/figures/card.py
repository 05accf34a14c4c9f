"""Figures of the card. A line names its proofs by links; code, link targets, the head and the title are passed over."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sonolake.releases.figures.claims import Claim
from sonolake.releases.figures.prose import PROOF_LINK
from sonolake.releases.figures.words import figure_words
from sonolake.releases.layout import CARD

_HEAD = re.compile(r"\A---\n.*?^---\n", re.DOTALL | re.MULTILINE)
_FENCE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
_CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)")
_TARGET = re.compile(r"\]\([^)]*\)")
_TITLE = re.compile(r"^# .*$", re.MULTILINE)


def card_claims(text: str) -> Iterator[Claim]:
    """The figures of every line; those of a table's row must be together in one row of an answer."""
    for pattern in (_HEAD, _FENCE, _TITLE):
        text = pattern.sub(lambda found: "\n" * found[0].count("\n"), text)
    for number, line in enumerate(text.splitlines(), 1):
        proofs = tuple(link[2] for link in PROOF_LINK.finditer(line))
        words = figure_words(_TARGET.sub("]", _CODE.sub(" ", PROOF_LINK.sub(" ", line))))
        if words:
            yield Claim(f"{CARD}, line {number}", tuple(words), proofs, together=line.startswith("|"))

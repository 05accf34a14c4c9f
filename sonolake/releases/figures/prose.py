"""Sentences that others wrote, with their figures: proven where they name a proof, otherwise quoted as code."""

from __future__ import annotations

import re

from sonolake.releases.figures.words import figure_spans, figure_words
from sonolake.releases.layout import PROOFS

PROOF_LINK = re.compile(rf"\[([^\]]+)\]\({PROOFS}/([a-z0-9._-]+)\.sql\)")
"""A link to a proof in Markdown: what it says, the proof's id."""
_CODE = re.compile(r"(`+[^`]+`+)")


def proof_link(name: str) -> str:
    """Markdown that says which proof the figures of a line are from."""
    return f"[{name}]({PROOFS}/{name}.sql)"


def pieces(text: str) -> list[tuple[str, str]]:
    """``text`` in pieces of kind ``text``, ``code`` or ``proof`` (the id).

    Figures of a text that names no proof are code: a setting, or what somebody says, counted by nobody.
    """
    found: list[tuple[str, str]] = []
    split = _with_links if PROOF_LINK.search(text) else _with_code
    for kind, part in spans(text):
        found += [(kind, part)] if kind == "code" else split(part)
    return [(kind, piece) for kind, piece in found if piece]


def spans(text: str) -> list[tuple[str, str]]:
    """``text`` in pieces of kind ``text`` and ``code``."""
    parts = filter(None, _CODE.split(text))
    return [("code", part.strip("`").strip()) if _CODE.fullmatch(part) else ("text", part) for part in parts]


def in_markdown(text: str) -> str:
    """``text`` as Markdown, figures without a proof between backticks."""
    forms = {"text": "{}", "code": "`{}`"}
    return "".join(
        proof_link(piece) if kind == "proof" else forms[kind].format(piece) for kind, piece in pieces(text)
    )


def without_marks(text: str) -> str:
    """``text`` as it is read where there is no Markdown and no proof to point to."""
    unlinked = re.sub(rf"\s*\(\s*{PROOF_LINK.pattern}\s*\)", "", text)
    return PROOF_LINK.sub("", unlinked).replace("`", "")


def named(name: str) -> str:
    """A name in a sentence whose figures are proven: in code where it has figures of its own."""
    return as_code(name) if figure_words(name) else name


def as_code(text: str) -> str:
    """``text`` as a code span of Markdown, whatever is in it."""
    flat = " ".join(text.split()).replace("|", "\\|")
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", flat)), default=0))
    return f"{fence} {flat} {fence}" if len(fence) > 1 else f"`{flat}`"


def _with_links(text: str) -> list[tuple[str, str]]:
    found, at = [], 0
    for link in PROOF_LINK.finditer(text):
        found += [("text", text[at : link.start()]), ("proof", link[2])]
        at = link.end()
    return [*found, ("text", text[at:])]


def _with_code(text: str) -> list[tuple[str, str]]:
    found, at = [], 0
    for start, end in figure_spans(text):
        found += [("text", text[at:start]), ("code", text[start:end])]
        at = end
    return [*found, ("text", text[at:])]

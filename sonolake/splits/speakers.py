"""Speakers by the names that sources give them: what one person says is in one split.

Names are compared as they stand, over all sources: ``p225`` of one corpus is ``p225`` of another. Where these are two
persons they share a split for nothing, which leaks nothing.
"""

from __future__ import annotations

NAMELESS = (
    "", "-", "?", "anonymous", "multiple", "n/a", "na", "nan", "none", "null", "several", "unknown", "various",
)  # fmt: skip
"""What stands, in small letters, where nobody knows who speaks."""


def known_speaker(name: str | None) -> str | None:
    """The name of a speaker without blanks around it; None where it names nobody."""
    plain = (name or "").strip()
    return None if plain.lower() in NAMELESS else plain


def speaker_key(name: str) -> str:
    """The key of the ledger that ties what one speaker says."""
    return f"speaker:{name}"

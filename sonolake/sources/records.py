"""What a source hands on: items that can be read, items that cannot, with one reason each, and items that are known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class SourceItem:
    """One file that a source offers.

    Attributes:
        item: the item's name: POSIX path under the source, Unicode NFC.
        path: where its bytes are; the file system's own spelling, never normalised.
        fields: what the manifest says under the contract's headers (NFC text, blank ones left out;
            numbers have been checked, so ``float`` cannot fail on them).
        tags: what the manifest says under other headers.
    """

    item: str
    path: Path
    fields: Mapping[str, str] = field(default_factory=dict)
    tags: Mapping[str, str] = field(default_factory=dict)

    def number(self, name: str) -> float | None:
        """The value of a numeric header (degrees or metres), or None when the manifest does not say."""
        text = self.fields.get(name)
        return None if text is None else float(text)


@dataclass(frozen=True)
class Refusal:
    """One item that a source cannot offer: a value to be counted and kept, never an exception.

    Attributes:
        item: the item's name, as in :class:`SourceItem`.
        reason: a reason code, such as ``conflicting_labels`` or ``missing``.
        detail: one sentence for a person.
    """

    item: str
    reason: str
    detail: str


@dataclass(frozen=True)
class Seen:
    """One item that the lake knows by its name, so that its source was not asked for its bytes."""

    item: str


Offered = SourceItem | Refusal | Seen
"""What a source hands on."""

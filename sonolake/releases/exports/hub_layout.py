"""A folder that Hugging Face's ``datasets`` loads: the release's own shards, byte for byte, and its card.

A release is one already; this is a view of what is needed: card, attribution, changelog, shards, and with all tables
and splits the Croissant description and what it describes. Of a part, the head of the card names that part alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from sonolake.errors import InvalidInput
from sonolake.releases.exports.source import Source
from sonolake.releases.exports.writer import Made
from sonolake.releases.fetching import fetch
from sonolake.releases.frontmatter import narrowed
from sonolake.releases.layout import (
    ATTRIBUTION_CSV,
    ATTRIBUTION_MD,
    CARD,
    CHANGELOG,
    CROISSANT,
    ITEMS,
    LINEAGE,
    SPLITS,
)
from sonolake.releases.pace import Gate, Rate
from sonolake.releases.selection import is_selection
from sonolake.releases.tables import FileRow

ALWAYS = (CARD, CHANGELOG, ATTRIBUTION_CSV, ATTRIBUTION_MD)
WITH_ALL = (CROISSANT, ITEMS, LINEAGE)


def write_layout(source: Source, folder: Path) -> Made:
    """Copy what is needed of ``source`` into ``folder``.

    Raises:
        InvalidInput: for chosen items, which are parts of shards.
        Damaged: when a file is not what the manifest says.
    """
    place = source.table.place
    if source.where is not None or (isinstance(place, Path) and is_selection(place)):
        raise InvalidInput(
            "items", "whole splits, whose shards are copied", source.where, "another format has them"
        )
    kept: dict[str, list[str]] = {}
    for split, records in source.parts:
        kept.setdefault(records.config, []).append(split)
    files = source.table.release.files
    withheld = source.table.release.withheld
    whole = _all(kept, files) and not withheld
    wanted = [*ALWAYS, *(WITH_ALL if whole else ())]
    for file in files:
        if file.path in withheld:
            continue
        if file.path in wanted or (file.config in kept and file.split in kept[file.config or ""]):
            fetch(source.table.release.origin, folder, file, Gate(Rate()))
    if not whole:
        card = folder / CARD
        card.write_text(narrowed(card.read_text(encoding="utf-8"), _ordered(kept)), encoding="utf-8")
    return sum(len(records) for _, records in source.parts), []


def _all(kept: Mapping[str, Sequence[str]], files: Sequence[FileRow]) -> bool:
    there = {(f.config, f.split) for f in files if f.config is not None}
    return there == {(config, split) for config, splits in kept.items() for split in splits}


def _ordered(kept: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    return {config: sorted(splits, key=SPLITS.index) for config, splits in sorted(kept.items())}

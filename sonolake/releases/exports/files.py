"""Plain files: ``CONFIG/SPLIT/KEY.flac`` (or whatever the sound is) with ``KEY.json`` beside it."""

from __future__ import annotations

from pathlib import Path

from sonolake.releases.exports.items import Item
from sonolake.releases.exports.packing import json_text
from sonolake.releases.exports.source import About
from sonolake.releases.exports.writer import described, place_of


class Files:
    """See this module; an item without sound is its JSON alone."""

    def __init__(self, folder: Path, about: About) -> None:
        self._folder = folder

    def write(self, item: Item) -> None:
        """See :class:`~sonolake.releases.exports.writer.Writer`."""
        if item.sound is not None:
            place_of(self._folder, item, item.suffix).write_bytes(item.sound)
        place_of(self._folder, item, "json").write_text(json_text(described(item)) + "\n", encoding="utf-8")

    def close(self) -> None:
        """Nothing comes last."""

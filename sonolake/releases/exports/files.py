"""Plain files: ``CONFIG/SPLIT/KEY.flac`` (or whatever the sound is) with ``KEY.json`` beside it."""

from __future__ import annotations

from pathlib import Path

from sonolake.releases.exports.items import Item
from sonolake.releases.exports.packing import json_text
from sonolake.releases.exports.source import About
from sonolake.releases.exports.writer import described


class Files:
    """See this module; an item without sound is its JSON alone."""

    def __init__(self, folder: Path, about: About) -> None:
        self._folder = folder

    def write(self, item: Item) -> None:
        """See :class:`~sonolake.releases.exports.writer.Writer`."""
        home = self._folder / item.config / item.split
        home.mkdir(parents=True, exist_ok=True)
        if item.sound is not None:
            (home / f"{item.key}.{item.suffix}").write_bytes(item.sound)
        (home / f"{item.key}.json").write_text(json_text(described(item)) + "\n", encoding="utf-8")

    def close(self) -> None:
        """Nothing comes last."""

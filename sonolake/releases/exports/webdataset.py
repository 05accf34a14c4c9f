"""WebDataset: tar archives of samples, each a sound and a JSON (and a text) of one key.

``CONFIG-SPLIT-000000.tar`` and so on, keys without points, members by key and ending, and ``sizes.json`` with the
samples of each archive. A shard of the release begins an archive of its own, so that a later version, whose edits touch
few shards, changes few archives.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from sonolake.releases.exports.items import Item
from sonolake.releases.exports.packing import Tar, json_text
from sonolake.releases.exports.source import About
from sonolake.releases.exports.writer import described, require_sound

MOST_BYTES = 1 << 30
"""Bytes of an archive, but for one that holds a single larger sample."""


class WebDataset:
    """See this module."""

    def __init__(self, folder: Path, about: About) -> None:
        self._folder = folder
        self._tar: Tar | None = None
        self._place: tuple[str, str, int] | None = None
        self._numbers: Counter[tuple[str, str]] = Counter()
        self._sizes: dict[str, int] = {}
        self._name = ""

    def write(self, item: Item) -> None:
        """See :class:`~sonolake.releases.exports.writer.Writer`."""
        require_sound(item)
        members = {item.suffix: item.sound or b"", "json": json_text(described(item)).encode()}
        if item.labels.text:
            members["txt"] = item.labels.text.encode()
        tar = self._at((item.config, item.split, item.shard), sum(map(len, members.values())))
        for suffix, data in sorted(members.items()):
            tar.add(f"{item.key}.{suffix}", data)
        self._sizes[self._name] += 1

    def close(self) -> None:
        """See :class:`~sonolake.releases.exports.writer.Writer`."""
        if self._tar is not None:
            self._tar.close()
        sizes = json_text(dict(sorted(self._sizes.items())))
        (self._folder / "sizes.json").write_text(sizes + "\n", encoding="utf-8")

    def _at(self, place: tuple[str, str, int], more: int) -> Tar:
        """The archive that a sample of so many bytes goes into."""
        if self._tar is not None and place == self._place and self._tar.size + more <= MOST_BYTES:
            return self._tar
        if self._tar is not None:
            self._tar.close()
        config, split, _ = self._place = place
        self._name = f"{config}-{split}-{self._numbers[config, split]:06d}.tar"
        self._numbers[config, split] += 1
        self._sizes[self._name] = 0
        self._tar = Tar(self._folder / self._name)
        return self._tar

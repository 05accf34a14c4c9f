"""The web as a source: what a list holds, and its recordings as items that an intake can take."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sonolake.audio.canonical import canonical
from sonolake.errors import ItemRefused
from sonolake.models.packages import file_sha256
from sonolake.sources.freesound.places import state_folder, write_whole
from sonolake.sources.parts import items_of, may_be_changed
from sonolake.sources.records import Offered, Refusal, Seen, SourceItem
from sonolake.sources.web.downloads import MOST_FEED, Download, Downloads, Version, key_of
from sonolake.sources.web.feeds import entries_of
from sonolake.sources.web.lists import Entry, read_list
from sonolake.sources.web.settings import WebSettings
from sonolake.sources.web.transport import Transport

AT_ONCE = 4
"""Hosts that are asked at once."""


@dataclass
class Web:
    """Addresses, downloads under way, and what is remembered of what a lake has.

    Args:
        settings: how it is asked.
        state: where downloads, versions and robots.txt files are kept.
        transport: asks; one of its own by default.
    """

    settings: WebSettings = field(default_factory=WebSettings)
    state: Path = field(default_factory=lambda: state_folder() / "web")
    transport: Transport | None = None

    def __post_init__(self) -> None:
        self.asks = self.transport or Transport(self.state / "robots", self.settings.pause_s)
        self.sounds = Downloads(self.state / "sounds", self.asks)
        self.feeds = Downloads(self.state / "feeds", self.asks)
        self.versions = self.state / "versions"
        self.versions.mkdir(parents=True, exist_ok=True)

    def __enter__(self) -> Web:
        return self

    def __exit__(self, *_: object) -> None:
        self.asks.client.close()

    def find(self, source: str, mapping: Mapping[str, str] | None = None) -> list[Entry | Refusal]:
        """The recordings that a list and its feeds name, each address once, in their order.

        Raises:
            NotFound, InvalidInput: as :func:`~sonolake.sources.web.lists.read_list`.
        """
        entries, refusals = read_list(source, mapping)
        found: dict[str, Entry] = {}
        for entry in entries:
            try:
                episodes = self._episodes(entry) if entry.is_feed else [entry]
            except ItemRefused as refused:
                refusals.append(Refusal(f"feed:{entry.item}", refused.reason, refused.detail))
                continue
            for episode in episodes:
                found.setdefault(episode.item, episode)
        return [*refusals, *list(found.values())[: self.settings.most or None]]

    def offer(
        self, entries: Sequence[Entry], known: Mapping[str, Mapping[str, str]], licence: str = ""
    ) -> list[list[Offered]]:
        """What each entry gives: items with files of FLAC, one refusal, or what the lake has and is unchanged.

        Args:
            entries: what is wanted.
            known: of entries that the lake has, the ids of assets by the names of items.
            licence: of what states none. What allows no derivatives is left as it came.
        """
        with ThreadPoolExecutor(AT_ONCE) as pool:
            return list(
                pool.map(lambda entry: self._offered(entry, known.get(entry.item, {}), licence), entries)
            )

    def remember(self, entry: Entry, offered: Iterable[Offered]) -> None:
        """Keep the version of what a lake has taken, and remove its downloads; parts of broken ones stay."""
        offered = list(offered)
        if any(isinstance(one, Refusal) and one.reason == "download_failed" for one in offered):
            return
        items = {one.item: file_sha256(one.path) for one in offered if isinstance(one, SourceItem)}
        if items:
            kept = {"version": self._version(entry), "items": items}
            write_whole(self.versions / f"{key_of(entry.url)}.json", json.dumps(kept))
        self.sounds.forget(entry.url)

    def _episodes(self, feed: Entry) -> list[Entry]:
        """The entries of a feed, asked for when it has changed."""
        kept = self.feeds.folder / f"{key_of(feed.url)}.xml"
        note = kept.with_suffix(".version")
        known = _json(note) if kept.is_file() else {}
        came = self.feeds.get(feed.url, known, pages=True, most=MOST_FEED)
        if came is not None:
            data = came.path.read_bytes()
            entries_of(data, feed)
            came.path.replace(kept)
            write_whole(note, json.dumps(came.version))
        return entries_of(kept.read_bytes(), feed)

    def _offered(self, entry: Entry, known: Mapping[str, str], licence: str) -> list[Offered]:
        try:
            came = self.sounds.get(entry.url, self._known_version(entry, known))
        except ItemRefused as refused:
            return [Refusal(entry.item, refused.reason, refused.detail)]
        if came is None:
            return [Seen(item) for item in known]
        return self._items(entry, came, licence)

    def _items(self, entry: Entry, came: Download, licence: str) -> list[Offered]:
        """The pieces of a download; the download itself where it may not be changed, or cannot be read, for the
        intake's verdict."""
        said = {**came.version, "sha256": file_sha256(came.path)}
        tags = {**entry.tags, **{f"web_{name}": text for name, text in said.items()}}
        whole = SourceItem(entry.item, came.path, entry.fields, tags)
        if not may_be_changed(entry.fields, licence):
            return [whole]
        try:
            pieces = canonical(came.path, self.sounds.folder, self.settings.part_minutes * 60)
        except ItemRefused:
            return [whole]
        return list(items_of(whole, pieces, "web"))

    def _known_version(self, entry: Entry, known: Mapping[str, str]) -> Version:
        """The version of what the lake has, where that is what was remembered."""
        kept = _json(self.versions / f"{key_of(entry.url)}.json")
        items = kept.get("items")
        if not known or not isinstance(items, dict) or dict(known) != items:
            return {}
        version = kept.get("version")
        return version if isinstance(version, dict) else {}

    def _version(self, entry: Entry) -> Version:
        note = _json(self.sounds.folder / f"{key_of(entry.url)}.json")
        return {str(name): str(text) for name, text in note.items()}


def _json(path: Path) -> dict[str, Any]:
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return kept if isinstance(kept, dict) else {}

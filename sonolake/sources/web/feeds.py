"""Podcast feeds (RSS, Atom) as entries, with what they declare of licence, language and author.

Read by feedparser (BSD-2-Clause). The declared licence is the episode's, else the feed's: ``creativeCommons:license``,
a link ``rel="license"``, ``podcast:license`` with or without an address, or ``rights``. It is kept as it was said; what
it means is decided by :mod:`sonolake.sources.licences`, and what is not understood is never released.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any

from sonolake.errors import ItemRefused
from sonolake.extras import require
from sonolake.sources.licences import UNKNOWN, normalise
from sonolake.sources.web.addresses import name_of, parsed, plain, with_login
from sonolake.sources.web.lists import Entry

SOUND_TYPES = ("audio/", "video/", "application/ogg", "application/octet-stream")
"""Of enclosures that are recordings."""


def entries_of(data: bytes, feed: Entry) -> list[Entry]:
    """The episodes of a feed that have a recording, each address once, in the feed's order.

    What the list says of the feed goes before what the feed says.

    Raises:
        ItemRefused: ``malformed_feed``, when it is no feed.
        MissingPackage: without feedparser.
    """
    require("feedparser", "podcast feeds")
    import feedparser

    read = feedparser.parse(io.BytesIO(data), response_headers={"content-location": plain(feed.url)})
    if not read.get("version"):
        raise ItemRefused("malformed_feed", f"{feed.item} is no RSS or Atom feed")
    found: dict[str, Entry] = {}
    for episode in read.entries:
        for address in _recordings(episode):
            try:
                url = with_login(parsed(address), feed.url)
            except ItemRefused:
                continue
            fields, tags = _said(episode, read.feed, feed)
            found.setdefault(name_of(url), Entry(url, False, fields, tags))
    return list(found.values())


def _recordings(episode: Any) -> list[str]:
    links = episode.get("enclosures", [])
    return [
        link["href"]
        for link in links
        if link.get("href") and str(link.get("type", "audio/")).lower().startswith(SOUND_TYPES)
    ]


def _said(episode: Any, show: Any, feed: Entry) -> tuple[dict[str, str], dict[str, str]]:
    declared = _licence(episode) or _licence(show)
    said = {
        "source_id": feed.item,
        "title": _text(episode.get("title")),
        "author": _text(episode.get("author") or show.get("author")),
        "language": _text(show.get("language")),
        "licence": declared,
        "url": _text(episode.get("link")) or plain(feed.url),
    }
    tags = {
        "feed": plain(feed.url),
        "guid": _text(episode.get("id")),
        "published": _text(episode.get("published")),
        "declared_licence": declared,
        **feed.tags,
    }
    own = {name: text for name, text in feed.fields.items() if name != "url"}
    return _filled({**said, **own}), _filled(tags)


def _licence(of: Any) -> str:
    """The licence that a feed or an episode declares, an understood one first; "" for none."""
    said = [link.get("href", "") for link in of.get("links", []) if link.get("rel") == "license"]
    said += [_text(of.get(name)) for name in ("license", "podcast_license", "rights", "dc_rights")]
    podcast = of.get("podcast_license")
    if isinstance(podcast, Mapping):
        said += [_text(podcast.get("url")), _text(podcast.get("value"))]
    said = [text.strip() for text in said if text and text.strip()]
    understood = (text for text in said if normalise(text).spdx != UNKNOWN)
    return next(understood, said[0] if said else "")


def _text(value: object) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""


def _filled(texts: Mapping[str, str]) -> dict[str, str]:
    return {name: text for name, text in texts.items() if text}

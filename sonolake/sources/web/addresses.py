"""Addresses of the web: what may be asked, what is remembered of them, and who is told a password.

A user and password stand in the address itself (``https://user:password@host/…``). They go to that origin alone, and
neither they nor the query, which may hold a token, are in any name or message.
"""

from __future__ import annotations

import httpx

from sonolake.errors import ItemRefused
from sonolake.ids import sha256_hex

FEED = "feed:"
"""Before the address of a feed."""


def parsed(text: str) -> httpx.URL:
    """The address that a text is, without its fragment.

    Raises:
        ItemRefused: ``malformed_row``, when it is none of http or https.
    """
    try:
        url = httpx.URL(text.strip())
    except (httpx.InvalidURL, ValueError):
        raise ItemRefused(
            "malformed_row", "expected an address of http or https, which this is not"
        ) from None
    if url.scheme not in ("http", "https") or not url.host:
        raise ItemRefused(
            "malformed_row", f"expected an address of http or https, got {url.scheme or 'none'}"
        )
    return url.copy_with(fragment=None)


def plain(url: httpx.URL) -> str:
    """The address without user, password, query and fragment."""
    return str(url.copy_with(userinfo=b"", query=None, fragment=None))


def name_of(url: httpx.URL) -> str:
    """What an address is called: plain, with a hash in place of its query."""
    query = url.query
    return f"{plain(url)}?{sha256_hex(query)[:12]}" if query else plain(url)


def origin(url: httpx.URL) -> tuple[str, str, int]:
    """Scheme, host and port: who is told a password."""
    return url.scheme, url.host, url.port or {"http": 80, "https": 443}.get(url.scheme, 0)


def with_login(url: httpx.URL, of: httpx.URL) -> httpx.URL:
    """``url`` with the user and password of ``of``, where both are of one origin and ``url`` has none."""
    if url.userinfo or not of.userinfo or origin(url) != origin(of):
        return url
    return url.copy_with(userinfo=of.userinfo)

"""A release on a web server, by HTTP as RFC 9110 has it: ranges (section 14), Retry-After (section 10.2.3)."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

from sonolake.errors import NotFound, Refused, Unreachable
from sonolake.releases.origins.base import Interrupted, Patience, resumed

if TYPE_CHECKING:
    import httpx

TIMEOUT_S = 60.0
"""How long a server may say nothing."""
CONNECTIONS = 64
"""Connections that are kept for the next file."""
LATER = {408, 425, 429, 500, 502, 503, 504}
"""Answers that another try may better."""


class HttpOrigin:
    """Files below an address; a query in it, such as an access token, goes with every request and into no message."""

    def __init__(
        self, address: str, patience: Patience | None = None, parent: HttpOrigin | None = None
    ) -> None:
        import httpx

        self._url = httpx.URL(address)
        self._patience = patience or Patience()
        self._parent = parent
        self._client: httpx.Client = parent._client if parent else _client()
        if parent is None:
            weakref.finalize(self, self._client.close)

    @property
    def name(self) -> str:
        """The address without user, password and query."""
        return str(self._url.copy_with(userinfo=b"", query=None, fragment=None)).rstrip("/")

    @property
    def address(self) -> str:
        """The whole address."""
        return str(self._url)

    def below(self, path: str) -> HttpOrigin:
        """The address ``path`` under this one, by the same connections."""
        return HttpOrigin(str(self._address(path)), self._patience, self)

    def stream(self, path: str, start: int = 0, end: int | None = None) -> Iterator[bytes]:
        """See :meth:`~sonolake.releases.origins.base.Origin.stream`.

        What breaks is asked for again from where it broke; a server that knows no ranges sends all again, and what
        is there already is skipped.
        """
        if end is not None and end <= start:
            return iter(())
        return resumed(lambda at: self._once(path, at, end), start, f"{self.name}/{path}", self._patience)

    def _address(self, path: str) -> httpx.URL:
        base = self._url.path.rstrip("/")
        return self._url.copy_with(path=f"{base}/{path}")

    def _once(self, path: str, start: int, end: int | None) -> Iterator[bytes]:
        import httpx

        headers = {"Accept-Encoding": "identity"}
        if start or end is not None:
            headers["Range"] = f"bytes={start}-{'' if end is None else end - 1}"
        try:
            with self._client.stream("GET", self._address(path), headers=headers) as answer:
                if answer.status_code == 416:
                    return
                self._require_bytes(answer, path, start)
                skipped = start if answer.status_code == 200 else 0
                left = None if end is None else end - start
                yield from _cut(answer.iter_raw(), skipped, left)
        except httpx.TransportError as error:
            raise Interrupted(f"the connection broke ({error or type(error).__name__})") from error
        except httpx.HTTPError as error:
            raise Unreachable(f"{self.name}/{path}: {error}") from None

    def _require_bytes(self, answer: httpx.Response, path: str, start: int) -> None:
        """Let an answer pass that carries the bytes asked for."""
        status, where = answer.status_code, f"{self.name}/{path}"
        if status in (404, 410):
            raise NotFound(f"{where} is not there ({status})")
        if status in (401, 403):
            raise Refused(f"{where} may not be read ({status}): it asks for credentials, or for other ones")
        if status in LATER:
            raise Interrupted(f"the server answered {status}", asked_wait(answer.headers))
        if status not in (200, 206):
            raise Unreachable(f"{where}: the server answered {status}")
        said = answer.headers.get("Content-Range", "")
        if status == 206 and not said.startswith(f"bytes {start}-"):
            raise Interrupted(f"bytes from {start} were asked for, {said or 'others'} came")


def _client() -> httpx.Client:
    import httpx

    limits = httpx.Limits(max_connections=CONNECTIONS, max_keepalive_connections=CONNECTIONS)
    return httpx.Client(follow_redirects=True, timeout=TIMEOUT_S, limits=limits)


def _cut(blocks: Iterator[bytes], skipped: int, left: int | None) -> Iterator[bytes]:
    """``blocks`` without their first ``skipped`` bytes, and at most ``left`` of the rest."""
    for block in blocks:
        rest = block[skipped:]
        skipped -= len(block) - len(rest)
        if left is not None:
            rest = rest[:left]
            left -= len(rest)
        if rest:
            yield rest
        if left == 0:
            return


def asked_wait(headers: httpx.Headers) -> float:
    """Seconds of ``Retry-After``, which may be a number or a date; 0 when it says nothing that is understood."""
    said = headers.get("Retry-After", "").strip()
    if said.isdecimal():
        return float(said)
    try:
        return max(0.0, (parsedate_to_datetime(said) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return 0.0

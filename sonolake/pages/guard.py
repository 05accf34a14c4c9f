"""What may reach the server of a page: this machine's own page, with its key, and nothing else.

Other sites in the same browser cannot read or post: their Origin and Sec-Fetch-Site differ, a host name that was
pointed at this machine is not among the hosts, and the key goes in a header that no form or image can send.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOCAL = ("127.0.0.1", "localhost", "[::1]")
KEY_HEADER = "x-sonolake-key"
MOST_BYTES = 1 << 20
"""Largest body of a request."""
SENT = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' blob: data:; media-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
}
"""Headers of every answer."""


class Guard:
    """Refuses requests of other origins and hosts, and bodies that are large or no JSON.

    Args:
        app: what is guarded.
        hosts: names under which the server may be called, without port.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str] = LOCAL) -> None:
        self._app, self._hosts = app, frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(SENT)
            await send(message)

        fault = self._fault(scope["method"], Headers(scope=scope))
        if fault:
            await JSONResponse({"error": fault}, 403)(scope, receive, sending)
        else:
            await self._app(scope, receive, sending)

    def _fault(self, method: str, headers: Headers) -> str:
        """Why a request is refused, empty when it is not."""
        host = headers.get("host", "")
        if not _among(host, self._hosts):
            return "called by another host name"
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc != host:
            return "another origin"
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            return "another site"
        if method in ("GET", "HEAD"):
            return ""
        if headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return "no JSON"
        size = headers.get("content-length", "")
        return "" if size.isdigit() and int(size) <= MOST_BYTES else "no length, or too long"


def _among(host: str, hosts: Iterable[str]) -> bool:
    name, colon, port = host.rpartition(":")
    return (name if colon and port.isdigit() else host) in hosts

"""Two hosts of the web on two ports of this machine, which answer as RFC 9110 says.

Files have an ``ETag`` and a ``Last-Modified``, are sent in ranges (``If-Range``) and not at all to who has them
(``If-None-Match``, ``If-Modified-Since``). ``faults`` breaks answers: a function of the number of the request and its
path that names one of ``500``, ``429``, ``cut``, ``reset``, ``html``, ``unstated``, ``changed`` (another
version half-way), ``elsewhere`` (a redirect to the other host), or nothing.
"""

from __future__ import annotations

import base64
import hashlib
import socket
import struct
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

MODIFIED = "Tue, 06 May 2025 07:08:09 GMT"


@dataclass
class Asked:
    host: str
    path: str
    headers: dict[str, str]
    status: int = 0
    sent: int = 0


@dataclass
class Site:
    """What tests set and read; ``files`` by path, on both hosts."""

    files: dict[str, bytes] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)
    login: tuple[str, str] | None = None
    etags: bool = True
    ranges: bool = True
    retry_after: str = "0"
    faults: Callable[[int, str], str | None] = lambda number, path: None
    asked: list[Asked] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def start(self) -> None:
        self._servers = [ThreadingHTTPServer(("127.0.0.1", 0), _handler(self, n)) for n in ("one", "two")]
        ports = [server.server_address[1] for server in self._servers]
        self.one, self.two = f"127.0.0.1:{ports[0]}", f"127.0.0.1:{ports[1]}"
        for server in self._servers:
            server.handle_error = lambda *_: None  # a client that hangs up is what is tested
            threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def stop(self) -> None:
        for server in self._servers:
            server.shutdown()
            server.server_close()

    def url(self, path: str) -> str:
        return f"http://{self.one}{path}"

    def requests(self, path: str) -> list[Asked]:
        return [one for one in self.asked if one.path == path]

    def etag(self, data: bytes) -> str:
        return f'"{hashlib.md5(data).hexdigest()}"'


def _handler(site: Site, host: str) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            path = urlsplit(self.path).path
            asked = Asked(host, path, {n.lower(): v for n, v in self.headers.items()})
            with site.lock:
                site.asked.append(asked)
                fault = site.faults(len(site.asked), path)
            asked.status, headers, body = self._answer(path, asked.headers, fault)
            if fault == "reset":
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.close_connection = True
                self.connection.close()
                return
            self.send_response(asked.status)
            if fault != "unstated" and asked.status != 304:
                headers["Content-Length"] = str(len(body))
            if fault == "unstated":
                self.close_connection = True
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            if fault == "cut":
                body = body[: len(body) // 2]
                self.close_connection = True
            asked.sent = len(body)
            self.wfile.write(body)

        def _answer(
            self, path: str, asked: dict[str, str], fault: str | None
        ) -> tuple[int, dict[str, str], bytes]:
            if fault in ("500", "429"):
                return int(fault), {"Retry-After": site.retry_after}, b"later"
            if fault == "elsewhere":
                return 302, {"Location": f"http://{site.two}{self.path}"}, b""
            if fault == "html":
                return 200, {"Content-Type": "text/html"}, b"<html>busy</html>"
            if path != "/robots.txt" and site.login is not None and host == "one":
                right = "Basic " + base64.b64encode(":".join(site.login).encode()).decode()
                if asked.get("authorization") != right:
                    return 401, {"WWW-Authenticate": "Basic"}, b"who?"
            if path not in site.files:
                return 404, {}, b"no such file"
            data = site.files[path]
            return self._file(path, data[::-1] if fault == "changed" else data, asked)

        def _file(self, path: str, data: bytes, asked: dict[str, str]) -> tuple[int, dict[str, str], bytes]:
            etag = site.etag(data) if site.etags else ""
            headers = {"Content-Type": site.types.get(path, "audio/mpeg"), "Last-Modified": MODIFIED}
            headers |= {"ETag": etag} if etag else {}
            wanted = asked.get("if-none-match")
            if wanted == etag if wanted and etag else asked.get("if-modified-since") == MODIFIED:
                return 304, headers, b""
            span = asked.get("range")
            if span and site.ranges and asked.get("if-range", etag or MODIFIED) == (etag or MODIFIED):
                start = int(span.removeprefix("bytes=").partition("-")[0])
                if start >= len(data):
                    return 416, {"Content-Range": f"bytes */{len(data)}"}, b""
                headers["Content-Range"] = f"bytes {start}-{len(data) - 1}/{len(data)}"
                return 206, headers, data[start:]
            return 200, headers, data

    return Handler

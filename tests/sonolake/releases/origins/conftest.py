"""A web server over a folder that can be told to fail, and an S3 server."""

import random
import re
import threading
from collections import defaultdict
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import unquote, urlsplit

import pytest

from sonolake.releases.origins import Patience
from sonolake.releases.origins.http import HttpOrigin

HASTY = Patience(tries=4, first_s=0.001, longest_s=0.5)


class Handler(BaseHTTPRequestHandler):
    """Serves files with ranges (RFC 9110, section 14); the faults of a path are used up one a request."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        site = self.server.site
        path = unquote(urlsplit(self.path).path).lstrip("/")
        asked = self.headers.get("Range")
        site.asked.append((path, asked))
        site.queries.add(urlsplit(self.path).query)
        if site.password not in (None, self.headers.get("Authorization")):
            self.answer(401, b"")
            return
        fault, *how = site.faults[path].pop(0) if site.faults[path] else ("none",)
        if fault == "status":
            self.answer(how[0], b"", dict(how[1:]))
            return
        file = Path(site.folder) / path
        if not file.is_file():
            self.answer(404, b"")
            return
        data = file.read_bytes()[: how[0] if fault == "short" else None]
        match = None if fault == "no ranges" else re.fullmatch(r"bytes=(\d+)-(\d*)", asked or "")
        if match is None:
            self.answer(200, data, {}, how[0] if fault == "cut" else None)
            return
        start, end = int(match[1]), min(int(match[2]) if match[2] else len(data) - 1, len(data) - 1)
        if start >= len(data):
            self.answer(416, b"", {"Content-Range": f"bytes */{len(data)}"})
            return
        said = start + (fault == "wrong range")
        headers = {"Content-Range": f"bytes {said}-{end}/{len(data)}"}
        self.answer(206, data[start : end + 1], headers, how[0] if fault == "cut" else None)

    do_HEAD = do_GET

    def answer(self, status, body, headers=None, cut=None):
        """``cut`` promises the whole body, and hangs up after so many bytes of it."""
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body[:cut])
        if cut is not None:
            self.close_connection = True

    def log_message(self, *_):
        pass


class Site:
    """What is served, how it fails, and what was asked."""

    def __init__(self, folder):
        self.folder = folder
        self.faults = defaultdict(list)
        self.asked = []
        self.queries = set()
        self.password = None
        self.address = ""

    def origin(self, below="", patience=HASTY):
        return HttpOrigin(f"{self.address}/{below}".rstrip("/"), patience)


@contextmanager
def serving(folder):
    site = Site(folder)
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.site = site
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        site.address = f"http://127.0.0.1:{server.server_port}"
        try:
            yield site
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture
def site(release):
    """The folder of releases, served: ``demo/0.1.0`` below it."""
    with serving(release.parents[1]) as served:
        yield served


@pytest.fixture
def s3(bucket, release):
    """The folder of releases in a bucket: its address ``at``, the release's ``demo``, and the client it was put by."""
    import boto3

    client = boto3.client("s3")
    name = bucket.removeprefix("s3://")
    for path in release.parents[1].rglob("*"):
        if path.is_file():
            key = f"releases/{path.relative_to(release.parents[1]).as_posix()}"
            client.put_object(Bucket=name, Key=key, Body=path.read_bytes())
    yield SimpleNamespace(client=client, name=name, at=bucket, demo=f"{bucket}/releases/demo/0.1.0")
    client.close()


@pytest.fixture(scope="module")
def shared_site(tmp_path_factory):
    """30,000 bytes under the name ``noise``, for many requests."""
    folder = tmp_path_factory.mktemp("served")
    (folder / "noise").write_bytes(random.Random(1).randbytes(30_000))
    with serving(folder) as served:
        yield served

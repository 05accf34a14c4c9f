"""A web server over a folder that can be told to fail, and an S3 server."""

import logging
import random
import re
import threading
from collections import defaultdict
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
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

    def answer(self, status, body, headers=None, cut=None):
        """``cut`` promises the whole body, and hangs up after so many bytes of it."""
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
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


@pytest.fixture(scope="session")
def s3_server():
    """moto's server; without it these tests are skipped."""
    moto = pytest.importorskip("moto.server", reason="pip install 'moto[server]'")
    pytest.importorskip("boto3", reason="pip install boto3")
    logging.getLogger("werkzeug").setLevel(logging.WARNING)
    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    yield "http://{}:{}".format(*server.get_host_and_port())
    server.stop()


@pytest.fixture
def s3(s3_server, release, monkeypatch, tmp_path):
    """``s3://shelf/releases``, with the folder of releases in it; the client that put it there."""
    import boto3
    from botocore.config import Config

    for name in ("AWS_PROFILE", "AWS_SESSION_TOKEN", "AWS_DEFAULT_REGION"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_ENDPOINT_URL", s3_server)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("AWS_REGION", "us-east-1")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))
    client = boto3.session.Session().client("s3", config=Config(s3={"addressing_style": "path"}))
    client.create_bucket(Bucket="shelf")
    for path in release.parents[1].rglob("*"):
        if path.is_file():
            key = f"releases/{path.relative_to(release.parents[1]).as_posix()}"
            client.put_object(Bucket="shelf", Key=key, Body=path.read_bytes())
    yield client
    for listed in client.list_objects_v2(Bucket="shelf").get("Contents", ()):
        client.delete_object(Bucket="shelf", Key=listed["Key"])
    client.delete_bucket(Bucket="shelf")


@pytest.fixture(scope="module")
def shared_site(tmp_path_factory):
    """30,000 bytes under the name ``noise``, for many requests."""
    folder = tmp_path_factory.mktemp("served")
    (folder / "noise").write_bytes(random.Random(1).randbytes(30_000))
    with serving(folder) as served:
        yield served

"""Credentials that expire: boto3 renews them, and DuckDB and Lance get the new ones."""

import logging
import sys
import threading
import time
from contextlib import contextmanager
from itertools import count, cycle

import pyarrow as pa
import pytest

from sonolake import Lake
from sonolake.errors import Refused

PROCESS = """
import datetime, json, time
expires = datetime.datetime.fromtimestamp(time.time() + {lifetime}, datetime.timezone.utc).isoformat()
keys = {{"Version": 1, "AccessKeyId": "testing", "SecretAccessKey": "testing", "Expiration": expires}}
print(json.dumps({{**keys, "SessionToken": str(time.time())}}))
"""
EXPIRED = b"<?xml version='1.0'?><Error><Code>ExpiredToken</Code><Message>too old</Message></Error>"


class Guarded:
    """An S3 server that lets in whoever has a token that was given out lately; it knows who used which."""

    def __init__(self, app, lifetime):
        self.app, self.lifetime, self.seen, self.refused = app, lifetime, {}, 0
        self.ended = 0.0
        """Tokens from before this time have ended, whatever their age."""

    def __call__(self, environ, start_response):
        token = environ.get("HTTP_X_AMZ_SECURITY_TOKEN")
        if token is None or float(token) < max(self.ended, time.time() - self.lifetime):
            self.refused += 1
            start_response("403 Forbidden", [("Content-Type", "application/xml")])
            return [EXPIRED]
        self.seen.setdefault(token, set()).add(environ.get("HTTP_USER_AGENT", "")[:6].lower())
        return self.app(environ, start_response)


@contextmanager
def serving(lifetime):
    moto = pytest.importorskip("moto.server", reason="pip install -e .[dev] brings an S3 server")
    from werkzeug.serving import make_server

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    guarded = Guarded(moto.DomainDispatcherApplication(moto.create_backend_app), lifetime)
    server = make_server("127.0.0.1", 0, guarded, threaded=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield guarded, f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def work(lake, number):
    """A step of a flow: media, vectors, tables, now and at an earlier snapshot."""
    asset_id = lake.media.put(f"sound {number}".encode())
    vector = pa.FixedSizeListArray.from_arrays(pa.array([1.0, float(number)], pa.float32()), 2)
    same = {name: ["x"] for name in ("model", "weights_sha256", "kind")}
    with lake.writing():
        rows = pa.table({"vector_id": [asset_id], "asset_id": [asset_id], **same, "vector": vector})
        lake.vectors.write("text", rows)
    lake.table("assets").append([{"asset_id": asset_id}])
    assert lake.table("assets").scan().num_rows == number + 1
    assert lake.sql("FROM assets", at=lake.snapshot).num_rows == number + 1
    assert lake.vectors.count("text") == len(lake.vectors.search("text", [1.0, 0.0], 1000)) == number + 1
    assert lake.media.read(asset_id) == f"sound {number}".encode()


@pytest.fixture
def lifetime():
    """Seconds that keys are good for: under ten minutes, so that boto3 asks for new ones whenever it needs any."""
    return 540.0


@pytest.fixture
def expiring(tmp_path, monkeypatch, lifetime):
    """A lake in S3 whose keys end, and its server."""
    import boto3

    script = tmp_path / "keys.py"
    script.write_text(PROCESS.format(lifetime=lifetime))
    config = tmp_path / "config"
    config.write_text(
        f"[default]\nregion = us-east-1\ncredential_process = {sys.executable} -I -S {script}\n"
    )
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_CONFIG_FILE", str(config))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("SONOLAKE_CATALOG", str(tmp_path / "live.sqlite"))
    with serving(lifetime) as (guarded, address):
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        boto3.session.Session().client("s3").create_bucket(Bucket="expiring")
        with Lake.create("s3://expiring/lake") as lake:
            yield lake, guarded


def test_whoever_goes_to_the_bucket_has_keys_that_are_good(expiring):
    """After each step the keys that were given out until then are good no more."""
    lake, guarded = expiring
    for number in range(3):
        work(lake, number)
        guarded.ended = time.time()
    assert guarded.refused == 0
    engines = [
        token for token, agents in guarded.seen.items() if any(not a.startswith("boto") for a in agents)
    ]
    assert len(engines) > 2, "DuckDB and Lance came with ever new tokens"


@pytest.mark.soak
@pytest.mark.parametrize("lifetime", [60.0])
def test_a_flow_of_five_minutes_outlives_tokens_of_one(expiring):
    """Steps that follow at once, soon, and after longer than a token lives."""
    lake, guarded = expiring
    end, pauses = time.monotonic() + 300, cycle((0, 5, 65))
    for number in count(1):
        work(lake, number - 1)
        if number >= 6 and time.monotonic() > end:
            break
        time.sleep(next(pauses))
    assert guarded.refused == 0


def test_expired_keys_are_said(tmp_path, monkeypatch):
    for name, value in {
        "ACCESS_KEY_ID": "k",
        "SECRET_ACCESS_KEY": "s",
        "SESSION_TOKEN": "1.0",
        "DEFAULT_REGION": "r",
    }.items():
        monkeypatch.setenv(f"AWS_{name}", value)
    with serving(1.0) as (_, address):
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        with pytest.raises(Refused, match="ExpiredToken: other credentials"):
            Lake.open("s3://expiring/lake", read_only=True)

"""``kill -9`` at random moments of a publish: a release is visible whole or not at all, the next run makes it so."""

import os
import random
import signal
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest

from sonolake import Lake
from sonolake.lake.storage import LocalStorage
from sonolake.lake.storages import storage_at
from sonolake.releases import verify
from sonolake.releases.finding import find_release
from sonolake.releases.layout import COMPLETE


class Publisher:
    """The driver ``publish_versions.py`` at work on a lake."""

    def __init__(self, driver):
        self.driver = driver
        self._number()

    def _number(self):
        return int(self.driver.stdout.readline())

    def publish(self, version, kill_after_s=None):
        """Publish a version, or be killed at it; the exit status."""
        self.driver.stdin.write(f"{version}\n")
        child = self._number()
        if kill_after_s is not None:
            time.sleep(kill_after_s)
            os.kill(child, signal.SIGKILL)
        self.driver.stdin.write("\n")
        return self._number()


@contextmanager
def publisher(lake, content, request):
    command = [sys.executable, request.path.parent / "drivers" / "publish_versions.py", lake, content]
    env = {**os.environ, "PYTHONPATH": str(request.config.rootpath)}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, env=env, text=True, bufsize=1, cwd=content.parent, **pipes) as driver:
        try:
            yield Publisher(driver)
        finally:
            driver.kill()


def recorded(place):
    """Manifest hash of each version in the catalog; each has one row and one edge."""
    with Lake.open(place, read_only=True) as lake:
        rows = lake.rows("SELECT version, manifest_sha256 FROM releases WHERE name = 'kept'")
        (edges,) = lake.rows("SELECT count(*) AS n FROM lineage WHERE child LIKE 'release:kept@%'")
    found = {row["version"]: row["manifest_sha256"] for row in rows}
    assert len(rows) == len(found) == edges["n"]
    return found


def require_whole_or_nothing(place, version):
    """What is visible has its mark and verifies; what is recorded is visible, with the hash recorded.

    In a folder a release is visible once its folder is there, in S3 once its mark is.
    """
    store = storage_at(place).room("releases/kept")
    there = [entry.path for entry in store.entries(version)]
    if there if isinstance(store, LocalStorage) else f"{version}/{COMPLETE}" in there:
        assert f"{version}/{COMPLETE}" in there
        whole = (
            verify(place / "releases/kept" / version)
            if isinstance(store, LocalStorage)
            else (find_release(f"{store.uri}/{version}", lambda: place).verify())
        )
        assert whole == []
    for name, sha256 in recorded(place).items():
        assert store.read(f"{name}/{COMPLETE}").decode().strip() == sha256


def kill_often(place, content, request, kills):
    rng, first = random.Random(kills), min(kills, 2)
    with publisher(place, content, request) as at_work:
        for n in range(first):
            started = time.monotonic()
            assert at_work.publish(f"0.0.{n}") == 0
        whole_s = time.monotonic() - started
        for n in range(kills):
            version = f"1.0.{n}"
            status = at_work.publish(version, rng.uniform(0.0, 1.1 * whole_s))
            assert status in (-signal.SIGKILL, 0)
            require_whole_or_nothing(place, version)
            assert at_work.publish(version) == 0
            require_whole_or_nothing(place, version)
            assert version in recorded(place)
    left = {entry.path for entry in storage_at(place).room("releases/kept").entries()}
    assert {path for path in left if path.startswith(".")} <= {".lock"}
    assert len(recorded(place)) == kills + first


@pytest.mark.parametrize(
    "kills", [5, pytest.param(50, marks=pytest.mark.soak)], ids=["five kills", "fifty kills"]
)
def test_kills_of_a_publish(own_lake, tmp_path, request, kills):
    kill_often(own_lake, tmp_path / "content.pickle", request, kills)


@pytest.mark.soak
def test_fifty_kills_of_a_publish_into_a_lake_of_a_team(team_lake, tmp_path, request):
    """The lock of the release goes with whoever was killed, and there is no file of it."""
    kill_often(team_lake, tmp_path / "content.pickle", request, 50)
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["content.pickle"]

"""``kill -9`` at random moments of a publish: a release is visible whole or not at all, the next run makes it so."""

import os
import random
import signal
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest

import sonolake.releases as releases
from sonolake import Lake


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
def publisher(lake, scripts, root):
    command = [sys.executable, str(scripts / "publish_versions.py"), str(lake)]
    env = {**os.environ, "PYTHONPATH": str(root)}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, env=env, text=True, bufsize=1, **pipes) as driver:
        try:
            yield Publisher(driver)
        finally:
            driver.kill()


def recorded(lake_folder):
    """Manifest hash of each version in the catalog; each has one row and one edge."""
    with Lake.open(lake_folder, read_only=True) as lake:
        rows = lake.rows("SELECT version, manifest_sha256 FROM releases WHERE name = 'kept'")
        (edges,) = lake.rows("SELECT count(*) AS n FROM lineage WHERE child LIKE 'release:kept@%'")
    found = {row["version"]: row["manifest_sha256"] for row in rows}
    assert len(rows) == len(found) == edges["n"]
    return found


def require_whole_or_nothing(lake_folder, version):
    """What is visible has its mark and verifies; what is recorded is visible, with the hash recorded."""
    folder = lake_folder / "releases" / "kept" / version
    if folder.exists():
        assert (folder / "_COMPLETE").is_file() and releases.verify(folder) == []
    for name, sha256 in recorded(lake_folder).items():
        assert (folder.with_name(name) / "_COMPLETE").read_text().strip() == sha256


def kill_often(lake_folder, scripts, root, kills, seed):
    rng = random.Random(seed)
    with publisher(lake_folder, scripts, root) as at_work:
        for first in ("0.0.1", "0.0.2"):
            started = time.monotonic()
            assert at_work.publish(first) == 0
        whole_s = time.monotonic() - started
        for n in range(kills):
            version = f"1.0.{n}"
            status = at_work.publish(version, rng.uniform(0.0, 1.1 * whole_s))
            assert status in (-signal.SIGKILL, 0)
            require_whole_or_nothing(lake_folder, version)
            assert at_work.publish(version) == 0
            require_whole_or_nothing(lake_folder, version)
            assert version in recorded(lake_folder)
    left = {path.name for path in (lake_folder / "releases" / "kept").glob(".*")}
    assert left <= {".lock"}
    assert len(recorded(lake_folder)) == kills + 2


@pytest.fixture
def scripts(request):
    return request.path.parent / "drivers"


def test_five_kills(own_lake, scripts, request):
    kill_often(own_lake, scripts, request.config.rootpath, kills=5, seed=5)


@pytest.mark.soak
def test_fifty_kills(own_lake, scripts, request):
    kill_often(own_lake, scripts, request.config.rootpath, kills=50, seed=50)

"""``kill -9`` at random moments of a takedown: nothing looks whole that is not, and the same command finishes it."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time

import pytest

from sonolake import Lake
from sonolake.errors import Refused
from sonolake.releases import verify
from sonolake.releases.finding import find_release
from sonolake.releases.takedown import Target, plan_of, prove_gone

DOG = Target("source", "freesound:1")


class AtWork:
    """The driver ``take_down.py``."""

    def __init__(self, driver):
        self.driver = driver
        self._number()

    def _number(self):
        return int(self.driver.stdout.readline())

    def take_down(self, place, kill_after_s=None):
        self.driver.stdin.write(f"{place}\n")
        child = self._number()
        if kill_after_s is not None:
            time.sleep(kill_after_s)
            os.kill(child, signal.SIGKILL)
        self.driver.stdin.write("\n")
        return self._number()


def require_no_half_state(place):
    """What is on record as published is whole; what is retracted gives away nothing that was taken down."""
    with Lake.open(place, read_only=True) as lake:
        rows = lake.rows("SELECT name, version, state, manifest_sha256 FROM releases ORDER BY ALL")
        begun = any(row["state"] == "retracted" for row in rows)
        sounds = lake.rows("SELECT asset_id FROM assets WHERE source_id = 'freesound:1' OR item = 'scene-0'")
        assert len(sounds) == (0 if begun else 2)
        for row in rows:
            name, version = row["name"], row["version"]
            found = find_release(f"{name}@{version}", lambda: place)
            if row["state"] == "published":
                assert verify(lake.releases_root / name / version, row["manifest_sha256"]) == []
                assert not begun or (name, version) == ("demo", "1.1.1")
                continue
            try:
                notice = found.offered.notice
            except Refused as refused:
                assert "is being retracted" in str(refused)
            else:
                assert {"scene-0"} <= set(notice.items)
                assert {problem.kind for problem in found.verify()} == {"withheld"}


def kill_often(published_lake, tmp_path, request, kills, seconds):
    """Kill a takedown, look, and begin it again, on a lake that is taken anew every five kills."""
    rng = random.Random(kills)
    command = [sys.executable, str(request.path.parent / "drivers" / "take_down.py")]
    env = {**os.environ, "PYTHONPATH": str(request.config.rootpath)}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, env=env, text=True, bufsize=1, **pipes) as driver:
        at_work = AtWork(driver)
        for _ in range(kills // 5):
            place = shutil.copytree(published_lake, tmp_path / "lake")
            for _ in range(5):
                assert at_work.take_down(place, rng.uniform(0.0, seconds)) in (-signal.SIGKILL, 0)
                require_no_half_state(place)
            assert at_work.take_down(place) == 0
            require_gone(place)
            shutil.rmtree(place)
        driver.stdin.close()


def require_gone(place):
    with Lake.open(place) as lake:
        assert not any(one.found for one in prove_gone(lake, DOG))
        assert plan_of(lake, DOG).finished
        versions = {row["version"]: row["state"] for row in lake.rows("FROM releases WHERE name = 'demo'")}
        assert versions == {"1.0.0": "retracted", "1.1.0": "retracted", "1.1.1": "published"}
        assert not [path for path in lake.releases_root.rglob(".*") if path.name != ".lock"]


@pytest.mark.parametrize(
    "kills", [5, pytest.param(50, marks=pytest.mark.soak)], ids=["five kills", "fifty kills"]
)
def test_kills_of_a_takedown(published_lake, taken, tmp_path, request, kills):
    kill_often(published_lake, tmp_path, request, kills, taken.seconds)

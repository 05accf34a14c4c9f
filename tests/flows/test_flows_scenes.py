"""A thousand CARES scenes at the default length, made unattended by the flow that is killed on the way."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from pyebur128.pyebur128 import MeasurementMode, R128State, get_loudness_global

from sonolake.audio.decode import decode
from sonolake.lake.run import running
from sonolake.lake.step import batches
from sonolake.sources.folder import read_folder
from sonolake.sources.intake import Intake
from sonolake.sources.responses import write_responses
from sonolake.sources.synthetic import write_ambiences, write_takes, write_vocals
from tasks.opening import lake_at
from tasks.taking import take_batch

ROOT = Path(__file__).parents[2]
KINDS = {"takes": "take", "ambiences": "ambience", "responses": "response", "vocals": "vocal"}
LIVES_S = (60.0, 600.0)
"""How long a run lives before it is killed."""


def take_in(sources, lake):
    """A lake with everything that CARES mixes."""
    with running(lake_at(lake), "tests", {}) as run:
        for name, kind in KINDS.items():
            for some in batches(read_folder(sources / name).items, 50):
                take_batch.fn(lake, run.run_id, Intake(kind), some, workers=2)


def begin(lake, *options):
    command = [sys.executable, "-m", "flows", "cares", "--lake", lake, *map(str, options)]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.Popen(command, cwd=ROOT, start_new_session=True, **quiet)


def made_with_kills(lake, kills, lives_s, *options):
    """Runs the flow, kills it so often, and lets it end; how many scenes there were at each kill."""
    rng, there = random.Random(kills), []
    for _ in range(kills):
        flow = begin(lake, *options)
        try:
            flow.wait(rng.uniform(*lives_s))
        except subprocess.TimeoutExpired:
            os.killpg(flow.pid, signal.SIGKILL)
        flow.wait()
        time.sleep(1.0)
        there.append(scenes_of(lake))
    assert begin(lake, *options).wait() == 0
    return there


def scenes_of(lake):
    """The sound of each scene; none before there is a table of them."""
    opened = lake_at(lake)
    if "scenes" not in opened.columns()["table_name"].to_pylist():
        return {}
    return {row["scene_id"]: row["asset_id"] for row in opened.rows("SELECT * FROM scenes")}


def require_whole(lake, scenes, there):
    """Nothing made before a kill is made again, nothing breaks a rule, and what is no scene says why."""
    opened, found = lake_at(lake), scenes_of(lake)
    for before, after in zip(there, [*there[1:], found], strict=True):
        assert before.items() <= after.items()
    refused = opened.rows("SELECT DISTINCT item FROM quarantine WHERE step = 'render-scenes'")
    assert len(opened.rows("SELECT * FROM scenarios")) == scenes
    assert len(found) + len(refused) == scenes
    assert len(found) >= 0.97 * scenes
    assert opened.rows("SELECT * FROM scene_events WHERE violates IS NOT NULL") == []


def require_levels(lake, scenes):
    """Loudness as libebur128 measures it, no sample over the ceiling, and each length to the frame."""
    opened = lake_at(lake)
    for row in opened.rows(f"SELECT * FROM scenes ORDER BY scene_id LIMIT {scenes}"):
        sound = decode(opened.media.read(row["asset_id"]))
        meter = R128State(1, sound.sample_rate, MeasurementMode.MODE_I)
        meter.add_frames(np.ascontiguousarray(sound.samples[:, 0]), len(sound.samples))
        assert get_loudness_global(meter) == pytest.approx(row["loudness_lufs"], abs=0.02)
        assert np.abs(sound.samples).max() <= 10 ** (-1 / 20)
        assert len(sound.samples) == round(row["duration_s"] * sound.sample_rate)


@pytest.mark.soak
def test_a_thousand_scenes_of_a_flow_that_is_killed(tmp_path):
    """Lengths as in CARES, section 4: 120.4 ± 18.8 s."""
    sources, lake = tmp_path / "sources", str(tmp_path / "lake")
    write_takes(sources / "takes")
    write_ambiences(sources / "ambiences")
    write_responses(sources / "responses")
    write_vocals(sources / "vocals")
    take_in(sources, lake)
    options = ("--templates", 100, "--scenes", 1000)
    require_whole(lake, 1000, made_with_kills(lake, 5, LIVES_S, *options))
    (length,) = lake_at(lake).rows("SELECT avg(duration_s) AS mean, stddev(duration_s) AS spread FROM scenes")
    assert length["mean"] == pytest.approx(120.0, abs=6.0)
    assert length["spread"] == pytest.approx(18.8, abs=4.0)
    require_levels(lake, 200)
    before = scenes_of(lake)
    assert begin(lake, *options).wait() == 0
    assert scenes_of(lake) == before

"""Ctrl-C on a command that has threads at work."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sonolake.lake import Lake
from sonolake.lake.run import running

WORK = """
import time
from concurrent.futures import ThreadPoolExecutor
from flows.stopping import stopped_by_ctrl_c
with stopped_by_ctrl_c(), ThreadPoolExecutor(1) as pool:
    pool.submit(lambda: (time.sleep({seconds}), print("through", flush=True)))
    print("at work", flush=True)
    time.sleep({seconds})
"""


def at_work(seconds):
    command = [sys.executable, "-c", WORK.format(seconds=seconds)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    process = subprocess.Popen(command, cwd=Path(__file__).parents[2], **pipes)
    assert process.stdout.readline() == "at work\n"
    process.send_signal(signal.SIGINT)
    assert "Ctrl-C again stops at once" in " ".join(process.stderr.readline().split())
    return process


def test_the_first_says_so_and_lets_work_end():
    with at_work(2.0) as process:
        assert process.stdout.read() == "through\n"
    assert process.returncode == -signal.SIGINT


def test_the_second_ends_it_at_once():
    with at_work(60.0) as process:
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        assert process.wait(30.0) == 130
    assert time.monotonic() - began < 30.0


def test_the_lake_says_that_a_run_was_interrupted(tmp_path):
    lake = Lake.create(tmp_path / "lake")
    with pytest.raises(KeyboardInterrupt), running(lake, "tests", {}):
        raise KeyboardInterrupt
    assert [row["outcome"] for row in lake.rows("SELECT outcome FROM runs")] == ["interrupted"]

"""The engine that a command starts ends with the command, however that ends; and one that cannot start is said."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from flows import engine
from sonolake import Lake
from sonolake.errors import InvalidInput, WorldError

PATIENCE_S = 120.0
processes = pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="looks for processes in /proc")


def until(there):
    """What ``there`` answers once it is something."""
    deadline = time.monotonic() + PATIENCE_S
    while not (found := there()):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return found


def servers(pid):
    """The folders in /proc of the servers that are children of a process."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = folder.joinpath("stat").read_text().rpartition(")")[2].split()[1]
            command = folder.joinpath("cmdline").read_text()
        except OSError:
            continue
        if parent == str(pid) and ("serving.py" in command or "prefect.server" in command):
            found.append(folder)
    return found


@pytest.fixture
def flow(request, tmp_path):
    """A command whose flow never ends."""
    driver = request.path.parent / "drivers" / "long_flow.py"
    Lake.create(tmp_path / "lake")
    env = {**os.environ, "PYTHONPATH": str(request.config.rootpath), "PREFECT_HOME": str(tmp_path / "home")}
    command = [sys.executable, driver, tmp_path / "lake"]
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) as process:
        yield process
        process.kill()


@processes
def test_a_flow_that_is_terminated_at_work_leaves_no_server_behind_and_its_end_on_record(flow, tmp_path):
    assert flow.stdout.readline() == "at work\n"
    (server,) = servers(flow.pid)
    flow.terminate()
    assert flow.wait(PATIENCE_S) == -signal.SIGTERM
    until(lambda: not server.exists())
    with Lake.open(tmp_path / "lake", read_only=True) as lake:
        (run,) = lake.rows("SELECT outcome FROM runs")
    assert run["outcome"].startswith("failed")


@processes
def test_a_command_that_is_killed_while_its_server_starts_leaves_none_behind(flow):
    (server,) = until(lambda: servers(flow.pid))
    flow.kill()
    flow.wait(PATIENCE_S)
    until(lambda: not server.exists())


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("raise SystemExit('no room\\n')", "no room"),
        (
            "import sys; sys.excepthook(OSError, OSError('locked'), None); print('Exiting.')",
            "OSError: locked",
        ),
    ],
)
def test_a_server_that_does_not_start_is_said_with_the_reason(monkeypatch, tmp_path, script, reason):
    broken = tmp_path / "broken.py"
    broken.write_text(script)
    monkeypatch.setattr(engine, "_SERVER", broken)
    with pytest.raises(WorldError, match=rf"server\) did not start: {reason}$"), engine._served():
        pass


def test_a_server_that_is_configured_and_not_there_is_said():
    from prefect.settings import PREFECT_API_URL, temporary_settings

    message = "PREFECT_API_URL, http://127.0.0.1:1/api, does not answer"
    with (
        temporary_settings({PREFECT_API_URL: "http://127.0.0.1:1/api"}),
        pytest.raises(WorldError, match=message),
        engine.engine(),
    ):
        pass


def test_profiles_that_cannot_be_read_are_said(monkeypatch, tmp_path):
    (tmp_path / "profiles.toml").write_text("x = [")
    monkeypatch.setenv("PREFECT_HOME", str(tmp_path))
    with pytest.raises(InvalidInput, match=r"profiles\.toml: expected TOML"), engine.engine():
        pass


def test_a_home_that_cannot_be_written_to_is_said_before_anything_starts(monkeypatch, tmp_path):
    (tmp_path / "file").touch()
    monkeypatch.setenv("PREFECT_HOME", str(tmp_path / "file" / "home"))
    allowed = "PREFECT_HOME: expected a folder that can be written to, received .*home'. Likely cause: Not a directory"
    with pytest.raises(InvalidInput, match=allowed), engine.engine():
        pass

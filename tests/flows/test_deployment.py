"""``deployments/prefect.yaml``: what it says, and one deployment run by a local server and a process worker."""

import inspect
import os
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import httpx
import numpy as np
import pytest
import soundfile
import yaml
from prefect.flows import load_flow_from_entrypoint

from sonolake import Lake
from sonolake.sources.freesound import Search

FILE = "deployments/prefect.yaml"
WRITERS = {
    "ingest-takes",
    "ingest-freesound",
    "embed",
    "split",
    "cares",
    "rms-aqa",
    "wesr",
    "release",
    "maintain",
}
PATIENCE_S = 120.0
"""How long anything may take; on an idle machine nothing takes longer than a dozen seconds."""


@pytest.fixture
def root(request):
    return request.config.rootpath


@pytest.fixture
def settings(root):
    return yaml.safe_load((root / FILE).read_text())


@pytest.fixture
def deployments(settings):
    return {deployment["name"]: deployment for deployment in settings["deployments"]}


def test_every_data_set_and_the_upkeep_have_a_deployment(deployments):
    assert set(deployments) == WRITERS
    for one in deployments.values():
        assert one["description"].endswith(".") and "sonolake" in one["tags"]
        assert one["work_pool"]["name"] == "sonolake"


def test_writers_run_one_at_a_time_and_wait_for_each_other(deployments):
    for one in deployments.values():
        assert one["concurrency_limit"] == {"limit": 1, "collision_strategy": "ENQUEUE"}


def test_the_search_on_freesound_can_be_and_is_switched_on_by_those_who_have_a_key(deployments):
    one = deployments["ingest-freesound"]
    search = Search(**one["parameters"]["search"])
    search.require_sound(one["parameters"]["source"].removeprefix("freesound:"))
    assert [schedule["active"] for schedule in one["schedules"]] == [False]


def test_embedding_splitting_and_maintenance_are_nightly(deployments):
    crons = {
        n: [s["cron"] for s in one.get("schedules", ()) if s["active"]] for n, one in deployments.items()
    }
    nightly = {name: found[0] for name, found in crons.items() if found}
    assert set(nightly) == {"embed", "split", "maintain"}
    assert all(re.fullmatch(r"\d+ \d+ \* \* \*", cron) for cron in nightly.values())


def test_parameters_are_those_of_the_flows(deployments, root, monkeypatch):
    monkeypatch.chdir(root)
    for one in deployments.values():
        flow = load_flow_from_entrypoint(one["entrypoint"])
        inspect.signature(flow.fn).bind(**one["parameters"])
        assert one["parameters"]["lake"] == "{{ $SONOLAKE_LAKE }}"


def test_no_path_of_a_machine_stands_in_the_file(settings, root):
    assert re.findall(r"(?:^|[\s\"'])(/\w+|~/)", (root / FILE).read_text()) == []
    (step,) = settings["pull"]
    assert step == {
        "prefect.deployments.steps.set_working_directory": {"directory": "{{ $SONOLAKE_CHECKOUT }}"}
    }


@contextmanager
def started(command, log, env, cwd):
    """A process that runs while the block does; it and all that it began are ended after it, whatever happens."""
    with log.open("w") as out:
        process = subprocess.Popen(
            command, stdout=out, stderr=subprocess.STDOUT, env=env, cwd=cwd, start_new_session=True
        )
        try:
            yield process
        finally:
            for sign in (signal.SIGTERM, signal.SIGKILL):
                try:
                    os.killpg(process.pid, sign)
                    process.wait(timeout=10)
                except (ProcessLookupError, subprocess.TimeoutExpired):
                    pass


def wait_for(what, log):
    """Call ``what`` until it answers something true."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        try:
            if answer := what():
                return answer
        except httpx.HTTPError:
            pass
        time.sleep(0.2)
    raise AssertionError(log.read_text())


def prefect(env, cwd, *arguments):
    """Run Prefect's command line to its end."""
    command = [str(Path(sys.executable).with_name("prefect")), "--no-prompt", *arguments]
    done = subprocess.run(command, env=env, cwd=cwd, capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def server(tmp_path, root):
    """A Prefect server on a free port of this machine with a home of its own; its address and the environment."""
    port = free_port()
    api = f"http://127.0.0.1:{port}/api"
    env = {
        **os.environ,
        "PREFECT_HOME": str(tmp_path / "prefect"),
        "PREFECT_API_URL": api,
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "DO_NOT_TRACK": "1",
        "SONOLAKE_LAKE": str(tmp_path / "lake"),
        "SONOLAKE_CHECKOUT": str(root),
    }
    command = [str(Path(sys.executable).with_name("prefect")), "server", "start", "--no-ui"]
    log = tmp_path / "server.log"
    with started([*command, "--host", "127.0.0.1", "--port", str(port)], log, env, tmp_path):
        wait_for(lambda: httpx.get(f"{api}/health", timeout=5).is_success, log)
        yield api, env


@pytest.fixture
def source(tmp_path):
    folder = tmp_path / "takes"
    folder.mkdir()
    rng = np.random.default_rng(1)
    for name, length in (("hiss", 7), ("rumble", 60)):
        noise = np.convolve(rng.standard_normal(16000), np.hanning(length), "same")
        soundfile.write(folder / f"{name}.wav", 0.4 * noise / np.abs(noise).max(), 16000, "PCM_16")
    (folder / "broken.wav").write_text("no sound at all")
    return folder


def test_a_worker_runs_a_deployment(server, source, root, tmp_path):
    api, env = server
    prefect(env, root, "work-pool", "create", "--type", "process", "sonolake")
    prefect(env, root, "deploy", "--all", "--prefect-file", FILE)
    rows = httpx.post(f"{api}/deployments/filter", json={}, timeout=30).json()
    assert {row["name"] for row in rows} == WRITERS
    active = [row["name"] for row in rows for schedule in row["schedules"] if schedule["active"]]
    assert sorted(active) == ["embed", "maintain", "split"]
    there = httpx.get(f"{api}/deployments/name/ingest-take/ingest-takes", timeout=30).json()
    begin = f"{api}/deployments/{there['id']}/create_flow_run"
    refused = httpx.post(begin, json={"parameters": {"source": ["no", "text"]}}, timeout=30)
    assert refused.status_code == 409 and "source" in refused.text
    run = httpx.post(begin, json={"parameters": {"source": str(source)}}, timeout=30).json()
    worker = [
        str(Path(sys.executable).with_name("prefect")),
        "worker",
        "start",
        "--pool",
        "sonolake",
        "--run-once",
    ]
    log = tmp_path / "worker.log"
    with started(worker, log, env, tmp_path):
        ended = wait_for(lambda: final_state(f"{api}/flow_runs/{run['id']}"), log)
    assert ended == "COMPLETED", log.read_text()
    with Lake.open(tmp_path / "lake", read_only=True) as lake:
        assert [r["item"] for r in lake.rows("SELECT item FROM assets ORDER BY item")] == [
            "hiss.wav",
            "rumble.wav",
        ]
        assert [r["item"] for r in lake.rows("SELECT item FROM quarantine")] == ["broken.wav"]
        assert [r["outcome"] for r in lake.rows("SELECT outcome FROM runs")] == ["done"]


def final_state(url):
    """The type of a run's state once it is one that stays."""
    state = httpx.get(url, timeout=10).json()["state"]["type"]
    return state if state in ("COMPLETED", "FAILED", "CRASHED", "CANCELLED") else None

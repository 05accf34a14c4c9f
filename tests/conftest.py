"""What several folders of tests share: a very small lake with everything in it, built once a session, in processes
of its own. Prefect keeps whatever it keeps in a folder of the session, quietly and offline."""

import os
import shutil
import subprocess
import sys
import tempfile
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
    for name in ("PREFECT_API_URL", "PREFECT_API_KEY", "PREFECT_PROFILE", "SONOLAKE_LAKE"):
        os.environ.pop(name, None)


def drive(script, *arguments):
    """Run a driver to its end."""
    command = [sys.executable, str(DRIVERS / script), *map(str, arguments)]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="session")
def reduced_sources(tmp_path_factory):
    """Source folders by kind; nobody changes them."""
    folder = tmp_path_factory.mktemp("reduced") / "sources"
    drive("reduced_sources.py", folder)
    return folder


@pytest.fixture(scope="session")
def plain_lake(reduced_sources, tmp_path_factory):
    """The folder of a lake with scenes, clips, utterances and the release ``tiny 0.1.0``; nobody changes it."""
    folder = tmp_path_factory.mktemp("plain") / "lake"
    drive("build_lake.py", reduced_sources, folder)
    return folder


@pytest.fixture
def own_lake(plain_lake, tmp_path):
    """A copy of ``plain_lake`` that a test may change."""
    return Path(shutil.copytree(plain_lake, tmp_path / "own-lake"))

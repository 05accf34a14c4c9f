"""A hub of the test's own, and ``huggingface_hub`` set to it."""

import importlib
import importlib.util
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[4]


@pytest.fixture(scope="session")
def hub_module():
    """The module of the server that stands in for the hub."""
    spec = importlib.util.spec_from_file_location("hub_server", ROOT / "tests" / "hub_server.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["hub_server"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def hub(hub_module):
    server = hub_module.Hub()
    server.start()
    yield server
    server.stop()


@pytest.fixture
def client(hub, hub_module, monkeypatch):
    """An API of the hub with a token that may write; large files go the way that needs no storage service."""
    library = pytest.importorskip("huggingface_hub", reason="pip install -e .[dev] brings huggingface_hub")
    importlib.import_module("huggingface_hub.utils").disable_progress_bars()
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_DISABLE_XET", True)
    return library.HfApi(endpoint=hub.address, token=hub_module.TOKEN)

"""A hub of the test's own, and ``huggingface_hub`` set to it."""

import functools
import http.server
import importlib
import threading

import pytest


@pytest.fixture(scope="session")
def hub_module(stand_in):
    """The module of the server that stands in for the hub."""
    return stand_in("hub_server")


@pytest.fixture
def hub(hub_module):
    server = hub_module.Hub()
    server.start()
    yield server
    server.stop()


@pytest.fixture
def web(release):
    """The address of a release on a web server."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    handler = functools.partial(Quiet, directory=str(release))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture
def client(hub, hub_module, monkeypatch):
    """An API of the hub with a token that may write; large files go the way that needs no storage service."""
    library = pytest.importorskip("huggingface_hub", reason="pip install -e .[dev] brings huggingface_hub")
    importlib.import_module("huggingface_hub.utils").disable_progress_bars()
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_DISABLE_XET", True)
    return library.HfApi(endpoint=hub.address, token=hub_module.TOKEN)

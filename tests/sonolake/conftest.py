"""What tests of pages share: Debian's Chromium through Playwright, and servers in threads."""

import shutil
import socket
import threading

import pytest


@pytest.fixture(scope="module")
def browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    names = ("chromium", "chromium-headless-shell", "chromium-browser")
    chromium = next(filter(None, map(shutil.which, names)), None)
    if chromium is None:
        pytest.skip("needs Debian's chromium: apt-get install chromium")
    with playwright.sync_playwright() as driver:
        made = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield made
        made.close()


@pytest.fixture
def faults():
    """What scripts of pages did wrong; nothing, at the end of a test."""
    return []


@pytest.fixture
def context(browser, faults):
    made = browser.new_context()
    made.set_default_timeout(30_000)
    made.on("weberror", lambda error: faults.append(str(error.error)))
    yield made
    made.close()
    assert faults == []


@pytest.fixture
def serving():
    """Runs an application in a thread until the end of the test, and says its port."""
    uvicorn = pytest.importorskip("uvicorn", reason="needs the extra 'annotate'")
    running = []

    def serve(application):
        listening = socket.create_server(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(application, log_level="critical", lifespan="off", ws="none"))
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        running.append((server, thread))
        return listening.getsockname()[1]

    yield serve
    for server, thread in running:
        server.should_exit = server.force_exit = True
        thread.join()

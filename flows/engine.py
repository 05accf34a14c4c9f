"""The workflow engine of one command: the Prefect server that is configured, else one of its own that ends with it."""

from __future__ import annotations

import http.client
import os
import re
import socket
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from sonolake.errors import InvalidInput, WorldError

PATIENCE_S = 180.0
"""How long a server may take to start; a dozen seconds are usual."""
_OWN = {"PREFECT_UI_ENABLED": "0", "PREFECT__SERVER_EPHEMERAL": "1", "PREFECT__SERVER_FINAL": "1"}
"""What Prefect sets for a server without a page and without the services of a lasting one."""
_SERVER = Path(__file__).with_name("serving.py")


@contextmanager
def engine() -> Iterator[None]:
    """Flows inside have a server; flows of a command in the foreground end without waiting for a heartbeat.

    Raises:
        InvalidInput: when Prefect's home is no folder that can be written to, or its settings cannot be read.
        WorldError: when the server does not start, or the one that is configured does not answer.
    """
    _require_home()
    try:
        import prefect.context  # noqa: F401  (reads the settings)
        from prefect.settings import PREFECT_API_URL, PREFECT_FLOWS_HEARTBEAT_FREQUENCY, temporary_settings
    except ValueError as error:
        raise InvalidInput("Prefect's settings", "variables that it understands", str(error)) from None
    with temporary_settings({PREFECT_FLOWS_HEARTBEAT_FREQUENCY: None}):
        if url := PREFECT_API_URL.value():
            _require_well(url)
            yield
            return
        with _served() as url, temporary_settings({PREFECT_API_URL: url}):
            yield


def _require_well(url: str) -> None:
    from prefect import get_client

    with get_client(sync_client=True) as client:
        if error := client.api_healthcheck():
            raise WorldError(f"the Prefect server of PREFECT_API_URL, {url}, does not answer: {error}")


def _require_home() -> None:
    """Prefect itself would warn, and its server would never answer."""
    home = Path(os.environ.get("PREFECT_HOME") or "~/.prefect").expanduser()
    profiles = home / "profiles.toml"
    try:
        home.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=home).close()
        if profiles.is_file():
            tomllib.loads(profiles.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidInput(
            "PREFECT_HOME", "a folder that can be written to", str(home), error.strerror or ""
        ) from None
    except ValueError as error:
        raise InvalidInput(str(profiles), "TOML", str(error)) from None


@contextmanager
def _served() -> Iterator[str]:
    """The address of a server that is there until the block, or this process, ends."""
    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    with tempfile.TemporaryFile() as said:
        with listening:
            server = subprocess.Popen(
                [sys.executable, str(_SERVER), str(listening.fileno())],
                env={**os.environ, **_OWN},
                pass_fds=[listening.fileno()],
                stdin=subprocess.PIPE,
                stdout=said,
                stderr=said,
                start_new_session=True,
            )
        try:
            _require_answer(port, said)
            yield f"http://127.0.0.1:{port}/api"
        finally:
            server.communicate()


def _require_answer(port: int, said: IO[bytes]) -> None:
    """Wait until the server answers; the socket is there from the start, and is closed when the server ends."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    try:
        connection.request("GET", "/api/health")
        status = connection.getresponse().status
    except (OSError, http.client.HTTPException) as error:
        said.seek(0)
        reason = _reason(said.read().decode(errors="replace")) or str(error)
        raise WorldError(f"the workflow engine (a Prefect server) did not start: {reason}") from None
    finally:
        connection.close()
    if status != http.HTTPStatus.OK:
        raise WorldError(f"the workflow engine (a Prefect server) is not well: status {status}")


def _reason(said: str) -> str:
    """The last error that a process said, else its last word."""
    lines = [line for line in said.splitlines() if line.strip()]
    errors = [line for line in lines if re.match(r"[\w.]+(Error|Exception|Exit): ", line)]
    return (errors or lines or [""])[-1].strip()

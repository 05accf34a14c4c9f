"""A command run with a time limit, whose end is the end of all that it started."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from typing import IO

from sonolake.errors import NotFound, Unreachable

OF_OURS = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
"""Variables that would make the command's Python look for packages among ours."""
TAIL = 400
"""Characters of what a command printed last that a message repeats."""


def run(command: Sequence[str], given: str, timeout_s: float, what: str) -> str:
    """Run a command, hand it ``given`` as its standard input, and return what it printed last, for a message.

    Raises:
        NotFound: there is no such program.
        Unreachable: it ended with another status than 0, or did not end in time and was killed.
    """
    env = {name: value for name, value in os.environ.items() if name not in OF_OURS}
    with tempfile.TemporaryFile() as printed:
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=printed,
                stderr=subprocess.STDOUT,
                env=env,
                start_new_session=True,
            )
        except OSError as error:
            raise NotFound(f"{what}: {command[0]} cannot be run ({error.strerror})") from None
        try:
            process.communicate(given.encode(), timeout=timeout_s)
        except subprocess.TimeoutExpired:
            raise Unreachable(
                f"{what}: no end after {timeout_s:g} s, so it was killed{_tail(printed)}"
            ) from None
        finally:
            _end(process)
        if process.returncode:
            ended = (
                f"killed by {signal.Signals(-process.returncode).name}" if process.returncode < 0 else "ended"
            )
            status = "" if process.returncode < 0 else f" with status {process.returncode}"
            raise Unreachable(f"{what}: {ended}{status}{_tail(printed)}")
        return _tail(printed)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill whatever is left of the command's session, and wait for the command itself."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    if process.stdin is not None:
        with suppress(OSError):
            process.stdin.close()


def _tail(printed: IO[bytes]) -> str:
    size = printed.seek(0, os.SEEK_END)
    printed.seek(max(0, size - 4 * TAIL))
    text = printed.read().decode("utf-8", "replace").strip()
    return f"; it printed: {text[-TAIL:]}" if text else ""

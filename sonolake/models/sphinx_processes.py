"""Processes that decode: as many as there are threads that align at once, kept until the program ends."""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from sonolake.models import sphinx_decoder
from sonolake.models.sphinx_decoder import Segment, receive, send


class DecoderEnded(Exception):
    """A decoder ended without an answer, and so did a new one."""


class DecoderProcesses:
    """Decoders that are lent to one thread at a time; a new one is started where all are lent.

    One that ends without an answer, killed for want of memory perhaps, may have done so long ago: what it was asked is
    asked once more of a new one.
    """

    def __init__(self) -> None:
        self._idle: list[subprocess.Popen[bytes]] = []
        atexit.register(self._close)
        os.register_at_fork(after_in_child=self._idle.clear)

    def path(self, model: Path, said: Sequence[Sequence[str]], pcm16: bytes) -> list[Segment]:
        """What :func:`sonolake.models.sphinx_decoder.path` gives.

        Raises:
            DecoderEnded: two processes ended over it.
        """
        request = json.dumps({"model": str(model), "said": said}).encode()
        for lend in (self._lent, _started):
            process = lend()
            try:
                answer = _asked(process, request, pcm16)
            except (OSError, EOFError):
                _end(process)
            except BaseException:  # half asked, it would answer whoever asks next
                _end(process)
                raise
            else:
                self._idle.append(process)
                return [(name, first, last, score) for name, first, last, score in json.loads(answer)]
        raise DecoderEnded

    def _lent(self) -> subprocess.Popen[bytes]:
        try:
            return self._idle.pop()
        except IndexError:
            return _started()

    def _close(self) -> None:
        while self._idle:
            _end(self._idle.pop())


def _started() -> subprocess.Popen[bytes]:
    # -P: the folder of the program, which has modules of common names, is not looked through.
    command = [sys.executable, "-P", str(Path(sphinx_decoder.__file__))]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def _asked(process: subprocess.Popen[bytes], request: bytes, pcm16: bytes) -> bytes:
    assert process.stdin is not None and process.stdout is not None
    send(process.stdin, request)
    send(process.stdin, pcm16)
    return receive(process.stdout)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    with suppress(BrokenPipeError), process:  # closes its pipes, and waits for it
        pass

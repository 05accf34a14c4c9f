"""One writer at a time, on one host: locks on files, which go with the process that held them, however it ended."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Protocol

from sonolake.errors import LakeBusy, Refused

WAIT_S = 600.0
"""How long a writer waits for another one's commit, which takes well under a second."""


class WriterLock(Protocol):
    """Held by one writer of all; the one who holds it may take it again."""

    timeout: float

    def __enter__(self) -> object:
        """Wait for it, at most ``timeout`` seconds.

        Raises:
            LakeBusy: when another writer held it all the time.
            Refused: when nothing can be written here.
        """

    def __exit__(self, *_: object) -> None:
        """Let go of it."""

    def check(self) -> None:
        """Let a lock pass that is still held, before what it guards becomes visible.

        Raises:
            LakeBusy: when it was lost.
        """


class FileWriterLock:
    """A lock on ``file``; keep it on a local disk, network file systems may not lock."""

    def __init__(self, file: Path, timeout: float = WAIT_S) -> None:
        from filelock import FileLock

        self.file = file
        self.timeout = timeout
        self._lock = FileLock(file, thread_local=False)

    def __enter__(self) -> FileWriterLock:
        from filelock import Timeout

        try:
            self._lock.acquire(self.timeout)
        except Timeout:
            raise LakeBusy(f"another writer has held {self.file} for over {self.timeout:g} s") from None
        except OSError as error:
            if error.errno not in (errno.EACCES, errno.EPERM, errno.EROFS):
                raise
            raise Refused(
                f"{self.file.parent} cannot be written to ({error.strerror}): it can only be read"
            ) from None
        return self

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def check(self) -> None:
        """The system holds it until this process lets go."""

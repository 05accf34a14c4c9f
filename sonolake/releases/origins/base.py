"""What every origin does, and how a stream that breaks goes on where it broke."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from sonolake.errors import Damaged, Unreachable

MOST_IN_MEMORY = 64 * 1024 * 1024
"""Bytes of a file that is read whole: a manifest of this size lists half a million files."""


class Origin(Protocol):
    """Files below one place; paths are relative and POSIX. Several threads may read at once."""

    @property
    def name(self) -> str:
        """What messages call the place: without credentials."""

    @property
    def address(self) -> str:
        """What :func:`~sonolake.releases.origins.open_origin` opens it by: with everything."""

    def below(self, path: str) -> Origin:
        """The place ``path`` under this one."""

    def stream(self, path: str, start: int = 0, end: int | None = None) -> Iterator[bytes]:
        """The bytes of a file from ``start`` to before ``end`` (its end when None), in blocks; none past its end.

        Raises:
            NotFound: when there is no such file.
            Refused: when it may not be read.
            Unreachable: when the place does not answer, also after several tries.
        """


def read_whole(origin: Origin, path: str, most: int = MOST_IN_MEMORY) -> bytes:
    """A small file.

    Raises:
        NotFound: when there is no such file; as :meth:`Origin.stream` otherwise.
        Damaged: when it is larger than ``most`` bytes.
    """
    data = b"".join(origin.stream(path, 0, most + 1))
    if len(data) > most:
        raise Damaged(f"{origin.name}/{path} is larger than {most:,} bytes, which no release needs")
    return data


class Interrupted(Exception):
    """A stream broke, or could not begin; another try may do. ``wait_s``: how long the place asks to be left alone."""

    def __init__(self, said: str, wait_s: float = 0.0) -> None:
        super().__init__(said)
        self.wait_s = wait_s


@dataclass(frozen=True)
class Patience:
    """How often in a row a stream may break without a byte in between, and how long to wait: doubling, in seconds."""

    tries: int = 6
    first_s: float = 0.5
    longest_s: float = 60.0

    def pause(self, failures: int, asked_s: float) -> float:
        """Seconds to wait after that many failures in a row."""
        return min(self.longest_s, max(asked_s, self.first_s * 2.0 ** (failures - 1)))


def resumed(
    begin: Callable[[int], Iterator[bytes]], start: int, name: str, patience: Patience
) -> Iterator[bytes]:
    """The blocks of ``begin(start)``; where that is interrupted, ``begin`` is called again at the next byte.

    Raises:
        Unreachable: when it is interrupted too often in a row, or asks for more patience than there is.
    """
    failures = 0
    while True:
        try:
            for block in begin(start):
                if block:
                    start += len(block)
                    failures = 0
                    yield block
            return
        except Interrupted as broken:
            failures += 1
            if failures >= patience.tries or broken.wait_s > patience.longest_s:
                raise Unreachable(f"{name}: {broken}, {failures} times in a row") from broken
            time.sleep(patience.pause(failures, broken.wait_s))

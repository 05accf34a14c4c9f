"""One request at a time to a host, some time apart, and none while it wants to be left alone (RFC 9110, 10.2.3)."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache

LONGEST_S = 60.0
"""How long a host is waited for; when it asks for more, what it has is left for another run."""


class Resting(Exception):
    """A host wants to be left alone for longer than is waited."""

    def __init__(self, host: str, seconds: float) -> None:
        super().__init__(f"{host} asks to be left alone for {seconds:.0f} s")


@dataclass
class _Host:
    lock: threading.Lock = field(default_factory=threading.Lock)
    free_at: float = 0.0


@dataclass
class Hosts:
    """The hosts that are asked, whoever asks.

    Args:
        clock: seconds that only grow.
        sleep: waits some seconds.
    """

    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    _hosts: dict[str, _Host] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    @cache
    def of_this_process(cls) -> Hosts:
        """The ones that all intakes of a process share, so that a host is asked no faster by several."""
        return cls()

    @contextmanager
    def turn(self, host: str, pause_s: float) -> Iterator[None]:
        """The right to ask ``host``; the next one has it ``pause_s`` after this one began to ask, and has ended.

        Raises:
            Resting: when that would take longer than is waited.
        """
        one = self._of(host)
        with one.lock:
            wait = one.free_at - self.clock()
            if wait > max(LONGEST_S, pause_s):
                raise Resting(host, wait)
            if wait > 0:
                self.sleep(wait)
            one.free_at = max(one.free_at, self.clock() + pause_s)
            yield

    def rest(self, host: str, seconds: float) -> None:
        """Ask ``host`` nothing for so long; by whoever has its turn."""
        one = self._of(host)
        one.free_at = max(one.free_at, self.clock() + seconds)

    def _of(self, host: str) -> _Host:
        with self._lock:
            return self._hosts.setdefault(host, _Host())

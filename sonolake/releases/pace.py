"""How fast files are fetched: several at once, at no more than so many bytes a second, until one fails."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import TypeVar

from sonolake.errors import InvalidInput

T = TypeVar("T")
WORKERS = 4
"""Files on their way at once: a server answers one request slower than the line is."""
MOST_WORKERS = 64
_RATE = re.compile(r"([0-9]+(?:\.[0-9]+)?) ?([kMG]?)B?(?:/s)?")
_FACTORS = {"": 1, "k": 1_000, "M": 1_000_000, "G": 1_000_000_000}


class Stopped(Exception):
    """Another thread made a mistake: there is no use in going on."""


class Rate:
    """Bytes a second of all threads together; None is without a limit.

    Args:
        bytes_per_s: 1 or more, or None.
        clock: seconds that only grow.

    Raises:
        InvalidInput: for a rate of less than one byte a second.
    """

    def __init__(self, bytes_per_s: float | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        if bytes_per_s is not None and bytes_per_s < 1:
            raise InvalidInput("rate", "1 or more bytes a second", bytes_per_s)
        self.bytes_per_s = bytes_per_s
        self._clock = clock
        self._lock = threading.Lock()
        self._free_at = 0.0

    def book(self, size: int) -> float:
        """Seconds to wait, after which ``size`` bytes more keep to the rate."""
        if self.bytes_per_s is None:
            return 0.0
        with self._lock:
            now = self._clock()
            self._free_at = max(now, self._free_at) + size / self.bytes_per_s
            return self._free_at - now


class Watch:
    """Hears how far a job is, from several threads; this one tells nobody."""

    def begin(self, things: int, size: int) -> None:
        """A job begins, of so many things with so many bytes in all."""

    def came(self, size: int) -> None:
        """So many bytes came."""

    def done(self, rest: int) -> None:
        """A thing is done; ``rest`` bytes of it need not come, and fewer than none where more came than were due."""


class Gate:
    """What a worker passes with every block of the thing it works on.

    Args:
        rate: of all workers together.
        watch: is told of every block.
        closed: set when a worker has failed.
    """

    def __init__(self, rate: Rate, watch: Watch | None = None, closed: threading.Event | None = None) -> None:
        self._rate = rate
        self._watch = watch or Watch()
        self._closed = closed or threading.Event()
        self.taken = 0

    def take(self, size: int) -> None:
        """Account for ``size`` bytes, and wait for as long as the rate asks.

        Raises:
            Stopped: when another worker has failed.
        """
        if self._closed.wait(self._rate.book(size)):
            raise Stopped
        self.taken += size
        self._watch.came(size)


@dataclass(frozen=True)
class Pace:
    """Files at once, the rate of all together, and who is told how far they are.

    Raises:
        InvalidInput: for less than one worker, or more than 64.
    """

    workers: int = WORKERS
    rate: Rate = field(default_factory=Rate)
    watch: Watch = field(default_factory=Watch)

    def __post_init__(self) -> None:
        if not 1 <= self.workers <= MOST_WORKERS:
            raise InvalidInput("workers", f"1 to {MOST_WORKERS}", self.workers)

    def each(
        self,
        work: Callable[[T, Gate], None],
        things: Sequence[T],
        size_of: Callable[[T], int] = lambda thing: 0,
    ) -> None:
        """``work`` on each thing, several at once; what is under way ends soon after the first mistake.

        Args:
            work: takes a thing, and a gate for its bytes.
            things: what there is to do.
            size_of: bytes that a thing is expected to take.

        Raises:
            Exception: what ``work`` raised first.
        """
        self.watch.begin(len(things), sum(map(size_of, things)))
        closed = threading.Event()

        def one(thing: T) -> None:
            gate = Gate(self.rate, self.watch, closed)
            work(thing, gate)
            self.watch.done(size_of(thing) - gate.taken)

        pool = ThreadPoolExecutor(self.workers)
        try:
            futures = [pool.submit(one, thing) for thing in things]
            for future in wait(futures, return_when=FIRST_EXCEPTION).done:
                future.result()
        finally:
            closed.set()
            pool.shutdown(cancel_futures=True)


def parse_rate(text: str) -> float:
    """Bytes a second from ``500k``, ``5MB/s``, ``1.5 M``, ``800000``; k, M and G are powers of 1000.

    Raises:
        InvalidInput: for anything else, and for less than one byte a second.
    """
    match = _RATE.fullmatch(text.strip())
    if match is None or float(match[1]) * _FACTORS[match[2]] < 1:
        raise InvalidInput("rate", "bytes a second, such as 500k, 5M or 1.5MB/s", text)
    return float(match[1]) * _FACTORS[match[2]]

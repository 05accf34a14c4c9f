"""Rate limits of our own: so many requests and tokens a minute, over all threads."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from threading import Lock

MINUTE_S = 60.0


class Pacer:
    """Holds requests back until both limits allow them.

    Args:
        requests: a minute; 0 for no limit.
        tokens: a minute, of questions and expected answers; 0 for no limit. One request that is larger than the limit
            passes when nothing else was sent for a minute.
        clock, pause: seconds now, and how to wait.
    """

    def __init__(
        self,
        requests: int = 0,
        tokens: int = 0,
        clock: Callable[[], float] = time.monotonic,
        pause: Callable[[float], object] = time.sleep,
    ) -> None:
        self._requests, self._tokens, self._clock, self._pause = requests, tokens, clock, pause
        self._sent: deque[tuple[float, int]] = deque()
        self._lock = Lock()

    def wait(self, tokens: int) -> None:
        """Return when a request of that size may be sent; it counts as sent."""
        while (left := self._left(tokens)) > 0:
            self._pause(left)

    def _left(self, tokens: int) -> float:
        with self._lock:
            now = self._clock()
            while self._sent and self._sent[0][0] <= now - MINUTE_S:
                self._sent.popleft()
            full = self._requests and len(self._sent) >= self._requests
            used = sum(size for _, size in self._sent)
            if full or (self._tokens and self._sent and used + tokens > self._tokens):
                return max(0.001, self._sent[0][0] + MINUTE_S - now)
            self._sent.append((now, tokens))
            return 0.0

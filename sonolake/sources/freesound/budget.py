"""The requests that the API allows, remembered from process to process and from run to run.

The server counts in sliding windows, a minute and a day, all requests of one key that it did not refuse, and does not
say how long to wait. So every request is written down before it is sent. Times are seconds of the system's clock.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from sonolake.errors import InvalidInput, LimitReached
from sonolake.sources.freesound.places import write_whole

if TYPE_CHECKING:
    from filelock import FileLock

MINUTE_S, DAY_S = 60.0, 86_400.0
MARGIN_S = 1.0
"""Added to both windows: requests do not arrive as evenly as they are sent."""
CLOSED_S = 3600.0
"""How long nothing is asked after the server said that the day is used up; only it knows when that began."""
VARIABLE = "FREESOUND_LIMITS"


@dataclass(frozen=True)
class Limits:
    """Requests in any minute and in any day; the defaults are those of a new key."""

    minute: int = 60
    day: int = 2000

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> Limits:
        """The limits that ``FREESOUND_LIMITS`` names, such as ``300/minute,5000/day`` for a key of a higher level.

        Raises:
            InvalidInput: for anything else.
        """
        text = environment.get(VARIABLE, "").strip()
        if not text:
            return cls()
        match = re.fullmatch(r"([1-9]\d*)/minute, ?([1-9]\d*)/day", text)
        if match is None:
            raise InvalidInput(VARIABLE, "two rates such as 300/minute,5000/day", text)
        return cls(int(match[1]), int(match[2]))


@dataclass
class _State:
    """Times of the requests of the last day, in order, and until when the server wants none."""

    asked: list[float] = field(default_factory=list)
    minute_closed: float = 0.0
    day_closed: float = 0.0


@dataclass
class Budget:
    """The requests of one key.

    Args:
        path: the file that remembers them; a lock stands beside it.
        limits: how many are allowed.
        clock: the time now.
        sleep: waits some seconds.
    """

    path: Path
    limits: Limits = Limits()
    clock: Callable[[], float] = time.time
    sleep: Callable[[float], None] = time.sleep

    def take(self) -> None:
        """Write down one request, after waiting for the minute to have room.

        Raises:
            LimitReached: when the day has none; its message says from when on it will.
        """
        while (wait := self._taken()) > 0:
            self.sleep(wait)

    def close_minute(self) -> None:
        """The server says that the minute is used up, by somebody else with the same key perhaps."""
        self._change(lambda state, now: setattr(state, "minute_closed", now + MINUTE_S))

    def close_day(self) -> None:
        """The server says that the day is used up."""
        self._change(lambda state, now: setattr(state, "day_closed", now + CLOSED_S))

    def left(self) -> int:
        """Requests that are left of the day."""
        state = self._read(now := self.clock())
        return 0 if state.day_closed > now else max(0, self.limits.day - len(state.asked))

    def _taken(self) -> float:
        """Seconds to wait before the next try; 0 when a request was written down."""
        with self._lock():
            now = self.clock()
            state = self._read(now)
            self._refuse_day(state, now)
            recent = [at for at in state.asked if at > now - MINUTE_S - MARGIN_S]
            opens = state.minute_closed
            if len(recent) >= self.limits.minute:
                opens = max(opens, recent[-self.limits.minute] + MINUTE_S + MARGIN_S)
            if opens <= now:
                state.asked.append(now)
            self._write(state)
            return min(max(0.0, opens - now), MINUTE_S + MARGIN_S)

    def _refuse_day(self, state: _State, now: float) -> None:
        opens = state.day_closed
        if len(state.asked) >= self.limits.day:
            opens = max(opens, state.asked[-self.limits.day] + DAY_S + MARGIN_S)
        if opens > now:
            when = f"{datetime.fromtimestamp(opens, UTC):%Y-%m-%d %H:%M} UTC"
            raise LimitReached(
                f"Freesound allows this key no more requests today: the same command goes on after {when}"
            )

    def _change(self, change: Callable[[_State, float], None]) -> None:
        with self._lock():
            now = self.clock()
            state = self._read(now)
            change(state, now)
            self._write(state)

    def _lock(self) -> FileLock:
        from filelock import FileLock

        return FileLock(self.path.with_suffix(".lock"))

    def _read(self, now: float) -> _State:
        """What is remembered; nothing where the file is not ours. A clock that was put back makes nothing free."""
        try:
            state = _State(**json.loads(self.path.read_text(encoding="utf-8")))
            asked = sorted(min(float(at), now) for at in state.asked)
            minute, day = min(state.minute_closed, now + MINUTE_S), min(state.day_closed, now + CLOSED_S)
        except (OSError, ValueError, TypeError):
            return _State()
        return _State([at for at in asked if at > now - DAY_S - MARGIN_S], minute, day)

    def _write(self, state: _State) -> None:
        write_whole(self.path, json.dumps(vars(state)))

"""What a site's robots.txt lets us ask for (RFC 9309), read by Protego (BSD-3-Clause).

One that is not there forbids nothing; one that cannot be had now forbids everything for now (2.3.1). It is asked for
once a day.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import httpx

from sonolake.extras import require
from sonolake.ids import sha256_hex
from sonolake.sources.freesound.places import write_whole

AGENT = "sonolake"
"""Our name in robots.txt."""
DAY_S = 86_400.0
MOST = 512 * 1024
"""Bytes that are read of one; RFC 9309 (2.5) asks for 500 KiB at least."""


@dataclass
class Robots:
    """The rules of all sites.

    Args:
        folder: where they are kept for a day.
        ask: gives the text of one, "" where there is none; raises what asking raises.
        clock: the time now.
    """

    folder: Path
    ask: Callable[[httpx.URL], str]
    clock: Callable[[], float] = time.time
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def allows(self, url: httpx.URL) -> bool:
        """Whether ``url`` may be asked for."""
        bare = url.copy_with(userinfo=b"")
        return bool(self._rules(bare).can_fetch(str(bare), AGENT))

    def pause_s(self, url: httpx.URL) -> float:
        """Seconds that the site wants between two requests, 0 when it does not say."""
        return float(self._rules(url).crawl_delay(AGENT) or 0.0)

    def _rules(self, url: httpx.URL) -> Any:
        place = url.copy_with(userinfo=b"", path="/robots.txt", query=None, fragment=None)
        path = self.folder / f"{sha256_hex(str(place).encode())[:32]}.json"
        with self._lock:
            text = self._kept(path)
            if text is None:
                text = self.ask(place)
                write_whole(path, json.dumps({"asked": self.clock(), "text": text}))
        return _read(text)

    def _kept(self, path: Path) -> str | None:
        try:
            kept = json.loads(path.read_text(encoding="utf-8"))
            fresh = 0 <= self.clock() - float(kept["asked"]) < DAY_S
            return str(kept["text"]) if fresh else None
        except (OSError, ValueError, TypeError, KeyError):
            return None


@lru_cache(maxsize=256)
def _read(text: str) -> Any:
    require("protego", "robots.txt")
    from protego import Protego

    return Protego.parse(text)

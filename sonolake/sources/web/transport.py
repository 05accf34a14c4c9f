"""Requests to the hosts of the web: allowed by their robots.txt, paced, tried again, redirects followed here.

The user and password of an address go to its own origin alone; no cookie is kept.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import httpx

from sonolake.errors import ItemRefused
from sonolake.releases.origins.base import Interrupted, Patience
from sonolake.releases.origins.http import LATER, asked_wait
from sonolake.sources.freesound.transport import HOPS, new_client
from sonolake.sources.web.addresses import parsed, plain, with_login
from sonolake.sources.web.hosts import Hosts, Resting
from sonolake.sources.web.robots import MOST, Robots

T = TypeVar("T")
Headers = Mapping[str, str]


@dataclass
class Transport:
    """Asks hosts.

    Args:
        state: where robots.txt files are kept.
        pause_s: least time between two requests to one host.
        hosts: when each may be asked.
        client: the connections.
        patience: how often a request is tried that brings nothing, and how long is waited.
        clock: the time now.
    """

    state: Path
    pause_s: float = 1.0
    hosts: Hosts = field(default_factory=Hosts.of_this_process)
    client: httpx.Client = field(default_factory=new_client)
    patience: Patience = field(default_factory=Patience)
    clock: Callable[[], float] = time.time

    def __post_init__(self) -> None:
        self.state.mkdir(parents=True, exist_ok=True)
        self.robots = Robots(self.state, self._robots, self.clock)

    def get(
        self,
        url: httpx.URL,
        read: Callable[[httpx.Response], T],
        headers: Callable[[], Headers] = dict,
        there: Callable[[], int] = lambda: 0,
    ) -> T:
        """What ``read`` makes of an answer that is 200, 206, 304 or 416; it may raise :class:`Interrupted`.

        Args:
            url: what is asked for.
            read: reads an answer.
            headers: of the next try.
            there: bytes that have come so far: a try that brings some costs no patience.

        Raises:
            ItemRefused: ``gone``, ``disallowed`` by robots.txt, ``download_failed``.
        """
        return self._tried(url, lambda: self._once(url, read, headers()), there)

    def _tried(self, url: httpx.URL, ask: Callable[[], T], there: Callable[[], int] = lambda: 0) -> T:
        failures, had = 0, there()
        while True:
            try:
                return ask()
            except Resting as resting:
                raise ItemRefused("download_failed", str(resting)) from None
            except (Interrupted, httpx.TransportError) as broken:
                failures, had = (1 if there() > had else failures + 1), there()
                said = str(broken) if isinstance(broken, Interrupted) else type(broken).__name__
                if failures >= self.patience.tries:
                    raise ItemRefused(
                        "download_failed", f"{plain(url)}: {said}, {failures} times in a row"
                    ) from None
                self.hosts.rest(url.host, self.patience.pause(failures, 0.0))

    def _once(self, url: httpx.URL, read: Callable[[httpx.Response], T], headers: Headers) -> T:
        with self._answer(url, headers, self._allowed) as response:
            if response.status_code in (200, 206, 304, 416):
                return read(response)
            if response.status_code in (404, 410):
                raise ItemRefused("gone", f"{plain(response.url)} is there no more ({response.status_code})")
            self._later(response)
            raise ItemRefused("download_failed", f"{plain(response.url)}: {response.status_code}")

    def _later(self, response: httpx.Response) -> None:
        """Let an answer pass that is final; leave its host alone for as long as it asks otherwise."""
        if response.status_code in LATER:
            self.hosts.rest(response.url.host, asked_wait(response.headers))
            raise Interrupted(f"{response.url.host} answers {response.status_code}")

    def _allowed(self, url: httpx.URL) -> float:
        """Seconds between two requests to the host of an address that may be asked for."""
        if not self.robots.allows(url):
            raise ItemRefused("disallowed", f"the robots.txt of {url.host} forbids {plain(url)}")
        return max(self.pause_s, self.robots.pause_s(url))

    def _robots(self, place: httpx.URL) -> str:
        """A robots.txt; "" where there is none."""

        def ask() -> str:
            with self._answer(place, {}, lambda url: self.pause_s) as response:
                if response.status_code == 200:
                    return b"".join(_head(response, MOST)).decode("utf-8", "replace")
                self._later(response)
                if response.status_code >= 500:
                    raise Interrupted(f"{response.url.host} answers {response.status_code}")
                return ""

        return self._tried(place, ask)

    @contextmanager
    def _answer(
        self, url: httpx.URL, headers: Headers, pause_of: Callable[[httpx.URL], float]
    ) -> Iterator[httpx.Response]:
        """The answer at the end of all redirects, open to be read, while the host is asked nothing else."""
        for _ in range(HOPS):
            pause_s = pause_of(url)
            with self.hosts.turn(url.host, pause_s):
                own = {"Accept-Encoding": "identity", **headers}
                response = self.client.send(self.client.build_request("GET", url, headers=own), stream=True)
                try:
                    if not response.has_redirect_location:
                        yield response
                        return
                finally:
                    response.close()
            url = _target(url, response.headers["Location"])
        raise ItemRefused("download_failed", f"{plain(url)}: more than {HOPS} redirects")


def _target(url: httpx.URL, location: str) -> httpx.URL:
    try:
        return with_login(parsed(str(url.join(location))), url)
    except (httpx.InvalidURL, ItemRefused):
        raise ItemRefused("download_failed", f"{plain(url)} redirects to no address of the web") from None


def _head(response: httpx.Response, most: int) -> Iterator[bytes]:
    left = most
    for block in response.iter_raw():
        yield block[:left]
        left -= len(block)
        if left <= 0:
            return

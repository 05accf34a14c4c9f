"""Requests to the API and to the hosts that keep its files: paced, tried again, and never trusted with the credential
unless they are the API itself.

A request for the API counts against its budget before it is sent, each try of it. A connection that breaks, an answer
that is not whole and a server's error are tried again; what else is refused is said with the server's own words.
Redirects are followed here, so that the credential goes to the API's own origin alone.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any, TypeVar

import httpx

from sonolake.errors import InvalidInput, Refused, Unreachable
from sonolake.sources.freesound.access import Access
from sonolake.sources.freesound.budget import Budget
from sonolake.sources.freesound.secrets import Secret

T = TypeVar("T")

TRIES = 6
"""Of one request, the first one included; the waits between them double from one second."""
HOPS = 5
"""Redirects that are followed in one try."""
MOST_JSON = 64 << 20
"""Bytes of an answer that is read into memory."""
TIMEOUT = httpx.Timeout(30.0, connect=10.0)
LOOPBACK = ("127.0.0.1", "::1", "localhost")


class BadBody(Exception):
    """An answer that is not whole, or not what was asked for: worth another try."""


class Absent(Exception):
    """The server says that there is no such thing."""


def new_client() -> httpx.Client:
    """A client that follows no redirect by itself, and keeps no cookie, which another host might be told."""
    none = CookieJar(DefaultCookiePolicy(allowed_domains=[]))
    return httpx.Client(
        timeout=TIMEOUT, follow_redirects=False, headers={"User-Agent": "sonolake"}, cookies=none
    )


@dataclass
class Transport:
    """Sends requests in the name of an access.

    Args:
        base: address of the API, such as ``https://freesound.org/apiv2``.
        budget: the requests that the API allows.
        client: the connections.
        sleep: waits some seconds.
    """

    base: str
    budget: Budget
    client: httpx.Client = field(default_factory=new_client)
    sleep: Callable[[float], None] = time.sleep

    def __post_init__(self) -> None:
        self.base = self.base.rstrip("/")
        self._require_private(httpx.URL(self.base))

    def json(self, path: str, access: Access, params: Mapping[str, str] | None = None) -> Any:
        """The JSON that the API answers under ``path``, such as ``/search/``.

        Raises:
            Absent: 404.
            InvalidInput: 400: the request makes no sense to the server.
            Refused: the credential is refused.
            LimitReached: the day's requests are used up.
            Unreachable: no whole answer in several tries.
        """
        return self.api(path, access, parsed, params)

    def api(
        self,
        path: str,
        access: Access,
        read: Callable[[httpx.Response], T],
        params: Mapping[str, str] | None = None,
        away: bool = False,
    ) -> T:
        """What ``read`` makes of the API's answer, streamed; it may raise :class:`BadBody`. Raises as :meth:`json`.

        Only where ``away`` may the answer come from another host, which is not told the credential.
        """
        url = httpx.URL(self.base + path, params=dict(params or {}))
        return self._tried(lambda: self._get(url, access), read, self._api_refusal, access, away)

    def file(self, address: str, read: Callable[[httpx.Response], T]) -> T:
        """What ``read`` makes of a file on any host, asked for without a credential.

        Raises:
            Absent: the host does not have it.
            Unreachable: no whole answer in several tries, or none to be had.
        """
        try:
            url = httpx.URL(address)
        except httpx.InvalidURL:
            raise Unreachable("the address of the file is none") from None
        self._require_private(url)
        return self._tried(lambda: self._get(url, None), read, _file_refusal, None)

    def form(self, path: str, fields: Mapping[str, str | Secret]) -> Any:
        """The JSON that the API answers to a form; for the token endpoint, which no budget counts.

        Raises:
            Refused: the server does not accept what is in the form.
            Unreachable: no whole answer in several tries.
        """
        url = httpx.URL(self.base + path)
        return self._tried(lambda: self._form(url, fields), parsed, _form_refusal, None, away=False)

    def _tried(
        self,
        build: Callable[[], httpx.Request],
        read: Callable[[httpx.Response], T],
        refusal: Callable[[httpx.Response], str],
        access: Access | None,
        away: bool = True,
    ) -> T:
        why, renewed = "", False
        for number in range(TRIES):
            if number:
                self.sleep(2.0 ** (number - 1))
            try:
                with self._sent(build(), access, away) as response:
                    if response.status_code == 200:
                        return read(response)
                    status, why = response.status_code, refusal(response)
            except (httpx.RequestError, BadBody) as error:
                why = str(error) if isinstance(error, BadBody) else type(error).__name__
                continue
            if status == 401 and access is not None:
                if renewed or not access.renew():
                    raise Refused(f"Freesound refuses the credential: {why}")
                renewed = True
        raise Unreachable(
            f"{httpx.URL(self.base).host}: no whole answer in {TRIES} tries, the last one: {why}"
        )

    @contextmanager
    def _sent(self, request: httpx.Request, access: Access | None, away: bool) -> Iterator[httpx.Response]:
        """The answer at the end of all redirects, open to be read."""
        for _ in range(HOPS):
            if access is not None and self._is_api(request.url):
                self.budget.take()
            response = self.client.send(request, stream=True)
            if not response.has_redirect_location:
                break
            response.close()
            target = self._target(request, response.headers["Location"])
            if not away and not self._is_api(target):
                raise Unreachable(f"{request.url.host} sends to {target.host}, which is another host")
            request = self._get(target, access)
        else:
            raise BadBody(f"more than {HOPS} redirects")
        try:
            yield response
        finally:
            response.close()

    def _target(self, request: httpx.Request, location: str) -> httpx.URL:
        try:
            url = request.url.join(location)
        except httpx.InvalidURL:
            raise BadBody("a redirect to no address") from None
        self._require_private(url)
        return url

    def _get(self, url: httpx.URL, access: Access | None) -> httpx.Request:
        headers = {"Accept": "application/json, */*;q=0.1", "Accept-Encoding": "identity"}
        if access is None or not self._is_api(url):
            return self.client.build_request("GET", url, headers=headers)
        own = {"Authorization": access.header().reveal()}
        return self.client.build_request("GET", url, headers=headers | own)

    def _form(self, url: httpx.URL, fields: Mapping[str, str | Secret]) -> httpx.Request:
        plain = {name: v.reveal() if isinstance(v, Secret) else v for name, v in fields.items()}
        return self.client.build_request("POST", url, data=plain, headers={"Accept": "application/json"})

    def _is_api(self, url: httpx.URL) -> bool:
        return _origin(url) == _origin(httpx.URL(self.base))

    def _require_private(self, url: httpx.URL) -> None:
        """Let https pass, and http on this machine where the API itself is on this machine."""
        local = url.scheme == "http" and url.host in LOOPBACK and httpx.URL(self.base).host in LOOPBACK
        if url.scheme != "https" and not local:
            raise Unreachable(f"{url.scheme}://{url.host} is not https")

    def _api_refusal(self, response: httpx.Response) -> str:
        """What the API says when it says no, for a status that is worth another try.

        Raises:
            Absent, InvalidInput, Refused, LimitReached: for all others.
        """
        status, detail = response.status_code, _detail(response)
        if status == 404:
            raise Absent(detail)
        if status == 429:
            return self._throttled(detail)
        if status == 400:
            raise InvalidInput("request to Freesound", "one that it understands", detail)
        if status == 401 or status >= 500:
            return f"{status} {detail}"
        raise Refused(f"Freesound answers {status}: {detail}")

    def _throttled(self, detail: str) -> str:
        """Close the budget for as long as the server's rate says; it states no time to wait."""
        if "suspended" in detail:
            raise Refused(f"Freesound: {detail}")
        rate = re.search(r"/(second|minute|hour|day)\)", detail)
        if rate is not None and rate[1] in ("hour", "day"):
            self.budget.close_day()
            self.budget.take()
        self.budget.close_minute()
        return f"429 {detail}"


def _file_refusal(response: httpx.Response) -> str:
    status = response.status_code
    if status in (404, 410):
        raise Absent(response.reason_phrase)
    if status == 429 or status >= 500:
        return f"{status} {response.reason_phrase}"
    raise Unreachable(f"{response.url.host} answers {status} {response.reason_phrase}")


def _form_refusal(response: httpx.Response) -> str:
    if response.status_code == 429 or response.status_code >= 500:
        return f"{response.status_code} {response.reason_phrase}"
    raise Refused(f"Freesound does not accept the log-in ({response.status_code}): sonolake freesound login")


def _origin(url: httpx.URL) -> tuple[str, str, int]:
    return url.scheme, url.host, url.port or {"http": 80, "https": 443}.get(url.scheme, 0)


def parsed(response: httpx.Response) -> Any:
    """The JSON of an answer."""
    try:
        return json.loads(_read(response))
    except ValueError:
        raise BadBody("what came is no JSON") from None


def _read(response: httpx.Response) -> bytes:
    pieces, size = [], 0
    for piece in response.iter_bytes():
        pieces.append(piece)
        size += len(piece)
        if size > MOST_JSON:
            raise BadBody(f"more than {MOST_JSON:,} bytes")
    return b"".join(pieces)


def _detail(response: httpx.Response) -> str:
    """The server's sentence, or the name of the status where it has none."""
    try:
        said = json.loads(_read(response))["detail"]
    except (ValueError, KeyError, TypeError, BadBody, httpx.RequestError):
        return response.reason_phrase
    return str(said)[:300]

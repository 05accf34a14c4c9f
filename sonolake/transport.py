"""Requests that are sent again while a server is busy or fails, with pauses that double or that the server names.

The key goes into a header and into nothing else: no message, log or repr holds it.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from sonolake.errors import InvalidInput, ItemRefused, MissingPackage, Refused, Unreachable

if TYPE_CHECKING:
    import httpx

TRIES = 5
LONGEST_PAUSE_S = 60.0
REQUESTS_FAULT = frozenset({400, 413, 415, 422})
"""Statuses that refuse this request and no other."""
T = TypeVar("T")
_LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})


class Busy(Unreachable):
    """The server is busy or failing; ``after_s`` is what it asks to wait, if it says so."""

    def __init__(self, said: str, after_s: float | None) -> None:
        super().__init__(said)
        self.after_s = after_s


class Transport:
    """A base URL with headers.

    Args:
        url: up to and with the version, such as ``http://localhost:8000/v1``.
        headers: sent with everything, the key among them.
        secret: the key, taken out of whatever is said.
        timeout_s: for one answer.
        tries: how often a request is sent at most.
        pause: waits so many seconds.

    Raises:
        InvalidInput: for a URL without http, or a key over an unencrypted connection to another machine.
    """

    def __init__(
        self,
        url: str,
        headers: Mapping[str, str],
        secret: str = "",
        timeout_s: float = 300.0,
        tries: int = TRIES,
        pause: Callable[[float], object] = time.sleep,
    ) -> None:
        try:
            import httpx
        except ImportError as error:
            raise MissingPackage("httpx", "asking an endpoint", "pip install httpx") from error
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InvalidInput("endpoint", "a URL such as http://localhost:8000/v1", url)
        if secret and parts.scheme == "http" and parts.hostname not in _LOCAL:
            raise InvalidInput("endpoint", "https, so that the key is not read on the way", url)
        self.url = url.rstrip("/")
        self._secret, self._tries, self._pause = secret, tries, pause
        self._client: httpx.Client = httpx.Client(headers=dict(headers), timeout=timeout_s)

    def __repr__(self) -> str:
        return f"Transport({self.url!r})"

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def json(self, method: str, path: str, **sent: Any) -> dict[str, Any]:
        """The JSON object that a request is answered with.

        Raises:
            ItemRefused: ``rejected`` when this request was refused, ``no_answer`` for something else than an object.
            Refused: when the server refuses all requests, such as for its key.
            Unreachable: when it does not answer, or stays busy.
        """

        def read(response: httpx.Response) -> dict[str, Any]:
            try:
                data = response.json()
            except ValueError:
                data = None
            if not isinstance(data, dict):
                raise ItemRefused("no_answer", f"no JSON object: {response.text[:200]!r}")
            return data

        return self.read(method, path, read, **sent)

    def text(self, method: str, path: str, **sent: Any) -> str:
        """The text that a request is answered with."""
        return self.read(method, path, lambda response: response.text, **sent)

    def read(self, method: str, path: str, read: Callable[[httpx.Response], T], **sent: Any) -> T:
        """What ``read`` makes of the answer; where it raises ``ItemRefused`` the request is sent again."""
        failure: Exception = Unreachable(f"{self.url} gave no answer")
        for attempt in range(self._tries):
            if attempt:
                self._pause(self._wait(failure, attempt))
            try:
                return read(self._once(method, path, sent))
            except (ItemRefused, Unreachable) as error:
                if isinstance(error, ItemRefused) and error.reason == "rejected":
                    raise
                failure = error
        raise failure

    def _once(self, method: str, path: str, sent: Any) -> httpx.Response:
        import httpx

        url = path if path.startswith(("http://", "https://")) else f"{self.url}{path}"
        try:
            response = self._client.request(method, url, **sent)
        except httpx.HTTPError as error:
            said = f"{url} does not answer: {type(error).__name__} {error}"
            raise Unreachable(self._safe(said)) from None
        if response.status_code < 300:
            return response
        said = self._safe(f"{url} answered {response.status_code}: {_complaint(response)}")
        if response.status_code == 429 or response.status_code >= 500:
            raise Busy(said, _retry_after(response))
        if response.status_code in REQUESTS_FAULT:
            raise ItemRefused("rejected", said)
        raise Refused(said)

    def _wait(self, failure: Exception, attempt: int) -> float:
        named = failure.after_s if isinstance(failure, Busy) else None
        jitter = random.Random(f"{self.url} {attempt}").uniform(0.75, 1.25)
        return min(LONGEST_PAUSE_S, named if named is not None else 2.0 ** (attempt - 1) * jitter)

    def _safe(self, text: str) -> str:
        return text.replace(self._secret, "(key)") if self._secret else text


def _complaint(response: httpx.Response) -> str:
    try:
        error = response.json()["error"]
        return str(error["message"] if isinstance(error, dict) else error)[:300]
    except (ValueError, LookupError, TypeError):
        return response.text[:300]


def _retry_after(response: httpx.Response) -> float | None:
    try:
        return max(0.0, float(response.headers["Retry-After"]))
    except (KeyError, ValueError):
        return None

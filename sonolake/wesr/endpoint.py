"""An OpenAI-compatible endpoint that hears: ``POST …/chat/completions`` with the recording in the message.

Busy and failing servers are asked again (429, 5xx, no answer, an answer that is no answer), with pauses that double or
that the server names. The key is sent in the header and appears nowhere else.
"""

from __future__ import annotations

import base64
import random
import time
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from sonolake.errors import InvalidInput, ItemRefused, MissingPackage, Refused, Unreachable

if TYPE_CHECKING:
    import httpx

TRIES = 5
LONGEST_PAUSE_S = 60.0
_ITEMS_FAULT = frozenset({400, 413, 415, 422})
_LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})


class Endpoint:
    """A model behind an endpoint, used as a context manager.

    Args:
        url: up to and with the version, such as ``http://localhost:8000/v1``.
        model: its name there.
        key: sent as a bearer token; empty for none.
        timeout_s: for one answer.
        pause: waits so many seconds.

    Raises:
        InvalidInput: for a URL without http, or a key over an unencrypted connection to another machine.
    """

    def __init__(
        self,
        url: str,
        model: str,
        key: str = "",
        timeout_s: float = 120.0,
        pause: Callable[[float], object] = time.sleep,
    ) -> None:
        try:
            import httpx
        except ImportError as error:
            raise MissingPackage("httpx", "asking an endpoint", "pip install httpx") from error
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InvalidInput("endpoint", "a URL such as http://localhost:8000/v1", url)
        if key and parts.scheme == "http" and parts.hostname not in _LOCAL:
            raise InvalidInput("endpoint", "https, so that the key is not read on the way", url)
        self.model = model
        self._url = url.rstrip("/") + "/chat/completions"
        self._key, self._pause = key, pause
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._client: httpx.Client = httpx.Client(headers=headers, timeout=timeout_s)

    def __repr__(self) -> str:
        return f"Endpoint({self._url!r}, {self.model!r})"

    def __enter__(self) -> Endpoint:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._client.close()

    def transcribe(self, wav: bytes, instruction: str) -> str:
        """What the model answers about a recording.

        Args:
            wav: a WAV file.
            instruction: what it is asked.

        Raises:
            Refused: when the endpoint refuses everything: wrong key, no such model or address.
            ItemRefused: ``rejected`` when it refuses this recording, ``no_answer`` when it answers nothing usable.
            Unreachable: when it does not answer at all, again and again.
        """
        asked = {"model": self.model, "temperature": 0, "messages": [_message(wav, instruction)]}
        failure: Exception = Unreachable(f"{self._url} gave no answer")
        for attempt in range(TRIES):
            if attempt:
                self._pause(self._wait(failure, attempt))
            try:
                return self._once(asked)
            except (ItemRefused, Unreachable) as error:
                if isinstance(error, ItemRefused) and error.reason == "rejected":
                    raise
                failure = error
        raise failure

    def _once(self, asked: dict[str, Any]) -> str:
        import httpx

        try:
            response = self._client.post(self._url, json=asked)
        except httpx.HTTPError as error:
            raise Unreachable(
                self._safe(f"{self._url} does not answer: {type(error).__name__} {error}")
            ) from None
        if response.status_code == 200:
            return _answer(response)
        said = self._safe(f"{self._url} answered {response.status_code}: {_complaint(response)}")
        if response.status_code == 429 or response.status_code >= 500:
            raise _Busy(said, _retry_after(response))
        if response.status_code in _ITEMS_FAULT:
            raise ItemRefused("rejected", said)
        raise Refused(said)

    def _wait(self, failure: Exception, attempt: int) -> float:
        named = failure.after_s if isinstance(failure, _Busy) else None
        jitter = random.Random(f"{self._url} {attempt}").uniform(0.75, 1.25)
        wanted = named if named is not None else 2.0 ** (attempt - 1) * jitter
        return min(LONGEST_PAUSE_S, wanted)

    def _safe(self, text: str) -> str:
        return text.replace(self._key, "(key)") if self._key else text


class _Busy(Unreachable):
    """The server is busy; ``after_s`` is what it asks to wait, if it says so."""

    def __init__(self, said: str, after_s: float | None) -> None:
        super().__init__(said)
        self.after_s = after_s


def _message(wav: bytes, instruction: str) -> dict[str, Any]:
    sound = {"data": base64.b64encode(wav).decode("ascii"), "format": "wav"}
    return {
        "role": "user",
        "content": [
            {"type": "text", "text": instruction},
            {"type": "input_audio", "input_audio": sound},
        ],
    }


def _answer(response: httpx.Response) -> str:
    """The text of the first choice, without what models put around it."""
    try:
        content = response.json()["choices"][0]["message"]["content"]
    except (ValueError, LookupError, TypeError):
        raise ItemRefused("no_answer", f"not a chat completion: {response.text[:200]!r}") from None
    if isinstance(content, list):
        content = "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    text = _bare(content) if isinstance(content, str) else ""
    if not text:
        raise ItemRefused("no_answer", "the answer is empty")
    return text


def _bare(text: str) -> str:
    text = text.strip()
    if text.startswith("```") and text.endswith("```") and len(text) > 6:
        first, _, rest = text[3:-3].partition("\n")
        text = (rest if rest and " " not in first.strip() else text[3:-3]).strip()
    if len(text) > 1 and (text[0], text[-1]) in (('"', '"'), ("“", "”")) and text[0] not in text[1:-1]:
        text = text[1:-1].strip()
    return " ".join(text.split())


def _complaint(response: httpx.Response) -> str:
    try:
        return str(response.json()["error"]["message"])[:300]
    except (ValueError, LookupError, TypeError):
        return response.text[:300]


def _retry_after(response: httpx.Response) -> float | None:
    try:
        return max(0.0, float(response.headers["Retry-After"]))
    except (KeyError, ValueError):
        return None

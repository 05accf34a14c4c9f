"""An OpenAI-compatible endpoint that hears: ``POST …/chat/completions`` with the recording in the message.

An answer that is no answer is asked for again, as :mod:`sonolake.transport` does with servers that are busy
or fail.
"""

from __future__ import annotations

import base64
import time
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any

from sonolake.errors import ItemRefused
from sonolake.transport import Transport

if TYPE_CHECKING:
    import httpx


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
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self.model = model
        self._transport = Transport(url, headers, key, timeout_s, pause=pause)

    def __repr__(self) -> str:
        return f"Endpoint({self._transport.url!r}, {self.model!r})"

    def __enter__(self) -> Endpoint:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._transport.close()

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
        return self._transport.read("POST", "/chat/completions", _answer, json=asked)


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
    text = bare(content) if isinstance(content, str) else ""
    if not text:
        raise ItemRefused("no_answer", "the answer is empty")
    return text


def bare(text: str) -> str:
    """An answer without what models put around it: fences, quotes, line ends."""
    text = text.strip()
    if text.startswith("```") and text.endswith("```") and len(text) > 6:
        first, _, rest = text[3:-3].partition("\n")
        text = (rest if rest and " " not in first.strip() else text[3:-3]).strip()
    if len(text) > 1 and (text[0], text[-1]) in (('"', '"'), ("“", "”")) and text[0] not in text[1:-1]:
        text = text[1:-1].strip()
    return " ".join(text.split())

"""Models of speech by name: one of the registry, or ``openai:MODEL@URL`` behind an endpoint."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable

from sonolake.errors import InvalidInput
from sonolake.models.base import Recogniser
from sonolake.models.chat import openai
from sonolake.models.chat.specs import KEYS
from sonolake.models.chat.transport import Transport
from sonolake.models.endpoints.transcription import EndpointRecogniser
from sonolake.models.registry import get

_OPENAI = re.compile(r"openai:([^@\s]+)(?:@(\S+))?")


def recogniser(
    spec: str = "whisper:base",
    key_from: str = "",
    timeout_s: float = 300.0,
    pause: Callable[[float], object] = time.sleep,
) -> Recogniser:
    """The recogniser that a spec names.

    Args:
        spec: ``whisper:base``, ``whisper:tiny.en``, ``whisper:FOLDER``, ``openai:MODEL`` or ``openai:MODEL@URL``.
        key_from: the environment variable with the key; ``OPENAI_API_KEY`` when empty.
        timeout_s: for one answer.
        pause: waits so many seconds.

    Raises:
        InvalidInput: for another spec, or no key where the provider's own endpoint needs one.
        MissingPackage: when what runs it is not installed.
    """
    if not spec.startswith("openai:"):
        found: Recogniser = get(spec)
        if not isinstance(found, Recogniser):
            raise InvalidInput("recogniser", "whisper:base, whisper:FOLDER or openai:MODEL@URL", spec)
        return found
    match = _OPENAI.fullmatch(spec)
    if match is None:
        raise InvalidInput("recogniser", "openai:MODEL or openai:MODEL@URL", spec)
    model, url = match.groups()
    return EndpointRecogniser(model, openai_transport(url, key_from, timeout_s, pause))


def openai_transport(
    url: str | None, key_from: str, timeout_s: float, pause: Callable[[float], object]
) -> Transport:
    """The way to an OpenAI-compatible endpoint, the provider's own without ``url``.

    Raises:
        InvalidInput: without a key for the provider's own.
    """
    variable = key_from or KEYS["openai"]
    key = os.environ.get(variable, "")
    if not key and url is None:
        raise InvalidInput("key of openai", f"one in the environment variable {variable}", "none")
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    return Transport(url or openai.URL, headers, key, timeout_s, pause=pause)

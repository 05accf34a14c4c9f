"""Chat models by name: ``openai:MODEL``, ``openai:MODEL@URL``, ``anthropic:MODEL``; the key from the environment."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable

from sonolake.errors import InvalidInput
from sonolake.models.chat import anthropic, openai
from sonolake.models.chat.anthropic import AnthropicChat
from sonolake.models.chat.openai import OpenAiChat
from sonolake.transport import Transport

KEYS = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}
"""Where each provider's key is looked for."""
_SPEC = re.compile(r"(openai|anthropic):([^@\s]+)(?:@(\S+))?")


def chat_model(
    spec: str,
    key_from: str = "",
    timeout_s: float = 300.0,
    pause: Callable[[float], object] = time.sleep,
) -> OpenAiChat | AnthropicChat:
    """The model that a spec names.

    Args:
        spec: ``openai:MODEL@URL`` for any OpenAI-compatible endpoint, such as ``openai:qwen3@http://localhost:8000/v1``;
            without URL the provider's own.
        key_from: the environment variable with the key; the provider's usual one when empty.
        timeout_s: for one answer.
        pause: waits so many seconds.

    Raises:
        InvalidInput: for another spec, or no key where the provider's own endpoint needs one.
    """
    match = _SPEC.fullmatch(spec)
    if match is None:
        raise InvalidInput("chat model", "openai:MODEL, openai:MODEL@URL or anthropic:MODEL", spec)
    provider, model, url = match.groups()
    variable = key_from or KEYS[provider]
    key = os.environ.get(variable, "")
    if not key and url is None:
        raise InvalidInput(f"key of {provider}", f"one in the environment variable {variable}", "none")
    if provider == "openai":
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        return OpenAiChat(model, Transport(url or openai.URL, headers, key, timeout_s, pause=pause))
    headers = {"anthropic-version": anthropic.VERSION, **({"x-api-key": key} if key else {})}
    return AnthropicChat(model, Transport(url or anthropic.URL, headers, key, timeout_s, pause=pause))

"""Anthropic's Messages: structured output by a tool that must be called, and message batches."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sonolake.errors import InvalidInput, ItemRefused
from sonolake.models.chat.messages import Answer, AnswerRefused, Ask
from sonolake.transport import Transport

URL = "https://api.anthropic.com/v1"
VERSION = "2023-06-01"
"""Sent as ``anthropic-version``."""
_TOOL = "answer"


class AnthropicChat:
    """A model behind that endpoint; it reads text, not sound.

    Args:
        model: its name there.
        transport: the endpoint; see :func:`sonolake.models.chat.chat_model`.
    """

    def __init__(self, model: str, transport: Transport) -> None:
        self.model, self._http = model, transport

    @property
    def spec(self) -> str:
        """``anthropic:MODEL@URL``."""
        return f"anthropic:{self.model}@{self._http.url}"

    def __repr__(self) -> str:
        return f"AnthropicChat({self.spec!r})"

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def complete(self, ask: Ask) -> Answer:
        """The answer."""
        return _answer(self._http.json("POST", "/messages", json=self._body(ask)))

    def submit(self, asks: Mapping[str, Ask]) -> str:
        """Hand in a message batch."""
        requests = [{"custom_id": name, "params": self._body(ask)} for name, ask in asks.items()]
        return str(self._http.json("POST", "/messages/batches", json={"requests": requests})["id"])

    def collect(self, batch: str) -> Mapping[str, Answer | ItemRefused] | None:
        """Answers of a batch; None while it is at work."""
        state = self._http.json("GET", f"/messages/batches/{batch}")
        if state.get("processing_status") != "ended":
            return None
        text = self._http.text("GET", f"/messages/batches/{batch}/results")
        return dict(_collected(line) for line in text.splitlines() if line.strip())

    def _body(self, ask: Ask) -> dict[str, Any]:
        if any(message.wav for message in ask.messages):
            raise InvalidInput("message", "text: this endpoint takes no sound", "a recording")
        body: dict[str, Any] = {
            "model": self.model,
            "max_tokens": ask.max_tokens,
            "system": ask.system,
            "messages": [{"role": m.role, "content": m.text} for m in ask.messages],
        }
        if ask.temperature is not None:
            body["temperature"] = min(1.0, ask.temperature)
        if ask.schema:
            tool = {"name": _TOOL, "description": "Give the answer.", "input_schema": ask.schema}
            body |= {"tools": [tool], "tool_choice": {"type": "tool", "name": _TOOL}}
        return body


def _answer(data: Mapping[str, Any]) -> Answer:
    try:
        blocks = list(data["content"])
        usage = data.get("usage") or {}
        tokens = int(usage.get("input_tokens") or 0), int(usage.get("output_tokens") or 0)
        called = [json.dumps(b["input"], ensure_ascii=False) for b in blocks if b["type"] == "tool_use"]
        said = "".join(b["text"] for b in blocks if b["type"] == "text")
    except (LookupError, TypeError, AttributeError, ValueError):
        raise ItemRefused("no_answer", f"not a message: {json.dumps(data)[:200]}") from None
    answer = Answer(called[0] if called else said, *tokens)
    if data.get("stop_reason") == "max_tokens":
        ends = f"the answer ends after {tokens[1]} tokens, the most that were allowed"
        raise AnswerRefused("cut_off", ends, answer)
    if not answer.text.strip():
        empty = f"the answer is empty, stop_reason {data.get('stop_reason')!r}"
        raise AnswerRefused("no_answer", empty, answer)
    return answer


def _collected(line: str) -> tuple[str, Answer | ItemRefused]:
    row = json.loads(line)
    result = row.get("result") or {}
    if result.get("type") != "succeeded":
        said = f"{result.get('type')}: {json.dumps(result.get('error'))[:300]}"
        return row["custom_id"], ItemRefused("no_answer", said)
    try:
        return row["custom_id"], _answer(result["message"])
    except ItemRefused as refused:
        return row["custom_id"], refused

"""OpenAI-compatible endpoints: ``/chat/completions``, with structured output, sound, and batches."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from typing import Any

from sonolake.errors import ItemRefused, WorldError
from sonolake.models.chat.messages import Answer, AnswerRefused, Ask, Message, as_text
from sonolake.models.chat.openai_model import OpenAiModel

URL = "https://api.openai.com/v1"
FORMATS = ("json_schema", "json_object", "")
"""Ways to ask for JSON, the strictest first; an endpoint that knows none is asked in words alone."""


class OpenAiChat(OpenAiModel):
    """A model behind such an endpoint.

    Args:
        model: its name there.
        transport: the endpoint; see :func:`sonolake.models.chat.chat_model`.
    """

    def complete(self, ask: Ask) -> Answer:
        """The answer; an endpoint that refuses a kind of structured output is asked in a simpler way from then on."""
        while True:
            try:
                return _answer(self._http.json("POST", "/chat/completions", json=self._body(ask)))
            except ItemRefused as refused:
                formats = "response_format" in refused.detail or "json_schema" in refused.detail
                if refused.reason != "rejected" or not formats or not ask.schema or self._format == 2:
                    raise
                self._format += 1

    def submit(self, asks: Mapping[str, Ask]) -> str:
        """Hand in a batch: its requests as a file, then the batch of that file."""
        lines = [
            {"custom_id": name, "method": "POST", "url": "/v1/chat/completions", "body": self._body(ask)}
            for name, ask in asks.items()
        ]
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        files = {"file": ("requests.jsonl", text.encode(), "application/jsonl")}
        file = self._http.json("POST", "/files", data={"purpose": "batch"}, files=files)
        asked = {
            "input_file_id": file["id"],
            "endpoint": "/v1/chat/completions",
            "completion_window": "24h",
        }
        return str(self._http.json("POST", "/batches", json=asked)["id"])

    def collect(self, batch: str) -> Mapping[str, Answer | ItemRefused] | None:
        """Answers of a batch; None while it is at work.

        Raises:
            WorldError: for a batch that failed as a whole.
        """
        state = self._http.json("GET", f"/batches/{batch}")
        if state.get("status") in ("failed", "cancelled"):
            raise WorldError(f"batch {batch} {state['status']}: {json.dumps(state.get('errors'))[:300]}")
        if state.get("status") not in ("completed", "expired"):
            return None
        found: dict[str, Answer | ItemRefused] = {}
        for field in ("output_file_id", "error_file_id"):
            if state.get(field):
                for line in self._http.text("GET", f"/files/{state[field]}/content").splitlines():
                    name, answer = _collected(line)
                    found[name] = answer
        return found

    def _body(self, ask: Ask) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self.model,
            "messages": [{"role": "system", "content": ask.system}, *map(_message, ask.messages)],
            "max_tokens": ask.max_tokens,
        }
        if ask.temperature is not None:
            body["temperature"] = ask.temperature
        kind = FORMATS[self._format] if ask.schema else ""
        if kind == "json_schema":
            schema = {"name": "answer", "schema": ask.schema, "strict": True}
            body["response_format"] = {"type": kind, "json_schema": schema}
        elif kind:
            body["response_format"] = {"type": kind}
        return body


def _message(message: Message) -> dict[str, Any]:
    if message.wav is None:
        return {"role": message.role, "content": message.text}
    sound = {"data": base64.b64encode(message.wav).decode("ascii"), "format": "wav"}
    parts = [{"type": "text", "text": message.text}, {"type": "input_audio", "input_audio": sound}]
    return {"role": message.role, "content": parts}


def _answer(data: Mapping[str, Any]) -> Answer:
    try:
        choice = data["choices"][0]
        text = as_text(choice["message"]["content"])
        usage = data.get("usage") or {}
        tokens = int(usage.get("prompt_tokens") or 0), int(usage.get("completion_tokens") or 0)
    except (LookupError, TypeError, AttributeError, ValueError):
        raise ItemRefused("no_answer", f"not a chat completion: {json.dumps(data)[:200]}") from None
    answer = Answer(text, *tokens)
    if choice.get("finish_reason") == "length":
        said = f"the answer ends after {tokens[1]} tokens, the most that were allowed"
        raise AnswerRefused("cut_off", said, answer)
    if not text.strip():
        raise AnswerRefused("no_answer", "the answer is empty", answer)
    return answer


def _collected(line: str) -> tuple[str, Answer | ItemRefused]:
    row = json.loads(line)
    response = row.get("response") or {}
    if row.get("error") or response.get("status_code") != 200:
        said = json.dumps(row.get("error") or response.get("body"))[:300]
        return row["custom_id"], ItemRefused("no_answer", said)
    try:
        return row["custom_id"], _answer(response["body"])
    except ItemRefused as refused:
        return row["custom_id"], refused

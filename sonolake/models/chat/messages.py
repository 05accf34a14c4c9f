"""What is asked of a chat model, and what comes back, whoever the provider is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from sonolake.errors import InvalidInput, ItemRefused
from sonolake.ids import canonical_json, sha256_hex

ROLES = ("user", "assistant")


@dataclass(frozen=True)
class Message:
    """One message: ``user`` or ``assistant``, its text, and perhaps a WAV file that it lets the model hear."""

    role: str
    text: str
    wav: bytes | None = None

    def __post_init__(self) -> None:
        if self.role not in ROLES:
            raise InvalidInput("role", f"one of {ROLES}", self.role)


@dataclass(frozen=True)
class Ask:
    """A request.

    Attributes:
        system: instructions.
        messages: the conversation so far, a user's last.
        schema: JSON schema of the answer; None for plain text.
        max_tokens: of the answer.
        temperature: 0 to 2; None leaves it to the model.
    """

    system: str
    messages: tuple[Message, ...]
    schema: Mapping[str, Any] | None = None
    max_tokens: int = 2000
    temperature: float | None = 0.0

    def __post_init__(self) -> None:
        if not self.messages or self.messages[-1].role != "user":
            raise InvalidInput("messages", "one or more, a user's last", [m.role for m in self.messages])

    def key(self, model: str) -> str:
        """The hash that an answer of ``model`` is kept by: of everything that is sent."""
        said = [[m.role, m.text, None if m.wav is None else sha256_hex(m.wav)] for m in self.messages]
        parts = {
            "model": model,
            "system": self.system,
            "messages": said,
            "schema": self.schema,
            "max_tokens": self.max_tokens,
            "temperature": self.temperature,
        }
        return sha256_hex(canonical_json(parts).encode())

    @property
    def size(self) -> int:
        """A rough number of tokens: a quarter of the characters, and 32 for each second of 16 kHz audio."""
        text = len(self.system) + sum(len(m.text) for m in self.messages)
        sound = sum(len(m.wav) // 1000 for m in self.messages if m.wav)
        return text // 4 + sound


@dataclass(frozen=True)
class Answer:
    """A model's answer: its text (JSON where a schema was asked for) and the tokens that the provider counted."""

    text: str
    input_tokens: int = 0
    output_tokens: int = 0


class AnswerRefused(ItemRefused):
    """An answer that nothing can be made of, and that is to be paid for all the same.

    Args:
        reason: ``no_answer`` or ``cut_off``.
        detail: one sentence for a person.
        answer: what there is of it, with its tokens.
    """

    def __init__(self, reason: str, detail: str, answer: Answer) -> None:
        super().__init__(reason, detail)
        self.answer = answer


class ChatModel(Protocol):
    """A model behind an endpoint."""

    @property
    def spec(self) -> str:
        """Names provider, model and endpoint, never the key."""

    def complete(self, ask: Ask) -> Answer:
        """The answer.

        Raises:
            Refused: when everything is refused: a wrong key, no such model.
            ItemRefused: ``rejected`` when this request is, ``no_answer`` when what comes back is no answer.
            AnswerRefused: ``no_answer`` or ``cut_off`` when it is none that can be used.
            Unreachable: when there is no answer, again and again.
        """

    def close(self) -> None:
        """Close the connections."""


class BatchModel(ChatModel, Protocol):
    """A model whose provider takes many requests at once, for less money and within a day."""

    def submit(self, asks: Mapping[str, Ask]) -> str:
        """Hand in requests by an id of up to 64 letters, digits, ``-`` and ``_``; the batch's id."""

    def collect(self, batch: str) -> Mapping[str, Answer | ItemRefused] | None:
        """Answers by id, or why there is none; None while the provider is at it."""


def as_text(parts: Sequence[Any] | str | None) -> str:
    """Content that is text, or a list of parts with text, as one text."""
    if isinstance(parts, str):
        return parts
    found = [part.get("text", "") for part in parts or () if isinstance(part, Mapping)]
    return "".join(text for text in found if isinstance(text, str))

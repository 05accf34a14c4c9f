"""A chat model as judge: it reads the transcript with the sounds marked, and nothing else."""

from __future__ import annotations

import json

from sonolake.cares.records import REACTIONS
from sonolake.cares.validation.judges import Reading
from sonolake.cares.validation.rated import Transcript
from sonolake.errors import ItemRefused
from sonolake.models.chat import Ask, Asker, Message

_SYSTEM = """You read the transcript of a conversation between two people. Lines such as [SOUND 1: dog barking] mark where a sound is heard. Say what the two talk about, in one sentence, and for each sound how they react to it. Two questions decide: is the sound referred to in words, however obliquely, and does it change the course of the talk?

pivot: referred to, and the talk turns to it.
verbal: referred to in passing; the talk goes on as before, in the same or the next turn.
behavioral: not referred to at all, but the first sentence after it breaks off, starts again, stumbles, asks for a repetition, or is said in another voice (a tag in square brackets).
ambient: not referred to, and nothing changes. A new subject taken up without any stumble is ambient, too.

Try them in this order. Answer with JSON."""  # noqa: E501
_REWORDING = (
    "Say what this sentence says in other words and another order, in one sentence. Answer with it alone."
)
_SCHEMA = {
    "type": "object",
    "properties": {
        "topic": {"type": "string"},
        "sounds": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "number": {"type": "integer"},
                    "reaction": {"type": "string", "enum": list(REACTIONS)},
                },
                "required": ["number", "reaction"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["topic", "sounds"],
    "additionalProperties": False,
}


class ChatReader:
    """A chat model that recovers topic and reactions.

    Args:
        asker: the model, with its memory.
    """

    quotes = False

    def __init__(self, asker: Asker) -> None:
        self._asker = asker

    @property
    def name(self) -> str:
        """The model's spec."""
        return self._asker.model.spec

    def read(self, transcript: Transcript) -> Reading:
        """Topic and reactions; a sound that is not typed, or typed as something else, is left out.

        Raises:
            ItemRefused: ``no_answer`` for what is no such answer.
        """
        ask = Ask(_SYSTEM, (Message("user", transcript.text()),), _SCHEMA, max_tokens=600)
        answer = self._asker.ask(ask)
        try:
            data = json.loads(answer.text)
            rows = {row["number"]: row["reaction"] for row in data["sounds"]}
            topic = str(data["topic"])
        except (ValueError, LookupError, TypeError):
            raise ItemRefused("no_answer", f"no reading: {answer.text[:200]!r}") from None
        sounds = enumerate(transcript.sounds, 1)
        return Reading(topic, {s.event: rows[n] for n, s in sounds if rows.get(n) in REACTIONS})

    def wrote(self, writer: str) -> bool:
        """Whether a dialogue is of this model, whatever endpoint or prompt it came through."""
        kind, _, rest = writer.partition(":")
        return kind == "chat" and _model(rest.partition(" ")[0]) == _model(self.name)


def _model(spec: str) -> str:
    """The model's name alone: ``llama`` of ``openai:llama@http://localhost:8000/v1``."""
    return spec.partition(":")[2].partition("@")[0]


class ChatRewriter:
    """A chat model that says topics in other words, to calibrate on where no grammar can.

    Args:
        asker: the model, with its memory.
    """

    def __init__(self, asker: Asker) -> None:
        self._asker = asker

    def reword(self, topic: str) -> str:
        """The topic as somebody else would put it, in one sentence.

        Raises:
            ItemRefused: ``no_answer`` for an answer without words.
        """
        said = self._asker.ask(Ask(_REWORDING, (Message("user", topic),), max_tokens=200)).text.strip()
        if not said:
            raise ItemRefused("no_answer", f"no other words for {topic!r}")
        return said

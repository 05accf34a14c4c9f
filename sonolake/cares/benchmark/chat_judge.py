"""A chat model as judge of summaries: it sees the summary and the names of the scene's sounds, nothing else."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from sonolake.cares.benchmark.judging import VERDICTS, Verdict
from sonolake.cares.benchmark.records import HeardSound
from sonolake.errors import ItemRefused
from sonolake.models.chat import Ask, Asker, Message

_SYSTEM = """You check summaries of audio recordings. For each sound in a list, decide what the summary says of it.

heard: the summary says that this sound occurs, in whatever words.
nature: it names what makes the sound, but does not say that it was heard.
discussed: it only reports what the speakers said in connection with it.
absent: none of these.

For every verdict but absent, copy the words of the summary that show it, two or more, exactly as they stand there."""
_SCHEMA = {
    "type": "object",
    "properties": {
        "sounds": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "sound": {"type": "string"},
                    "verdict": {"type": "string", "enum": list(VERDICTS)},
                    "quote": {"type": "string"},
                },
                "required": ["sound", "verdict", "quote"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["sounds"],
    "additionalProperties": False,
}


class ChatJudge:
    """A chat model as judge.

    Args:
        asker: the model, with its memory: the same summary is judged once.
    """

    def __init__(self, asker: Asker) -> None:
        self._asker = asker

    @property
    def name(self) -> str:
        """The model's spec."""
        return self._asker.model.spec

    def judge(self, summary: str, sounds: Sequence[HeardSound]) -> Mapping[str, Verdict]:
        """A verdict for each sound; one that the answer does not hold is absent.

        Raises:
            ItemRefused: ``no_answer`` for what is no such answer.
        """
        names = "\n".join(f"- {sound.name}" for sound in sounds)
        text = f"Summary:\n{summary}\n\nSounds:\n{names}"
        answer = self._asker.ask(Ask(_SYSTEM, (Message("user", text),), _SCHEMA, max_tokens=800))
        said = {row.get("sound"): row for row in _rows(answer.text)}
        return {
            sound.event: Verdict(
                str(said.get(sound.name, {}).get("verdict", "absent")),
                str(said.get(sound.name, {}).get("quote", "")),
            )
            for sound in sounds
        }


def _rows(text: str) -> list[dict[str, object]]:
    try:
        rows = json.loads(text)["sounds"]
    except (ValueError, LookupError, TypeError):
        raise ItemRefused("no_answer", f"no verdicts: {text[:200]!r}") from None
    return [row for row in rows if isinstance(row, dict)]

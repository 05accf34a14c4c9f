"""What a model is asked: stage 1, then stage 2 in the same conversation. The wording is ours."""

from __future__ import annotations

from sonolake.errors import InvalidInput
from sonolake.ids import canonical_json, sha256_hex
from sonolake.models.chat import Message
from sonolake.spatial.benchmark.records import CONTEXTS, Query, Record

_HOW = "Choose one option. End with a line of this form and nothing after it:\nFinal answer: (LETTER)"
_FIRST = "Listen to the recording. It was made where you stand; you face the front.\n\n{question}\n{options}\n\n{how}"
_SECOND = "A further question about the same recording. Use what you answered before.\n\n{question}\n{options}\n\n{how}"
_UNHEARD = "There is a recording, but you cannot hear it. Choose what is most likely.\n\n"


def stage_1(record: Record, wav: bytes | None) -> tuple[Message, ...]:
    """The messages of stage 1; without sound the model is told so."""
    return (Message("user", _asked(_FIRST, record.stage_1, wav), wav),)


def stage_2(record: Record, wav: bytes | None, context: str, answer_1: str = "") -> tuple[Message, ...]:
    """The messages of stage 2.

    Args:
        record: what is asked.
        wav: the recording.
        context: ``no``, ``predicted`` or ``oracle``.
        answer_1: in ``predicted`` context what the model answered in stage 1; its white space is collapsed.

    Raises:
        InvalidInput: for another context.
    """
    if context not in CONTEXTS:
        raise InvalidInput("context", f"one of {', '.join(CONTEXTS)}", context)
    if context == "no":
        return (Message("user", _asked(_FIRST, record.stage_2, wav), wav),)
    said = reference(record.stage_1) if context == "oracle" else " ".join(answer_1.split())
    before = (*stage_1(record, wav), Message("assistant", said))
    return (*before, Message("user", _asked(_SECOND, record.stage_2, b"")))


def conversation_of(record: Record, stage: int, context: str = "no") -> tuple[str, ...]:
    """The texts of a conversation about a recording that is heard, the question last, as one list of turns."""
    asked = stage_1(record, b"") if stage == 1 else stage_2(record, b"", context)
    return tuple(message.text for message in asked)


def reference(query: Query) -> str:
    """The right answer as a model would give it."""
    return f"Final answer: ({query.answer}) {query.options[query.answer]}"


def prompts_id() -> str:
    """Twelve digits of the wording's hash: answers to different wordings are not mixed."""
    return sha256_hex(canonical_json([_HOW, _FIRST, _SECOND, _UNHEARD]).encode())[:12]


def _asked(frame: str, query: Query, wav: bytes | None) -> str:
    options = "\n".join(f"({letter}) {text}" for letter, text in query.options.items())
    asked = frame.format(question=query.question, options=options, how=_HOW)
    return asked if wav is not None else _UNHEARD + asked.removeprefix("Listen to the recording. ")

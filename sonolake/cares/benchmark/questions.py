"""The questions in words: our own text. :func:`question_set` names it, so that answers say what they answer."""

from __future__ import annotations

from sonolake.cares.benchmark.records import Item
from sonolake.errors import InvalidInput
from sonolake.ids import canonical_json, sha256_hex

DEFINITIONS = {
    "pivot": "somebody speaks of the sound, and the conversation turns to it",
    "verbal": "somebody remarks on the sound in passing, and the talk goes on as before",
    "behavioral": "nobody speaks of the sound, but it disturbs the talk: a speaker breaks off, stumbles, starts again, "
    "asks to have something repeated, or changes the voice",
    "ambient": "nobody speaks of the sound and it changes nothing, however loud it is",
}
"""The reaction types as a model is told them (after CARES, section 3.2)."""
_INTRO = "You hear two people talk somewhere, with sounds around them."
_REACTION = (
    f"{_INTRO} At {{at}} s a sound begins. How do the speakers react to it?\n"
    + "\n".join(f"- {name}: {meaning}" for name, meaning in DEFINITIONS.items())
    + '\nAnswer with JSON only: {{"reaction": "pivot", "verbal", "behavioral" or "ambient"}}'
)
_SCENE = (
    f"{_INTRO} Where are they?\n{{options}}\nAnswer with one of the four, copied as it is, and nothing else."
)
_SOUND = (
    f"{_INTRO} Which sound begins at {{at}} s?\n{{options}}\n"
    "Answer with one of the four, copied as it is, and nothing else."
)
_SUMMARY = f"{_INTRO} Describe the recording for somebody who has not heard it, in at most {{budget}} words of prose."
_TEXT_ONLY = "You cannot hear the recording. This is what a speech recogniser wrote down:\n\n{transcript}\n\n{question}"


def question(item: Item, budget: int | None = None) -> str:
    """What a model that hears the item's audio is asked.

    Args:
        item: of any task.
        budget: words of a summary; needed for that task alone.

    Raises:
        InvalidInput: for a summary without budget.
    """
    if item.task == "summary":
        if budget is None:
            raise InvalidInput("budget", "a number of words for a summary", budget)
        return _SUMMARY.format(budget=budget)
    if item.task in ("reactions", "muted"):
        return _REACTION.format(at=f"{item.at_s:.1f}")
    options = "\n".join(f"- {option}" for option in item.options)
    if item.task == "scene":
        return _SCENE.format(options=options)
    return _SOUND.format(at=f"{item.at_s:.1f}", options=options)


def text_only(asked: str, transcript: str) -> str:
    """The same question to a system that reads a transcript instead of hearing."""
    return _TEXT_ONLY.format(transcript=transcript.strip(), question=asked)


def question_set() -> str:
    """Names the wording: the first 12 digits of its hash."""
    return sha256_hex(canonical_json([_REACTION, _SCENE, _SOUND, _SUMMARY, _TEXT_ONLY]).encode())[:12]

"""Answers from a system: a function, or a model that hears behind an endpoint; written as they come.

The file of answers is one that :func:`sonolake.cares.benchmark.read_predictions` reads. A run that ends goes on where
it was, since what is answered there is not asked again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from sonolake.cares.benchmark.predictions import Key, keys_of, read_predictions
from sonolake.cares.benchmark.questions import question, question_set, text_only
from sonolake.cares.benchmark.records import Item
from sonolake.errors import ItemRefused
from sonolake.models.chat import Ask, Asker, Message
from sonolake.scoring import Asked, Said, ask_each, require_own

System = Callable[[Item, str], str]
"""From an item and its question to an answer; raises ``ItemRefused`` where there is none."""
ANSWER_TOKENS = {"reactions": 60, "muted": 60, "scene": 60, "sounds": 60, "summary": 600}


def ask_system(
    items: Sequence[Item], system: System, answers: Path, name: str = "", workers: int = 4
) -> Asked[Key]:
    """Ask for what ``answers`` does not hold yet, and append it.

    Args:
        items: of the benchmark.
        system: what answers.
        answers: JSON lines; made when it is not there.
        name: of the system, written beside each answer.
        workers: questions asked at the same time.

    Raises:
        InvalidInput: when ``answers`` holds another system's.
        LimitReached, Refused, Unreachable: as the system says; what is answered by then is kept.
    """
    own = {"system": name, "question_set": question_set()}
    require_own(answers, own)
    there = set(read_predictions(answers, items).answers) if answers.exists() else set()
    wanted = [(item, key) for item in items for key in keys_of(item)]
    todo = [(item, key) for item, key in wanted if key not in there]

    def about(asked: tuple[Item, Key]) -> Said[Key]:
        item, key = asked
        try:
            return Said({key: system(item, question(item, key[1] or None))})
        except ItemRefused as refused:
            return Said(failures={key: str(refused)})

    said = ask_each(todo, about, answers, lambda key, text: _row(key, text) | own, workers)
    return Asked(len(wanted), len(said.answers), len(wanted) - len(todo), said.failures)


def hearing(asker: Asker, wav_of: Callable[[Item], bytes]) -> System:
    """A model that hears.

    Args:
        asker: the model behind its endpoint.
        wav_of: the audio of an item as a WAV file: of its scene, for the muted control without the item's sound.
    """

    def answer(item: Item, asked: str) -> str:
        return _said(asker, item, asked, wav_of(item))

    return answer


def reading(asker: Asker, transcript_of: Callable[[Item], str]) -> System:
    """The text-only control: a model that never hears, and reads what a recogniser wrote down.

    Args:
        asker: the text model behind its endpoint.
        transcript_of: what the recogniser wrote of an item's scene.
    """

    def answer(item: Item, asked: str) -> str:
        return _said(asker, item, text_only(asked, transcript_of(item)), None)

    return answer


def _said(asker: Asker, item: Item, asked: str, wav: bytes | None) -> str:
    ask = Ask("", (Message("user", asked, wav),), max_tokens=ANSWER_TOKENS[item.task])
    return asker.ask(ask).text


def _row(key: Key, answer: str) -> dict[str, object]:
    item_id, budget = key
    said: dict[str, object] = {"summary": answer, "budget": budget} if budget else {"answer": answer}
    return {"item_id": item_id} | said

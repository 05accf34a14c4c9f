"""Answers from a system: a function, or a model that hears behind an endpoint; written as they come.

The file of answers is one that :func:`sonolake.cares.benchmark.read_predictions` reads. A run that ends goes on where
it was, since what is answered there is not asked again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from sonolake.cares.benchmark.predictions import Key, keys_of, read_predictions
from sonolake.cares.benchmark.questions import question, question_set, text_only
from sonolake.cares.benchmark.records import Item
from sonolake.errors import InvalidInput, ItemRefused
from sonolake.models.chat import Ask, Asker, Message

System = Callable[[Item, str], str]
"""From an item and its question to an answer; raises ``ItemRefused`` where there is none."""
ANSWER_TOKENS = {"reactions": 60, "muted": 60, "scene": 60, "sounds": 60, "summary": 600}


@dataclass(frozen=True)
class Asked:
    """What became of the questions: ``taken = done + already + len(failures)``; failures by key, with their reason."""

    taken: int
    done: int
    already: int
    failures: Mapping[Key, str]


def ask_system(
    items: Sequence[Item], system: System, answers: Path, name: str = "", workers: int = 4
) -> Asked:
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
    _require_own(answers, name)
    there = set(read_predictions(answers, items).answers) if answers.exists() else set()
    wanted = [(item, key) for item in items for key in keys_of(item)]
    todo = [(item, key) for item, key in wanted if key not in there]
    failures: dict[Key, str] = {}
    with answers.open("a", encoding="utf-8", newline="\n") as lines, ThreadPoolExecutor(workers) as pool:
        for first in range(0, len(todo), 4 * workers):
            some = todo[first : first + 4 * workers]
            for (_, key), found in zip(
                some, pool.map(lambda pair: _one(pair[0], pair[1], system), some), strict=True
            ):
                if isinstance(found, ItemRefused):
                    failures[key] = str(found)
                else:
                    lines.write(_line(key, found, name))
                    lines.flush()
    return Asked(len(wanted), len(todo) - len(failures), len(wanted) - len(todo), failures)


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


def _one(item: Item, key: Key, system: System) -> str | ItemRefused:
    try:
        return system(item, question(item, key[1] or None))
    except ItemRefused as refused:
        return refused


def _line(key: Key, answer: str, name: str) -> str:
    item_id, budget = key
    row: dict[str, object] = {"item_id": item_id}
    row |= {"summary": answer, "budget": budget} if budget else {"answer": answer}
    row |= {"system": name, "question_set": question_set()}
    return json.dumps(row, ensure_ascii=False) + "\n"


def _require_own(answers: Path, name: str) -> None:
    """A file of answers is of one system and one wording; a last line that was cut off is taken out."""
    if not answers.exists():
        return
    text = answers.read_bytes()
    whole = text[: text.rfind(b"\n") + 1]
    if len(whole) < len(text):
        answers.write_bytes(whole)
    for number, line in enumerate(whole.splitlines(), 1):
        row = _row(line)
        if (row.get("system"), row.get("question_set")) != (name, question_set()):
            allowed = f"answers of {name!r} to the questions {question_set()}"
            raise InvalidInput(f"{answers.name} line {number}", allowed, line.decode(errors="replace")[:200])


def _row(line: bytes) -> Mapping[str, object]:
    try:
        row = json.loads(line)
    except ValueError:
        return {}
    return row if isinstance(row, dict) else {}


def tasks_of(items: Iterable[Item], tasks: Sequence[str]) -> list[Item]:
    """The items of some tasks."""
    return [item for item in items if item.task in tasks]

"""Tasks: a recording, its transcript without tags, and for gold items the right answer."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sonolake.errors import InvalidInput, NotFound
from sonolake.ids import seed_of
from sonolake.wesr.annotation.editing import marks_in
from sonolake.wesr.tagged import parse, words_of
from sonolake.wesr.writing import without_tags

Times = tuple[tuple[float, float], ...]
"""Start and end of each word, seconds."""


@dataclass(frozen=True)
class Task:
    """One task.

    Attributes:
        name: once in a project.
        audio: a path, relative to the audio folder of the project, or ``media:`` and a hash in its lake.
        text: the transcript, without tags.
        language: BCP-47, or empty.
        times: of the words; empty where they are not known.
        gold: the right tagged text; empty except for items of the qualification.

    Raises:
        InvalidInput: for a text with tags, times of other words, or a gold text of other words or odd tags.
    """

    name: str
    audio: str
    text: str
    language: str = ""
    times: Times = ()
    gold: str = ""

    def __post_init__(self) -> None:
        words = words_of(self.text)
        if any(token.kind in ("point", "open", "close") for token in parse(self.text).tokens):
            raise InvalidInput(f"text of {self.name}", "a transcript without tags", self.text)
        if self.times and len(self.times) != len(words):
            raise InvalidInput(
                f"times of {self.name}", f"one pair for each of {len(words)} words", len(self.times)
            )
        if self.gold:
            marks_in(self.gold, self.text)


def read_tasks(path: Path) -> list[Task]:
    """Tasks of JSON lines: ``audio.path`` or ``audio_path``, ``text`` or ``sentence``, ``id``, ``language``, ``words``
    (start and end of each) and ``gold`` (a tagged text, which may stand for the text as well).

    Raises:
        NotFound: when there is no such file.
        InvalidInput: for a line that is no task, or two tasks of one name.
    """
    if not path.is_file():
        raise NotFound(f"no tasks at {path}")
    tasks: dict[str, Task] = {}
    for number, line in enumerate(path.read_text("utf-8-sig").splitlines(), 1):
        if line.strip():
            task = _task(line, f"{path.name}:{number}")
            if task.name in tasks:
                raise InvalidInput(f"{path.name}:{number}", "a name that is not there yet", task.name)
            tasks[task.name] = task
    return list(tasks.values())


def _task(line: str, where: str) -> Task:
    try:
        row = json.loads(line)
        audio = (
            row["audio"]["path"]
            if isinstance(row.get("audio"), dict)
            else row.get("audio_path", row.get("audio"))
        )
        gold = str(row.get("gold") or "")
        text = row.get("text") or row.get("sentence") or without_tags(gold)
        times = tuple((float(start), float(end)) for start, end in row.get("words") or ())
        return Task(
            str(row.get("id") or audio), str(audio), str(text), str(row.get("language") or ""), times, gold
        )
    except InvalidInput as error:
        raise InvalidInput(where, error.allowed, error.received, error.cause) from None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise InvalidInput(where, "an object with audio.path and text", line[:80]) from None


def blind(tasks: Iterable[Task]) -> list[Task]:
    """Tasks in an order that says nothing about how they were found: by a hash of their name."""
    return sorted(tasks, key=lambda task: (seed_of(task.name, "annotation order"), task.name))


def estimated(text: str, start_s: float, end_s: float) -> Times:
    """Times of the words of a text as if each letter took as long, between the first and the last sound."""
    words = words_of(text)
    lengths = [max(1, len(word)) for word in words]
    total, at = max(1, sum(lengths)), start_s
    found = []
    for length in lengths:
        until = at + (end_s - start_s) * length / total
        found.append((round(at, 3), round(until, 3)))
        at = until
    return tuple(found)


def as_line(task: Task) -> str:
    """A task as a line of a file of tasks."""
    row: Mapping[str, Any] = {
        "id": task.name,
        "audio": {"path": task.audio},
        "text": task.text,
        "language": task.language,
        "words": [list(pair) for pair in task.times],
        "gold": task.gold,
    }
    return json.dumps({key: value for key, value in row.items() if value}, ensure_ascii=False)

"""Filling a file of answers: what is there is not asked again, and each answer is on disk as soon as it has come.

A file is of one system and one wording of the questions; each line says of which.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar

from sonolake.errors import InvalidInput

Key = TypeVar("Key", bound=Hashable)
Thing = TypeVar("Thing")


@dataclass(frozen=True)
class Asked(Generic[Key]):
    """What became of the questions: ``taken = done + already + len(failures)``; failures by key, with their reason."""

    taken: int
    done: int
    already: int
    failures: Mapping[Key, str]


@dataclass
class Said(Generic[Key]):
    """Answers about one thing that were not there, and why others are missing."""

    answers: dict[Key, str] = field(default_factory=dict)
    failures: dict[Key, str] = field(default_factory=dict)


def ask_each(
    things: Sequence[Thing],
    about: Callable[[Thing], Said[Key]],
    answers: Path,
    line: Callable[[Key, str], Mapping[str, object]],
    workers: int,
) -> Said[Key]:
    """Ask about each thing and append what is said; the answers come back too.

    Args:
        things: in the order of the file.
        about: asks; its own errors end the run, and what is answered by then is kept.
        answers: JSON lines; made when it is not there.
        line: the object of an answer.
        workers: things asked about at the same time.
    """
    whole: Said[Key] = Said()
    with answers.open("a", encoding="utf-8", newline="\n") as lines, ThreadPoolExecutor(workers) as pool:
        for first in range(0, len(things), 4 * workers):
            for said in pool.map(about, things[first : first + 4 * workers]):
                for key, text in said.answers.items():
                    lines.write(json.dumps(line(key, text), ensure_ascii=False) + "\n")
                lines.flush()
                whole.answers |= said.answers
                whole.failures |= said.failures
    return whole


def require_own(answers: Path, own: Mapping[str, str]) -> None:
    """Let a file of answers pass whose every line has the fields ``own``; a last line that was cut off is taken out.

    Args:
        answers: JSON lines; it need not be there.
        own: ``system`` with its name, and the version of the questions under the name that the lines have it by.

    Raises:
        InvalidInput: with the line that is of another system, or answers other questions.
    """
    if not answers.exists():
        return
    text = answers.read_bytes()
    whole = text[: text.rfind(b"\n") + 1]
    if len(whole) < len(text):
        answers.write_bytes(whole)
    name, version = own.values()
    for number, line in enumerate(whole.splitlines(), 1):
        if _fields(line, own) != own:
            allowed = f"answers of {name!r} to the questions {version}"
            raise InvalidInput(f"{answers.name} line {number}", allowed, line.decode(errors="replace")[:200])


def _fields(line: bytes, names: Mapping[str, str]) -> dict[str, object]:
    try:
        row = json.loads(line)
    except ValueError:
        return {}
    return {name: row.get(name) for name in names} if isinstance(row, dict) else {}

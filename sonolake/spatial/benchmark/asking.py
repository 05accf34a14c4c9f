"""Answers of a model behind an endpoint, both stages, written as they come.

The file of answers is one that :func:`~sonolake.spatial.benchmark.predictions.read_predictions` reads. A run that ends
goes on where it was, since what is answered there is not asked again; stage 1 is asked once for all contexts.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from sonolake.errors import InvalidInput, ItemRefused
from sonolake.models.chat import Ask, Asker, Message
from sonolake.spatial.benchmark import prompt
from sonolake.spatial.benchmark.audio import Hear
from sonolake.spatial.benchmark.predictions import Key, Predictions, read_predictions
from sonolake.spatial.benchmark.records import Record


@dataclass(frozen=True)
class System:
    """Who is asked, and how.

    Attributes:
        name: written beside each answer; a file holds one system's.
        asker: the model behind its endpoint.
        hear: what it hears of a record.
        contexts: in which stage 2 is asked.
        tokens: of an answer at most (the paper: 48).
    """

    name: str
    asker: Asker
    hear: Hear
    contexts: tuple[str, ...] = ("predicted",)
    tokens: int = 300


@dataclass(frozen=True)
class Asked:
    """What became of the questions: ``taken = done + already + len(failures)``; failures by key, with their reason."""

    taken: int
    done: int
    already: int
    failures: Mapping[Key, str]


@dataclass
class _Said:
    """Answers to a record's questions that were not there, and why others are missing."""

    answers: dict[Key, str] = field(default_factory=dict)
    failures: dict[Key, str] = field(default_factory=dict)


def ask_system(records: Sequence[Record], system: System, answers: Path, workers: int = 4) -> Asked:
    """Ask for what ``answers`` does not hold yet, and append it.

    Args:
        records: of the benchmark.
        system: what answers.
        answers: JSON lines; made when it is not there.
        workers: records asked about at the same time.

    Raises:
        InvalidInput: when ``answers`` holds another system's, or answers to other wordings.
        LimitReached, Refused, Unreachable: as the model says; what is answered by then is kept.
    """
    _require_own(answers, system.name)
    there = read_predictions(answers, records) if answers.exists() else Predictions({})
    wanted = {key for record in records for key in _keys(record, system.contexts)}
    todo = [r for r in records if any(key not in there.answers for key in _keys(r, system.contexts))]
    done = 0
    failures: dict[Key, str] = {}
    with answers.open("a", encoding="utf-8", newline="\n") as lines, ThreadPoolExecutor(workers) as pool:
        for batch in _batches(todo, 4 * workers):
            for said in pool.map(lambda record: _about(record, system, there), batch):
                lines.writelines(_line(key, text, system.name) for key, text in said.answers.items())
                lines.flush()
                done, failures = done + len(said.answers), failures | said.failures
    return Asked(len(wanted), done, len(wanted) - done - len(failures), failures)


def _keys(record: Record, contexts: Sequence[str]) -> Iterator[Key]:
    yield record.stage_1.question_id, ""
    for context in contexts:
        yield record.stage_2.question_id, context


def _batches(records: Sequence[Record], size: int) -> Iterator[Sequence[Record]]:
    for first in range(0, len(records), size):
        yield records[first : first + size]


def _about(record: Record, system: System, there: Predictions) -> _Said:
    """Answers to both stages; stage 2 in predicted context needs an answer to stage 1."""
    said = _Said()
    keys = [key for key in _keys(record, system.contexts) if key not in there.answers]
    try:
        wav = system.hear(record)
    except ItemRefused as refused:
        return _Said(failures=dict.fromkeys(keys, str(refused)))
    first = there.stage_1(record, "predicted")
    for key in keys:
        context = key[1]
        try:
            if not context:
                messages = prompt.stage_1(record, wav)
            elif context == "predicted" and first is None:
                raise ItemRefused("no_answer", "stage 1 has none")
            else:
                messages = prompt.stage_2(record, wav, context, first or "")
            said.answers[key] = _asked(system, messages)
        except ItemRefused as refused:
            said.failures[key] = str(refused)
        first = said.answers.get((record.stage_1.question_id, ""), first)
    return said


def _asked(system: System, messages: tuple[Message, ...]) -> str:
    return system.asker.ask(Ask("", messages, max_tokens=system.tokens)).text


def _line(key: Key, answer: str, name: str) -> str:
    question_id, context = key
    row = {"question_id": question_id, "answer": answer, **({"context": context} if context else {})}
    return json.dumps(row | {"system": name, "prompts": prompt.prompts_id()}, ensure_ascii=False) + "\n"


def _require_own(answers: Path, name: str) -> None:
    """A file of answers is of one system and one wording; a last line that was cut off is taken out."""
    if not answers.exists():
        return
    text = answers.read_bytes()
    whole = text[: text.rfind(b"\n") + 1]
    if len(whole) < len(text):
        answers.write_bytes(whole)
    for number, line in enumerate(whole.splitlines(), 1):
        try:
            row = json.loads(line)
            own = (row["system"], row["prompts"]) == (name, prompt.prompts_id())
        except (ValueError, LookupError, TypeError):
            own = False
        if not own:
            allowed = f"answers of {name!r} to the questions {prompt.prompts_id()}"
            raise InvalidInput(f"{answers.name} line {number}", allowed, line.decode(errors="replace")[:200])

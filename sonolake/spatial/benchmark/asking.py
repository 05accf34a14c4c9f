"""Answers of a model behind an endpoint, both stages, written as they come.

The file of answers is one that :func:`~sonolake.spatial.benchmark.predictions.read_predictions` reads. A run that ends
goes on where it was, since what is answered there is not asked again; stage 1 is asked once for all contexts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sonolake.errors import ItemRefused
from sonolake.models.chat import Ask, Asker, Message
from sonolake.scoring import Asked, Said, ask_each, require_own
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


def ask_system(records: Sequence[Record], system: System, answers: Path, workers: int = 4) -> Asked[Key]:
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
    own = {"system": system.name, "prompts": prompt.prompts_id()}
    require_own(answers, own)
    there = read_predictions(answers, records) if answers.exists() else Predictions({})
    wanted = {key for record in records for key in keys(record, system.contexts)}
    todo = [r for r in records if any(key not in there.answers for key in keys(r, system.contexts))]
    said = ask_each(
        todo,
        lambda record: _about(record, system, there),
        answers,
        lambda key, text: line(key, text) | own,
        workers,
    )
    done = len(said.answers)
    return Asked(len(wanted), done, len(wanted) - done - len(said.failures), said.failures)


def keys(record: Record, contexts: Sequence[str]) -> Iterator[Key]:
    """Stage 1 once, then stage 2 in each context."""
    yield record.stage_1.question_id, ""
    for context in contexts:
        yield record.stage_2.question_id, context


def _about(record: Record, system: System, there: Predictions) -> Said[Key]:
    """Answers to both stages; stage 2 in predicted context needs an answer to stage 1."""
    said: Said[Key] = Said()
    lacking = [key for key in keys(record, system.contexts) if key not in there.answers]
    try:
        wav = system.hear(record)
    except ItemRefused as refused:
        return Said(failures=dict.fromkeys(lacking, str(refused)))
    first = there.stage_1(record, "predicted")
    for key in lacking:
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


def line(key: Key, answer: str) -> dict[str, object]:
    """An answer as a line of a file of predictions has it."""
    question_id, context = key
    return {"question_id": question_id, "answer": answer, **({"context": context} if context else {})}

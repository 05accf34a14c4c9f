"""What the tasks of RMS-AQA call: a row has ``prompt``, ``second`` (after stage 1), ``audio``, answers and letters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sonolake.releases.exports.harness.common import sound
from sonolake.spatial.benchmark.reading import read_answer


def process_stage(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, Any]:
    """An answer to one question: 1 when it is right; missing and unreadable ones are wrong."""
    return {"accuracy": right(results[0] if results else "", doc["letters"], doc["answer"])}


def process_both(doc: Mapping[str, Any], results: Sequence[Sequence[str]]) -> dict[str, Any]:
    """Answers to stage 1 and stage 2 of one conversation."""
    given = [*(results[0] if results else ()), "", ""]
    first = right(given[0], doc["letters_1"], doc["answer_1"])
    second = right(given[1], doc["letters"], doc["answer"])
    return {"stage_1": first, "stage_2": second, "grounded": first * second}


def right(said: str, letters: str, answer: str) -> float:
    """1 when the letter that is read is the right one, else 0."""
    return float(read_answer(said, letters) == answer)


def mean(values: Sequence[float]) -> float:
    """The mean, 0 of none."""
    return sum(values) / max(1, len(values))


def conversation(
    doc: Mapping[str, Any],
    lmms_eval_specific_kwargs: Mapping[str, Any] | None = None,
    previous_output: Sequence[str] | None = None,
    round_idx: int | None = None,
    previous_round_info: Any = None,
) -> Any:
    """The prompt of stage 1; then, once that is answered, what is heard and asked in stage 2; then the end.

    After the first round the harness expects sounds, prompt, whether it is the end, the answers so far, and notes.
    """
    if round_idx is None:
        return doc["prompt"]
    answers = list(previous_output or ())
    if round_idx > 1:
        return None, None, True, answers, None
    said = " ".join(str(answers[-1] if answers else "").split())
    text = f"{doc['prompt']}\n\n{said}\n\n{doc['second']}"
    return sound(doc, lmms_eval_specific_kwargs), text, False, answers, None


NAMES = ("process_stage", "process_both", "mean", "conversation")

"""Asking a model for answers to two-stage questions before they are scored."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import typer

from sonolake.spatial.benchmark import Record
from sonolake.spatial.benchmark.audio import Hear


def ask_for(
    records: Sequence[Record],
    answers: Path,
    spec: str,
    form: str,
    hear: Hear,
    contexts: tuple[str, ...],
    tokens: int,
) -> int:
    """Append what a model answers to the questions that ``answers`` lacks; how many stay without an answer."""
    from sonolake.models.chat import Asker, chat_model
    from sonolake.spatial.benchmark.asking import System, ask_system

    model = chat_model(spec)
    system = System(f"{model.model} {form}", Asker(model), hear, contexts, tokens)
    try:
        asked = ask_system(records, system, answers)
    finally:
        model.close()
    for (question_id, context), why in list(asked.failures.items())[:20]:
        typer.echo(f"{question_id} {context}: no answer: {why}", err=True)
    counts = f"{asked.done} answered, {asked.already} there before, {len(asked.failures)} without an answer"
    typer.echo(f"asked {spec}: {counts}", err=True)
    return len(asked.failures)

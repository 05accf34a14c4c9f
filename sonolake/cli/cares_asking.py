"""Asking a model for answers to the CARES benchmark before they are scored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import typer

from sonolake.cares.benchmark import Item
from sonolake.errors import ItemRefused


def ask_for(
    release: Path,
    items: Sequence[Item],
    answers: Path,
    spec: str,
    transcripts: Path | None,
) -> int:
    """Append what a model answers to the questions that ``answers`` lacks; how many stay without an answer.

    With ``transcripts`` the model reads them and hears nothing: the text-only control.
    """
    from sonolake.cares.benchmark.asking import ask_system, hearing, reading
    from sonolake.cares.benchmark.audio import audio_of, has_muted
    from sonolake.models.chat import Asker, chat_model

    model = chat_model(spec)
    asker = Asker(model)
    read = reading(asker, _transcripts(transcripts)) if transcripts else None
    system = read or hearing(asker, audio_of(release))
    wanted = [item for item in items if item.task != "muted" or (read is None and has_muted(release))]
    try:
        asked = ask_system(wanted, system, answers, f"{model.model} {'text' if transcripts else 'audio'}")
    finally:
        model.close()
    for (item_id, _), why in list(asked.failures.items())[:20]:
        typer.echo(f"{item_id}: no answer: {why}", err=True)
    typer.echo(f"asked {spec}: {asked.done} answered, {asked.already} there before", err=True)
    return len(asked.failures)


def _transcripts(path: Path) -> Callable[[Item], str]:
    from sonolake.cares.validation import read_transcripts

    found = read_transcripts(path)

    def of(item: Item) -> str:
        if item.scene_id not in found:
            raise ItemRefused("missing", f"no transcript of {item.scene_id}")
        return found[item.scene_id]

    return of

"""Asking a model for answers to the CARES benchmark before they are scored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from sonolake.cares.benchmark import Item
from sonolake.errors import ItemRefused

if TYPE_CHECKING:
    from numpy.typing import NDArray


def ask_for(
    release: Path,
    items: Sequence[Item],
    answers: Path,
    spec: str,
    transcripts: Path | None,
    recogniser: str | None = None,
) -> int:
    """Append what a model answers to the questions that ``answers`` lacks; how many stay without an answer.

    With ``transcripts`` the model reads them and hears nothing: the text-only control. A recogniser first writes those
    that are missing there.
    """
    from sonolake.cares.benchmark.asking import ask_system, hearing, reading
    from sonolake.cares.benchmark.audio import audio_of, has_muted
    from sonolake.models.chat import Asker, chat_model

    model = chat_model(spec)
    asker = Asker(model)
    if transcripts and recogniser:
        _transcribe(release, items, recogniser, transcripts)
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


def _transcribe(release: Path, items: Sequence[Item], spec: str, kept: Path) -> None:
    """Let a recogniser hear the scenes of the questions, and append what it hears to ``kept``."""
    from sonolake.audio.decode import decode
    from sonolake.cares.benchmark.audio import audio_of
    from sonolake.cares.validation import hear_all
    from sonolake.models.endpoints.specs import recogniser

    wav, model = audio_of(release), recogniser(spec)
    scenes = {item.scene_id: item for item in items if item.task != "muted"}

    def sound(item: Item) -> tuple[NDArray[Any], int]:
        decoded = decode(wav(item))
        return decoded.samples[:, 0], decoded.sample_rate

    sounds = ((scene_id, partial(sound, item)) for scene_id, item in scenes.items())
    hear_all(sounds, lambda x, rate: model.transcribe(x, rate, "en").text, kept)


def _transcripts(path: Path) -> Callable[[Item], str]:
    from sonolake.cares.validation import read_transcripts

    found = read_transcripts(path)

    def of(item: Item) -> str:
        if item.scene_id not in found:
            raise ItemRefused("missing", f"no transcript of {item.scene_id}")
        return found[item.scene_id]

    return of

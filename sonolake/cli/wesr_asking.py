"""Asking a model for transcripts before they are scored."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import typer


def ask_for(
    reference: Path,
    hypotheses: Sequence[Path],
    model: str | None,
    url: str | None,
    audio: Path | None,
    key_from: str,
) -> int:
    """Fill the one hypothesis file with a model's answers, if there is a model; how many utterances have none."""
    if model is None:
        return 0
    if url is None or audio is None:
        raise typer.BadParameter("needs --endpoint URL and --audio FOLDER", param_hint="--ask")
    if len(hypotheses) != 1:
        raise typer.BadParameter("fills one --hypothesis file", param_hint="--ask")
    from sonolake.errors import NotFound
    from sonolake.wesr.asking import ask
    from sonolake.wesr.endpoint import Endpoint
    from sonolake.wesr.predictions import Entry, read

    if not audio.is_dir():
        raise NotFound(f"no folder {audio} with recordings")
    names = [entry.utterance_id for entry in read(reference) if isinstance(entry, Entry)]
    with Endpoint(url, model, os.environ.get(key_from, "")) as endpoint:
        asked = ask(dict.fromkeys(names), audio, endpoint, hypotheses[0])
    for name, why in asked.failures.items():
        typer.echo(f"{name}: {why}", err=True)
    counts = (
        f"{asked.done:,} answered, {asked.already:,} there already, {len(asked.failures):,} without an answer"
    )
    typer.echo(f"{model}: {counts}", err=True)
    return len(asked.failures)

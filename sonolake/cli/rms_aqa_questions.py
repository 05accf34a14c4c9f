"""Two-stage questions themselves: what they give away, and in the published layout."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import typer

from sonolake.cli.printing import show_json
from sonolake.spatial.benchmark import Record


def show_blindness(records: Sequence[Record], text_only: Path | None, as_json: bool) -> int:
    """Print what predictors that hear nothing reach; how many judged tests beat chance."""
    from sonolake.spatial.benchmark import read_predictions
    from sonolake.spatial.benchmark.blindness import TEXT_MODEL, answers_of, blindness, table, verdict

    told = {TEXT_MODEL: answers_of(read_predictions(text_only, records), records)} if text_only else None
    findings = blindness(records, told)
    beats = [f for f in findings if f.beats]
    if as_json:
        show_json([{**vars(f), "accuracy": f.accuracy} for f in findings])
        return len(beats)
    typer.echo(table(findings), nl=False)
    typer.echo(verdict(findings))
    return len(beats)


def write_published(
    records: Sequence[Record], place: Path, split: str, audio: Path | None, folder: Path
) -> int:
    """Write the questions, and the clips where they are at hand; how many clips could not be written."""
    from sonolake.errors import ItemRefused
    from sonolake.spatial.benchmark.audio import hearing
    from sonolake.spatial.benchmark.files import CONFIG
    from sonolake.spatial.benchmark.published import audio_path, published_files

    folder.mkdir(parents=True, exist_ok=True)
    for name, content in published_files(records).items():
        (folder / name).write_bytes(content)
    if audio is None and not (place / CONFIG).is_dir() and not any(record.audio for record in records):
        return 0
    hear, failed = hearing(place, "four", split, audio), 0
    for record in {record.clip_id: record for record in records}.values():
        try:
            data = hear(record) or b""
        except ItemRefused as refused:
            failed += 1
            typer.echo(f"{record.clip_id}: not written: {refused}", err=True)
            continue
        path = folder / audio_path(record)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return failed

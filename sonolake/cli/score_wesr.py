"""``sonolake score wesr``."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sonolake.cli.opening import JsonOption
from sonolake.cli.printing import show_json
from sonolake.cli.score_options import TableStyle, named_paths

if TYPE_CHECKING:
    from sonolake.cli.wesr_mistakes import MistakeFile
    from sonolake.wesr.reading import Reading
    from sonolake.wesr.scorefiles import FileScores


class ReadingName(StrEnum):
    """Readings of the protocol."""

    PAPER = "paper"
    COMPAT = "compat"


def wesr(
    reference: Annotated[
        Path, typer.Option("--reference", metavar="PATH", help="Tagged transcripts that are right.")
    ],
    hypothesis: Annotated[
        list[str],
        typer.Option(
            "--hypothesis",
            "-h",
            metavar="[NAME=]PATH",
            help="Those to score; several for a table of systems.",
        ),
    ],
    reading: Annotated[
        ReadingName,
        typer.Option("--reading", help="The paper's protocol, or the published evaluator as it is."),
    ] = ReadingName.PAPER,
    resamples: Annotated[
        int, typer.Option("--resamples", min=0, help="Of the bootstrap, for 95 % intervals; 0 for none.")
    ] = 1000,
    errors: Annotated[
        Path | None,
        typer.Option("--errors", metavar="FILE", help="Write every mistake: .tsv, or .jsonl."),
    ] = None,
    style: Annotated[
        TableStyle | None, typer.Option("--table", help="Print the paper's tables 4 and 8 for a document.")
    ] = None,
    exact_characters: Annotated[
        bool, typer.Option("--exact-characters", help="Chinese homophones differ.")
    ] = False,
    split_words: Annotated[
        bool, typer.Option("--split-words", help="Punctuation parts words: well-known is two.")
    ] = False,
    fold_names: Annotated[
        bool, typer.Option("--fold-names", help="Tags go by the taxonomy's names: [laugh] is [laughs].")
    ] = False,
    model: Annotated[
        str | None,
        typer.Option("--ask", metavar="MODEL", help="First ask a model for what the hypothesis file lacks."),
    ] = None,
    endpoint: Annotated[
        str | None, typer.Option("--endpoint", metavar="URL", help="Its OpenAI-compatible endpoint, to …/v1.")
    ] = None,
    audio: Annotated[
        Path | None, typer.Option("--audio", metavar="FOLDER", help="The references' recordings.")
    ] = None,
    key_from: Annotated[
        str, typer.Option("--key-from", metavar="VARIABLE", help="Environment variable with the key.")
    ] = "OPENAI_API_KEY",
    as_json: JsonOption = False,
) -> None:
    """Score tagged transcripts: JSON lines with audio.path and sentence."""
    from sonolake.cli.wesr_asking import ask_for
    from sonolake.cli.wesr_mistakes import MistakeFile
    from sonolake.cli.wesr_scores import show_scores, show_tables
    from sonolake.wesr.reading import Reading
    from sonolake.wesr.scoretables import as_json as score_json
    from sonolake.wesr.scoretext import Options

    how = Reading(reading.value, Options(exact_characters, split_words, fold_names))
    named = named_paths(hypothesis, "--hypothesis")
    failed = ask_for(reference, list(named.values()), model, endpoint, audio, key_from)
    with MistakeFile(errors, how.options) as mistakes:
        found = {
            name: _scored(name, reference, path, how, resamples, mistakes) for name, path in named.items()
        }
    if as_json:
        made = {name: score_json(one.scores) for name, one in found.items()}
        show_json(made if len(made) > 1 else next(iter(made.values())))
    elif style:
        show_tables({name: one.scores for name, one in found.items()}, style.value)
    else:
        for name, one in found.items():
            show_scores(name if len(found) > 1 else None, one, mistakes.tally(name))
    if failed or any(one.unreadable_count for one in found.values()):
        raise typer.Exit(1)


def _scored(
    name: str, reference: Path, path: Path, how: Reading, resamples: int, mistakes: MistakeFile
) -> FileScores:
    from sonolake.wesr.scorefiles import score_files

    made = score_files(reference, path, how, resamples, mistakes.watching(name))
    for one in made.unreadable:
        typer.echo(f"{one.where}: not read: {one.why}", err=True)
    if made.unreadable_count:
        typer.echo(f"{path}: {made.unreadable_count} not read, scored as missing", err=True)
    return made

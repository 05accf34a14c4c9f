"""``sonolake score rms-aqa``."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sonolake.cli.opening import JsonOption
from sonolake.cli.printing import show_json
from sonolake.cli.score_options import TableStyle, named_paths

if TYPE_CHECKING:
    from sonolake.spatial.benchmark import Record, Scorecard


class Split(StrEnum):
    """Splits of a release."""

    TRAIN = "train"
    VALIDATION = "validation"
    TEST = "test"


class Form(StrEnum):
    """What a model hears."""

    W = "w"
    STEREO = "stereo"
    FOUR = "four"
    NOTHING = "nothing"


class Context(StrEnum):
    """What stage 2 is asked after."""

    NO = "no"
    PREDICTED = "predicted"
    ORACLE = "oracle"


ContextsOption = Annotated[
    list[Context] | None,
    typer.Option("--context", help="What it is shown of stage 1 in stage 2; may be given several times."),
]
AudioOption = Annotated[
    Path | None,
    typer.Option("--audio", metavar="FOLDER", help="The clips, four channels; else the release's."),
]


def rms_aqa(
    benchmark: Annotated[
        Path,
        typer.Option("--benchmark", metavar="PATH", help="A release, or questions in the published layout."),
    ],
    predictions: Annotated[
        list[str] | None,
        typer.Option(
            "--predictions",
            "-p",
            metavar="[NAME=]PATH",
            help="JSON lines, or the published layout; several for a table.",
        ),
    ] = None,
    split: Annotated[Split, typer.Option("--split", help="Of the release.")] = Split.TEST,
    resamples: Annotated[
        int, typer.Option("--resamples", min=0, help="Of the bootstrap, for 95 % intervals; 0 for none.")
    ] = 2000,
    style: Annotated[
        TableStyle | None, typer.Option("--table", help="Print tables like the paper's for a document.")
    ] = None,
    figures: Annotated[
        Path | None, typer.Option("--figures", metavar="FOLDER", help="Write figures as SVG.")
    ] = None,
    model: Annotated[
        str | None,
        typer.Option("--ask", metavar="MODEL", help="First ask a model for what the file lacks."),
    ] = None,
    form: Annotated[Form, typer.Option("--hear", help="What the model is sent of a clip.")] = Form.W,
    contexts: ContextsOption = None,
    audio: AudioOption = None,
    tokens: Annotated[int, typer.Option("--tokens", min=1, help="Of an answer at most.")] = 300,
    blind: Annotated[
        bool,
        typer.Option(
            "--blindness", help="Print what can be answered without listening; status 1 if any can."
        ),
    ] = False,
    text_only: Annotated[
        Path | None,
        typer.Option(
            "--text-only", metavar="PATH", help="Answers of a model without sound, for --blindness."
        ),
    ] = None,
    export: Annotated[
        Path | None,
        typer.Option("--export", metavar="FOLDER", help="Write questions and clips in the published layout."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Score answers to two-stage questions: JSON lines with question_id, answer and perhaps stage1."""
    from sonolake.spatial.benchmark import read_records

    records = read_records(benchmark, split.value)
    named = named_paths(predictions or [], "--predictions")
    if not (named or blind or export):
        raise typer.BadParameter("needed, or --blindness, or --export", param_hint="--predictions")
    failed = 0
    if export is not None:
        from sonolake.cli.rms_aqa_questions import write_published

        failed += write_published(records, benchmark, split.value, audio, export)
    if blind:
        from sonolake.cli.rms_aqa_questions import show_blindness

        failed += show_blindness(records, text_only, as_json)
    if model is not None:
        if len(named) != 1:
            raise typer.BadParameter("one file of predictions, to be filled", param_hint="--ask")
        from sonolake.cli.rms_aqa_asking import ask_for
        from sonolake.spatial.benchmark.audio import hearing

        hear = hearing(benchmark, form.value, split.value, audio)
        asked = tuple(dict.fromkeys(context.value for context in contexts or [Context.PREDICTED]))
        failed += ask_for(records, next(iter(named.values())), model, form.value, hear, asked, tokens)
    cards, troubles = _cards(records, named, resamples)
    if cards and figures is not None:
        _draw(cards, figures)
    if cards:
        _show(cards, style, as_json)
    if failed or troubles:
        raise typer.Exit(1)


def _cards(
    records: tuple[Record, ...], named: dict[str, Path], resamples: int
) -> tuple[list[Scorecard], int]:
    """A scorecard a system, and how many predictions were not taken."""
    from sonolake.spatial.benchmark import read_predictions, score

    cards, troubles = [], 0
    for name, path in named.items():
        read = read_predictions(path, records)
        for one in read.troubles[:20]:
            typer.echo(f"{path}, {one.where}: not taken: {one.why}", err=True)
        troubles += len(read.troubles)
        cards.append(score(name, records, read, resamples))
    if troubles:
        typer.echo(f"{troubles} predictions not taken", err=True)
    return cards, troubles


def _show(cards: list[Scorecard], style: TableStyle | None, as_json: bool) -> None:
    from sonolake.cli.rms_aqa_scores import show_card
    from sonolake.spatial.benchmark.tables import as_json as card_json
    from sonolake.spatial.benchmark.tables import rendered

    if as_json:
        made = {card.system: card_json(card) for card in cards}
        show_json(made if len(made) > 1 else next(iter(made.values())))
    elif style:
        typer.echo(rendered(cards, style.value), nl=False)
    else:
        for card in cards:
            show_card(card)


def _draw(cards: list[Scorecard], folder: Path) -> None:
    from sonolake.spatial.benchmark.figures import figures

    folder.mkdir(parents=True, exist_ok=True)
    for name, drawing in figures(cards).items():
        (folder / f"{name}.svg").write_text(drawing, encoding="utf-8")

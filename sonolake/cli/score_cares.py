"""``sonolake score cares``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sonolake.cli.opening import JsonOption
from sonolake.cli.printing import show_json
from sonolake.cli.score_options import TableStyle, named_paths

if TYPE_CHECKING:
    from sonolake.cares.benchmark import Item, Scorecard
    from sonolake.cares.benchmark.judging import Judge


def cares(
    benchmark: Annotated[
        Path,
        typer.Option("--benchmark", metavar="FOLDER", help="A release, or a folder with the items' files."),
    ],
    predictions: Annotated[
        list[str],
        typer.Option("--predictions", "-p", metavar="[NAME=]FILE", help="JSON lines; several for a table."),
    ],
    control: Annotated[
        str | None,
        typer.Option("--control", metavar="NAME", help="The text-only one: mark what is higher than it."),
    ] = None,
    judge: Annotated[
        str | None,
        typer.Option(
            "--judge", metavar="MODEL", help="A chat model judges summaries; else names are matched."
        ),
    ] = None,
    with_nature: Annotated[
        bool, typer.Option("--with-nature", help="Count sounds whose nature alone a summary names.")
    ] = False,
    resamples: Annotated[
        int, typer.Option("--resamples", min=0, help="Of the bootstrap, for 95 % intervals; 0 for none.")
    ] = 2000,
    style: Annotated[
        TableStyle | None, typer.Option("--table", help="Print the paper's table 1 for a document.")
    ] = None,
    model: Annotated[
        str | None,
        typer.Option("--ask", metavar="MODEL", help="First ask a model for what the file lacks."),
    ] = None,
    transcripts: Annotated[
        Path | None,
        typer.Option(
            "--transcripts", metavar="FILE", help="Ask from these, without sound: scene_id and text."
        ),
    ] = None,
    recogniser: Annotated[
        str | None,
        typer.Option("--recogniser", metavar="MODEL", help="Hears the scenes that --transcripts lacks."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Score answers to the CARES benchmark: JSON lines with item_id and answer, or summary and budget."""
    from sonolake.cares.benchmark import read_items, read_predictions, score_system

    items = read_items(benchmark)
    named = named_paths(predictions, "--predictions")
    if control is not None and control not in named:
        raise typer.BadParameter(f"one of {', '.join(named)}, not {control!r}", param_hint="--control")
    if recogniser and not (model and transcripts):
        raise typer.BadParameter("it goes with --ask and --transcripts", param_hint="--recogniser")
    failed = _ask(benchmark, items, named, model, transcripts, recogniser)
    judges = _judge(judge)
    cards, troubles = {}, 0
    for name, path in named.items():
        read = read_predictions(path, items)
        for one in read.troubles[:20]:
            typer.echo(f"{path}:{one.line}: not taken: {one.why}", err=True)
        troubles += len(read.troubles)
        cards[name] = score_system(name, items, read, judges, resamples, with_nature)
    if troubles:
        typer.echo(f"{troubles} lines not taken", err=True)
    _show(cards, control, resamples, style, as_json)
    if failed or troubles:
        raise typer.Exit(1)


def _show(
    cards: dict[str, Scorecard], control: str | None, resamples: int, style: TableStyle | None, as_json: bool
) -> None:
    from sonolake.cares.benchmark.scorecard import better_than
    from sonolake.cares.benchmark.tables import as_json as card_json
    from sonolake.cares.benchmark.tables import latex, markdown
    from sonolake.cli.cares_scores import show_card

    if as_json:
        made = {name: card_json(card) for name, card in cards.items()}
        show_json(made if len(made) > 1 else next(iter(made.values())))
        return
    if style:
        others = {name: card for name, card in cards.items() if control is not None and name != control}
        better = {name: better_than(card, cards[str(control)], resamples) for name, card in others.items()}
        table = markdown if style is TableStyle.MARKDOWN else latex
        typer.echo(table(list(cards.values()), better), nl=False)
        return
    for card in cards.values():
        show_card(card)


def _judge(spec: str | None) -> Judge:
    from sonolake.cares.benchmark import LiteralMatcher

    if spec is None:
        return LiteralMatcher()
    from sonolake.cares.benchmark.chat_judge import ChatJudge
    from sonolake.models.chat import Asker, chat_model

    return ChatJudge(Asker(chat_model(spec)))


def _ask(
    release: Path,
    items: Sequence[Item],
    named: dict[str, Path],
    model: str | None,
    transcripts: Path | None,
    recogniser: str | None,
) -> int:
    """Ask a model for what the one file of predictions lacks; how many questions stay without an answer."""
    if model is None:
        return 0
    if len(named) != 1:
        raise typer.BadParameter("one file of predictions, to be filled", param_hint="--ask")
    from sonolake.cli.cares_asking import ask_for

    return ask_for(release, items, next(iter(named.values())), model, transcripts, recogniser)

"""A scorecard of two-stage questions for a person."""

from __future__ import annotations

from collections.abc import Mapping

import typer

from sonolake.cli.grid import grid
from sonolake.scoring.bootstrap import Score
from sonolake.spatial.benchmark import Accuracy, Scorecard
from sonolake.spatial.benchmark.tables import BREAKDOWNS
from sonolake.spatial.dimensions import DIMENSIONS

_HEADS = ("", "records", "stage 1 %", "stage 2 %", "grounded %")


def show_card(card: Scorecard) -> None:
    """Print a card in percent with 95 % intervals."""
    lost = f"{card.missing} answers missing, {card.unreadable} unreadable, all of them wrong"
    typer.echo(f"{card.system}: {card.n} records, {card.context} context; {lost}")
    rows = [_row("all", card.overall)]
    rows += [_row(f"  {DIMENSIONS[name]}", one) for name, one in card.per_dimension.items()]
    for field, title in BREAKDOWNS.items():
        groups: Mapping[str, Accuracy] = getattr(card, field)
        rows += [_row(f"  {title.lower()}: {name}", one) for name, one in groups.items()]
    if len(card.contexts) > 1:
        rows += [_row(f"  {name} context", one) for name, one in card.contexts.items()]
    for line in grid(_HEADS, rows):
        typer.echo(f"  {line}")


def _row(label: str, accuracy: Accuracy) -> list[str | int]:
    scores = (accuracy.stage_1, accuracy.stage_2, accuracy.grounded)
    return [label, accuracy.n, *map(_percent, scores)]


def _percent(score: Score) -> str:
    return f"{100 * score.value:.1f} [{100 * score.low:.1f}, {100 * score.high:.1f}]"

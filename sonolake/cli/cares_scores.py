"""A scorecard of CARES for a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from sonolake.cli.grid import grid

if TYPE_CHECKING:
    from sonolake.cares.benchmark import Scorecard
    from sonolake.scoring.bootstrap import Score


def show_card(card: Scorecard) -> None:
    """Print a card, task by task, in percent with 95 % intervals."""
    typer.echo(card.system)
    rows = []
    for task, found in (
        ("reactions (balanced)", card.reactions),
        ("scene", card.scene),
        ("sounds", card.sounds),
    ):
        if found:
            lost = f"{found.missing} missing, {found.unreadable} unreadable of {found.n}"
            rows.append([task, _percent(found.overall), lost])
    if card.reactions:
        for name, one in card.reactions.per_class.items():
            said = f"precision {100 * one.precision.value:.1f}, F1 {100 * one.f1.value:.1f}, {one.n} items"
            rows.append([f"  {name} recall", _percent(one.recall), said])
    for budget, summary in card.summaries.items():
        lost = f"{summary.missing} missing, {summary.too_long} too long of {summary.n}; {summary.judge}"
        rows.append([f"summary, {budget} words", _percent(summary.overall), lost])
        rows += [[f"  {n} recall", _percent(s), ""] for n, s in summary.per_class.items()]
    if card.muted:
        said = f"McNemar p {card.muted.p:.3g}, {card.muted.only_with} against {card.muted.only_without}"
        rows.append(["sound less muted", _percent(card.muted.change), f"{said}, {card.muted.n} pairs"])
    for line in grid(["task", "percent", ""], rows, whole_last=True):
        typer.echo(f"  {line}")


def _percent(score: Score) -> str:
    return f"{100 * score.value:.1f} [{100 * score.low:.1f}, {100 * score.high:.1f}]"

"""A plan of a run with a chat model, for a person."""

from __future__ import annotations

import typer

from sonolake.cares.records import Utterance
from sonolake.cares.writers import Plan


def show_plan(plan: Plan) -> None:
    """Print the dialogues of the preview, and what the whole run may take."""
    for name, timeline in plan.previews.items():
        typer.echo(f"\n{name}")
        for item in timeline.items:
            said = f"{item.speaker}: {item.text}" if isinstance(item, Utterance) else f"   [{item.event_id}]"
            typer.echo(f"  {said}")
    for name, why in plan.refused.items():
        typer.echo(f"\n{name}: no dialogue: {why}")
    guess, spent = plan.guess, plan.spent
    typer.echo(
        f"\n{plan.scenarios} dialogues: about {guess.requests} requests, {guess.input_tokens:,} tokens sent, "
        f"{guess.output_tokens:,} received, {guess.cost:.2f} by the price given"
    )
    typer.echo(f"the preview took {spent.requests} requests and {spent.cost:.2f}; it is kept for the run")

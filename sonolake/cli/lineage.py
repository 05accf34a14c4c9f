"""``sonolake lineage``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from sonolake.cli.opening import JsonOption, LakeOption, open_lake
from sonolake.cli.printing import show_json

if TYPE_CHECKING:
    from sonolake.lake.trace import Trace

SHOWN = 40
"""Branches of one thing that are drawn; JSON has all."""


def lineage(
    ctx: typer.Context,
    thing: Annotated[
        str, typer.Argument(metavar="ID", help="An asset, scene, clip or release, or how its id begins.")
    ],
    up: Annotated[bool, typer.Option("--up", help="Only what it was made from.")] = False,
    down: Annotated[bool, typer.Option("--down", help="Only what was made from it.")] = False,
    lake: LakeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show what a thing was made from, and what was made from it."""
    from sonolake.lake.trace import trace

    with open_lake(ctx, lake) as opened:
        found = trace(opened, thing)
    directions = (
        {"up": found.up, "down": found.down}
        if up == down
        else {"up": found.up}
        if up
        else {"down": found.down}
    )
    if as_json:
        edges = {name: [vars(edge) for edge in kept] for name, kept in directions.items()}
        show_json({"id": found.thing, "what": found.names.get(found.thing), **edges})
        return
    typer.echo(_named(found, found.thing))
    if "up" in directions:
        _branch(found, "made from", up=True)
    if "down" in directions:
        _branch(found, "made into", up=False)


def _named(found: Trace, thing: str) -> str:
    return f"{thing}  {found.names[thing]}" if thing in found.names else thing


def _branch(found: Trace, title: str, up: bool) -> None:
    typer.echo(f"{title}:")
    drawn: set[str] = set()
    lines = list(_tree(found, found.thing, "  ", up, drawn))
    for line in lines or ["  nothing"]:
        typer.echo(line)


def _tree(found: Trace, thing: str, indent: str, up: bool, drawn: set[str]) -> list[str]:
    """Lines for what ``thing`` is tied to; what was drawn before is named and not followed again."""
    drawn.add(thing)
    edges = [e for e in found.up if e.child == thing] if up else [e for e in found.down if e.parent == thing]
    lines: list[str] = []
    for number, edge in enumerate(edges):
        if number == SHOWN:
            lines.append(f"{indent}… {len(edges) - SHOWN:,} more")
            break
        other = edge.parent if up else edge.child
        again = other in drawn
        lines.append(f"{indent}{edge.role}: {_named(found, other)}{' (above)' if again else ''}")
        if not again:
            lines += _tree(found, other, indent + "  ", up, drawn)
    return lines

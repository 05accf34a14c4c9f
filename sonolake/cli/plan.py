"""``sonolake plan`` and ``diff``: what the next version of a release brings, and what two versions differ in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from sonolake.cli.opening import JsonOption, LakeOption, lake_path, open_lake
from sonolake.cli.printing import show_json, show_rows

if TYPE_CHECKING:
    from sonolake.datasets.foreseeing import Foreseen
    from sonolake.releases.differing import Difference

Place = Annotated[
    str, typer.Argument(metavar="NAME@VERSION|PLACE", help="A release of the lake, or its folder or address.")
]


def plan(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="A release of the lake.")],
    version: Annotated[
        str | None,
        typer.Argument(metavar="[VERSION]", help="A version that you think of: status 1 when it is too low."),
    ] = None,
    lake: LakeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Compare what the lake holds now with the last version of a release, and say which version may follow it."""
    from sonolake.datasets.foreseeing import foresee

    with open_lake(ctx, lake) as opened:
        found = foresee(opened, name)
    tell(name, found, version, as_json)


def tell(name: str, found: Foreseen, version: str | None, as_json: bool = False) -> None:
    """Print what is foreseen.

    Raises:
        Refused: when ``version`` is too low to be the next.
    """
    from sonolake.releases.differing import require_bump

    difference = found.difference
    if as_json:
        about = {"name": name, "last": found.last, "least": found.least, "not_compared": found.not_compared}
        show_json({**about, **difference.as_json()})
    else:
        show_difference(difference)
        typer.echo(_said(name, found))
        if found.not_compared:
            told = " and ".join(found.not_compared)
            typer.echo(f"not compared: {told}, which python -m flows plan and publishing compare, too")
    if version:
        require_bump(name, found.last, version, difference.bump, difference.why())


def _said(name: str, found: Foreseen) -> str:
    why, bump = found.difference.why(), found.difference.bump
    if not bump and found.not_compared:
        return f"what was compared is as in {name} {found.last}"
    if not bump:
        return f"{name} {found.last} is what the lake holds: there is nothing to publish"
    return f"{why}: {bump.name}, so {name} {found.least} or later may follow {found.last}"


def diff(
    ctx: typer.Context,
    old: Place,
    new: Place,
    lake: LakeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Compare two releases item by item: added, removed, edited, moved between splits, or only said otherwise."""
    from sonolake.releases.differing import compare, side_of_release
    from sonolake.releases.finding import find_release

    sides = [side_of_release(find_release(one, lambda: lake_path(ctx, lake)).offered) for one in (old, new)]
    difference = compare(*sides)
    if as_json:
        show_json(difference.as_json())
        return
    show_difference(difference)
    bump = f": {difference.bump.name}" if difference.bump else ""
    typer.echo(f"{difference.old} to {difference.new}: {difference.why()}{bump}")


def show_difference(difference: Difference) -> None:
    """A row a thing that differs."""
    rows = difference.rows()
    if rows:
        show_rows(rows, ["change", "config", "split", "what", "detail"], "")

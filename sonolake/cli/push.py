"""``sonolake push``: a release into a data set repository."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from sonolake.cli.opening import JsonOption, LakeOption
from sonolake.cli.printing import megabytes, show_json
from sonolake.cli.releases import Which
from sonolake.cli.releasing import find

if TYPE_CHECKING:
    from sonolake.releases.hub import Pushed


def push(
    ctx: typer.Context,
    which: Which,
    address: Annotated[str, typer.Argument(metavar="hf:OWNER/NAME", help="A data set repository.")],
    private: Annotated[
        bool, typer.Option("--private", help="Make the repository private, when it is made.")
    ] = False,
    source: Annotated[
        str | None, typer.Option("--from", metavar="PLACE", help="Where the name is looked for; see pull.")
    ] = None,
    lake: LakeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Put a release into a repository of the Hugging Face hub: a commit, and a tag of its version."""
    from sonolake.releases.hub import push as put

    made = put(find(ctx, which, lake, source), address, private)
    if as_json:
        show_json(vars(made))
    else:
        typer.echo(f"{address}: {_said(made)}")


def _said(made: Pushed) -> str:
    if made.outcome == "already":
        return f"{made.tag} is there already, {made.files:,} files"
    removed = f", {made.removed:,} of an earlier version removed" if made.removed else ""
    sent = f"{made.sent:,} of {made.files:,} files sent ({megabytes(made.sent_bytes)}){removed}"
    return f"{made.tag} tagged; {sent}"

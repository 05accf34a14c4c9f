"""``sonolake push``: a release into a bucket, a data set repository, or a draft of an archive's deposit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from sonolake.cli.opening import JsonOption, LakeOption
from sonolake.cli.printing import megabytes, show_json
from sonolake.cli.releases import Which
from sonolake.cli.releasing import find
from sonolake.s3 import is_s3

if TYPE_CHECKING:
    from sonolake.releases.archive import Deposited
    from sonolake.releases.finding import Found
    from sonolake.releases.hub import Pushed


def push(
    ctx: typer.Context,
    which: Which,
    address: Annotated[
        str,
        typer.Argument(
            metavar="s3://BUCKET/PREFIX|hf:OWNER/NAME|zenodo",
            help="A bucket, where it is NAME/VERSION; a data set repository; a draft deposit.",
        ),
    ],
    private: Annotated[
        bool, typer.Option("--private", help="Make the repository private, when it is made.")
    ] = False,
    source: Annotated[
        str | None, typer.Option("--from", metavar="PLACE", help="Where the name is looked for; see pull.")
    ] = None,
    lake: LakeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Put a release into a bucket, a repository of the Hugging Face hub (a tag a version), or a draft on Zenodo."""
    found = find(ctx, which, lake, source)
    if address == "zenodo":
        _deposit(found, private, as_json)
        return
    if is_s3(address):
        _copy(found, address, private, as_json)
        return
    from sonolake.releases.hub import push as put

    made = put(found, address, private)
    if as_json:
        show_json(vars(made))
    else:
        typer.echo(f"{address}: {_pushed(made)}")


def _copy(found: Found, address: str, private: bool, as_json: bool) -> None:
    from sonolake.releases.copying import copy_to

    if private:
        raise typer.BadParameter("who may read a bucket is said there", param_hint="--private")
    made = copy_to(found, address)
    if as_json:
        show_json(vars(made))
    else:
        typer.echo(made.told())


def _deposit(found: Found, private: bool, as_json: bool) -> None:
    from sonolake.releases.archive import deposit

    if private:
        raise typer.BadParameter("a draft is private until it is published", param_hint="--private")
    made = deposit(found)
    if as_json:
        show_json(vars(made))
    else:
        typer.echo(f"zenodo: {_deposited(made)}")


def _pushed(made: Pushed) -> str:
    if made.outcome == "already":
        return f"{made.tag} is there already, {made.files:,} files"
    removed = f", {made.removed:,} of an earlier version removed" if made.removed else ""
    sent = f"{made.sent:,} of {made.files:,} files sent ({megabytes(made.sent_bytes)}){removed}"
    return f"{made.tag} tagged; {sent}"


def _deposited(made: Deposited) -> str:
    sent = f"{made.sent:,} of {made.files:,} files sent ({megabytes(made.sent_bytes)})"
    doi = f"; DOI {made.doi} is reserved" if made.doi else ""
    return f"draft {made.draft}: {sent}{doi}; look at it and publish it: {made.page}"

"""``python -m flows plan``: needs no engine."""

from __future__ import annotations

from typing import Annotated

import typer


def plan(
    name: Annotated[str, typer.Argument(help="A release of the lake.")],
    lake: Annotated[
        str, typer.Option("--lake", envvar="SONOLAKE_LAKE", help="Folder or s3://bucket/prefix.")
    ],
    version: Annotated[str, typer.Option(help="One that you think of: status 1 when it is too low.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, for a program to read.")] = False,
) -> None:
    """Say what the next version of a release would differ in, and which it may be."""
    from sonolake.cli.plan import tell
    from sonolake.lake.root import require_room
    from tasks.foreseeing import foresee_release

    require_room(lake)
    tell(name, foresee_release(lake, name), version, as_json)

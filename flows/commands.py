"""What commands of ``python -m flows`` share: which lake, and a flow run here and now."""

from __future__ import annotations

import importlib
from typing import Annotated, Any

import typer

from flows.engine import engine
from sonolake.lake.root import is_lake, read_root, require_room

LakeOption = Annotated[
    str,
    typer.Option(
        "--lake", envvar="SONOLAKE_LAKE", help="Folder of the lake or s3://bucket/prefix; made when missing."
    ),
]

LakeThere = Annotated[
    str,
    typer.Option("--lake", envvar="SONOLAKE_LAKE", help="Folder of the lake or s3://bucket/prefix."),
]


def run_flow(module: str, flow: str, lake: str, *arguments: Any) -> Any:
    """Run a flow of ``flows.module`` on ``lake``, which is looked at before an engine is started for it; that a new one
    is made is said, since it may be a name that was misspelt."""
    require_room(lake)
    if not is_lake(lake):
        typer.echo(f"there is no lake at {lake} yet: a new one is made", err=True)
    return _run(module, flow, arguments)


def run_on_what_is_there(module: str, flow: str, lake: str, *arguments: Any) -> Any:
    """Run a flow that takes nothing in: one that has no lake to work on is no success.

    Raises:
        NotFound: when there is no lake.
    """
    read_root(lake)
    return _run(module, flow, arguments)


def _run(module: str, flow: str, arguments: tuple[Any, ...]) -> Any:
    from flows.stopping import stopped_by_ctrl_c

    with stopped_by_ctrl_c(), engine():
        found = getattr(importlib.import_module(f"flows.{module}"), flow)
        return found(*arguments)


def show_counts(counts: dict[str, Any], lake: str) -> None:
    """Print what each step did, and point at the quarantine when something went there."""
    from flows.progress import counts_table

    counts_table(counts, lake)

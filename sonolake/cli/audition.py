"""``sonolake audition``: hear and decide about takes; how many there are."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sonolake.cli.opening import JsonOption, LakeOption, open_lake
from sonolake.cli.printing import show_json, show_rows
from sonolake.errors import NotFound
from sonolake.extras import require

if TYPE_CHECKING:
    from sonolake.cares.banks import Banks
    from sonolake.lake import Lake


def audition(
    ctx: typer.Context,
    event: Annotated[
        str | None, typer.Argument(metavar="EVENT", help="A sound identifier, such as shared/dog_bark.")
    ] = None,
    coverage: Annotated[
        bool, typer.Option("--coverage", help="Print how many of the 30 takes there are, and do no more.")
    ] = False,
    k: Annotated[int, typer.Option("-k", min=1, max=1000, help="How many candidates to rank.")] = 60,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0 for any that is free.")] = 8451,
    host: Annotated[
        str, typer.Option("--host", help="Address to listen on; this machine alone by default.")
    ] = "127.0.0.1",
    lake: LakeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Serve a page that plays candidate takes of a sound and takes decisions, until it is interrupted."""
    from sonolake.cares.banks import default_banks

    if coverage == (event is not None):
        raise typer.BadParameter("give an identifier, or --coverage", param_hint="EVENT")
    banks = default_banks()
    with open_lake(ctx, lake, write=not coverage) as opened:
        if event is None:
            _print_coverage(opened, banks, as_json)
            return
        if event not in banks.sounds:
            raise NotFound(f"no sound {event!r} in the banks: sonolake audition --coverage lists them")
        _serve(opened, banks, event, k, host, port)


def _serve(lake: Lake, banks: Banks, event: str, k: int, host: str, port: int) -> None:
    require("starlette", "the audition page")
    from sonolake.audition.server import Desk, application
    from sonolake.pages.serving import serve

    desk = Desk(lake, banks, event, k)

    def told(address: str) -> None:
        typer.echo(f"Audition: {address}#key={desk.key}")
        typer.echo("Every decision is in the lake at once. Ctrl C ends the server.")

    serve(lambda hosts: application(desk, hosts), host, port, told)


def _print_coverage(lake: Lake, banks: Banks, as_json: bool) -> None:
    from sonolake.audition.coverage import coverage

    rows = [asdict(row) for row in coverage(lake, banks)]
    if as_json:
        show_json(rows)
        return
    events: dict[str, dict[str, Any]] = {}
    for row in rows:
        line = events.setdefault(row["event"], {"identifier": row["event"], "without split": "0"})
        takes = f"{row['takes']}/{row['wanted']}" if row["wanted"] else str(row["takes"])
        line["without split" if row["split"] == "none" else row["split"]] = takes
        for name in ("accepted", "single_source", "rejected"):
            line[name] = line.get(name, 0) + row[name]
    columns = ["identifier", "train", "validation", "test", "without split"]
    show_rows(list(events.values()), [*columns, "accepted", "single_source", "rejected"], "No identifiers.")

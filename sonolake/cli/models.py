"""``sonolake models`` and ``sonolake doctor``: what is installed, and whether all is well."""

from __future__ import annotations

from typing import Annotated

import typer

from sonolake.cli.opening import JsonOption, LakeOption, lake_path
from sonolake.cli.printing import show_json, show_rows
from sonolake.errors import NotFound


def models(
    hashes: Annotated[
        bool, typer.Option("--hashes/--no-hashes", help="Read the weights for their SHA-256.")
    ] = True,
    as_json: JsonOption = False,
) -> None:
    """List the models, whether they are installed, and the line that installs them."""
    from sonolake.models.registry import installed

    rows = [{**vars(row), "here": "yes" if row.installed else "no"} for row in installed(hashes)]
    if as_json:
        show_json([{name: value for name, value in row.items() if name != "here"} for row in rows])
        return
    for row in rows:
        row["weights"] = row["weights_sha256"][:12]
    show_rows(rows, ["spec", "role", "here", "version", "licence", "weights"], "No model is known.")
    for line in dict.fromkeys(row["install"] for row in rows if not row["installed"]):
        typer.echo(f"missing: {line}")


def doctor(ctx: typer.Context, lake: LakeOption = None, as_json: JsonOption = False) -> None:
    """Check this installation and, when a lake is named, the lake; status 1 when something needed fails."""
    from sonolake.lake.doctor import examine

    checks = examine(_named(ctx, lake))
    if as_json:
        show_json([vars(check) for check in checks])
    else:
        show_rows([vars(check) for check in checks], ["check", "verdict", "detail"], "")
    if any(check.verdict == "fails" for check in checks):
        raise typer.Exit(1)


def _named(ctx: typer.Context, lake: str | None) -> str | None:
    try:
        return lake_path(ctx, lake)
    except NotFound:
        return None

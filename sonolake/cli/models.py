"""``sonolake models``, its ``check`` and ``sonolake doctor``: what is installed, and whether all is well."""

from __future__ import annotations

from typing import Annotated

import typer

from sonolake.cli.opening import JsonOption, LakeOption, lake_path
from sonolake.cli.printing import show_json, show_rows
from sonolake.errors import NotFound

app = typer.Typer(
    help="List the models, whether they are installed, and the line that installs them; check an encoder.",
    invoke_without_command=True,
)


@app.callback()
def models(
    ctx: typer.Context,
    hashes: Annotated[
        bool, typer.Option("--hashes/--no-hashes", help="Read the weights for their SHA-256.")
    ] = True,
    as_json: JsonOption = False,
) -> None:
    """List the models, whether they are installed, and the line that installs them."""
    if ctx.invoked_subcommand is not None:
        return
    from sonolake.models.registry import brought, installed

    every = [*installed(hashes), *brought()]
    rows = [{**vars(row), "here": "yes" if row.installed else "no"} for row in every]
    if as_json:
        show_json([{name: value for name, value in row.items() if name != "here"} for row in rows])
        return
    for row in rows:
        row["weights"] = row["weights_sha256"][:12]
    show_rows(rows, ["spec", "role", "here", "version", "licence", "weights"], "No model is known.")
    for line in dict.fromkeys(row["install"] for row in rows if not row["installed"]):
        typer.echo(f"missing: {line}")


@app.command("check")
def check(
    spec: Annotated[
        str, typer.Argument(metavar="SPEC", help="yamnet, beats:FILE, clap:FOLDER or exec:COMMAND.")
    ],
    as_json: JsonOption = False,
) -> None:
    """Try an encoder on known sounds; status 1 when it is not whole, or ranks below the packaged models."""
    from sonolake.models import get
    from sonolake.search.checking import check_encoder

    model = get(spec)
    trials = check_encoder(model)
    about = {"spec": spec, "about": getattr(model, "about", ""), "weights_sha256": model.weights_sha256}
    passed = all(trial.passed for trial in trials)
    if as_json:
        show_json(
            [{**about, "licence": model.licence, "passed": passed, "trials": [vars(t) for t in trials]}]
        )
    else:
        typer.echo(f"{about['about'] or spec}, weights {model.weights_sha256}, {model.licence}")
        rows = [{**vars(trial), "verdict": "passes" if trial.passed else "refused"} for trial in trials]
        show_rows(rows, ["name", "verdict", "found", "default"], "")
    if not passed:
        raise typer.Exit(1)


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

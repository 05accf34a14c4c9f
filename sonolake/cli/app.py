"""All commands, in the order of the help."""

from __future__ import annotations

from typing import Annotated

import typer

from sonolake import __version__
from sonolake.cli import (
    annotate,
    audition,
    cares,
    dcase,
    describe,
    export,
    freesound,
    gc,
    init,
    lineage,
    migrate,
    models,
    plan,
    push,
    quarantine,
    rebuild,
    releases,
    restore,
    rms_aqa,
    runs,
    score,
    search,
    sql,
    takedown,
    unpack,
    validate,
)
from sonolake.cli.group import Commands
from sonolake.cli.opening import VARIABLE

app = typer.Typer(
    name="sonolake",
    cls=Commands,
    help="A data lakehouse for audio data sets. Flows that fill a lake run from a checkout: python -m flows NAME.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"sonolake {__version__}")
        raise typer.Exit


@app.callback()
def sonolake(
    ctx: typer.Context,
    lake: Annotated[
        str | None,
        typer.Option(
            "--lake", envvar=VARIABLE, metavar="PLACE", help="The lake: a folder or s3://bucket/prefix."
        ),
    ] = None,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Keep the lake that was named before the command."""
    ctx.obj = lake


app.command("init")(init.init)
app.command("doctor")(models.doctor)
app.add_typer(models.app, name="models")
app.command("sql")(sql.sql)
app.command("tables")(describe.tables)
app.command("snapshots")(describe.snapshots)
app.command("search")(search.search)
app.command("runs")(runs.runs)
app.command("quarantine")(quarantine.quarantine)
app.command("lineage")(lineage.lineage)
app.command("releases")(releases.releases)
app.command("plan")(plan.plan)
app.command("diff")(plan.diff)
app.command("verify")(releases.verify)
app.command("pull")(releases.pull)
app.command("prove")(releases.prove)
app.command("rebuild")(rebuild.rebuild)
app.command("export")(export.export)
app.command("push")(push.push)
app.command("takedown")(takedown.takedown)
app.add_typer(score.app, name="score")
app.add_typer(cares.app, name="cares")
app.add_typer(rms_aqa.app, name="rms-aqa")
app.add_typer(annotate.app, name="annotate")
app.add_typer(validate.app, name="validate")
app.command("audition")(audition.audition)
app.add_typer(unpack.app, name="unpack")
app.command("dcase")(dcase.dcase)
app.command("restore")(restore.restore)
app.command("migrate")(migrate.migrate)
app.add_typer(
    freesound.app, name="freesound", help="Freesound: log in for originals, see what is left of today."
)
app.command("gc")(gc.gc)

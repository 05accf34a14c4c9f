"""``sonolake annotate``: projects of tasks, the page, agreement, and the ways in and out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from sonolake.cli.opening import JsonOption
from sonolake.cli.printing import emit, show_json

app = typer.Typer(no_args_is_help=True, help="Annotate vocal events in speech.", rich_markup_mode=None)

ProjectArgument = Annotated[Path, typer.Argument(metavar="PROJECT", help="The project's file.")]
LakeFolder = Annotated[
    Path | None, typer.Option("--lake", metavar="FOLDER", help="The lake with the recordings.")
]
LabelStudio = Annotated[bool, typer.Option("--label-studio", help="In Label Studio's JSON.")]


@app.command("new")
def new(
    project: ProjectArgument,
    tasks: Annotated[
        Path | None, typer.Option("--tasks", metavar="FILE", help="JSON lines with audio.path and text.")
    ] = None,
    gold: Annotated[
        Path | None,
        typer.Option("--gold", metavar="FILE", help="Items of the qualification, with gold texts."),
    ] = None,
    audio: Annotated[
        Path | None,
        typer.Option("--audio", metavar="FOLDER", help="Of the recordings; that of the tasks by default."),
    ] = None,
    lake: LakeFolder = None,
    where: Annotated[
        str, typer.Option("--where", metavar="SQL", help="Which utterances of the lake.")
    ] = "utterance_id IN (SELECT utterance_id FROM candidates)",
    threshold: Annotated[
        float,
        typer.Option("--threshold", min=0.0, max=1.0, help="Micro F1 on the gold items that qualifies."),
    ] = 0.7,
    label_studio: LabelStudio = False,
) -> None:
    """Make a project of tasks, from a file or from a lake."""
    from dataclasses import replace

    from sonolake.cli.annotate_lake import tasks_of_lake
    from sonolake.wesr.annotation.labelstudio import read_export, tasks_of
    from sonolake.wesr.annotation.store import Project
    from sonolake.wesr.annotation.tasks import blind, read_tasks

    if (tasks is None) == (lake is None):
        raise typer.BadParameter("give --tasks FILE, or --lake FOLDER", param_hint="--tasks")
    if tasks is None or lake is not None:
        found = tasks_of_lake(lake or Path(), where)
    else:
        found = tasks_of(read_export(tasks)) if label_studio else read_tasks(tasks)
    items = read_tasks(gold) if gold else []
    if any(not item.gold for item in items):
        raise typer.BadParameter("each line needs a gold text", param_hint="--gold")
    folder = (audio or (tasks or project).parent).resolve()
    plain = [replace(task, gold="") for task in found]
    with Project.create(project, [*items, *blind(plain)], threshold, audio=str(folder)) as made:
        typer.echo(f"{project}: {len(made.work)} tasks, {len(made.gold)} gold items")


@app.command("serve")
def serve(
    project: ProjectArgument,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0 for any that is free.")] = 8450,
    host: Annotated[
        str, typer.Option("--host", help="Address to listen on; this machine alone by default.")
    ] = "127.0.0.1",
    audio: Annotated[
        Path | None, typer.Option("--audio", metavar="FOLDER", help="Where the recordings are now.")
    ] = None,
    lake: LakeFolder = None,
) -> None:
    """Serve the annotation page until it is interrupted."""
    from sonolake.cli.annotate_serving import run

    run(project, host, port, audio, lake)


@app.command("agreement")
def agreement(project: ProjectArgument, as_json: JsonOption = False) -> None:
    """Say how far annotators agree: Cohen's kappa by position and tag."""
    from dataclasses import asdict

    from sonolake.cli.grid import grid
    from sonolake.wesr.annotation.agreement import agreement as measured
    from sonolake.wesr.annotation.store import Project
    from sonolake.wesr.taxonomy import BY_NAME

    with Project(project) as opened:
        found = measured(opened)
    if as_json:
        show_json(asdict(found))
        return
    typer.echo(f"{len(found.annotators)} annotators, {found.tasks} tasks done by two or more of them")
    rows = [
        [BY_NAME[name].text, found.marked[name], None if kappa is None else f"{kappa:.3f}"]
        for name, kappa in found.per_tag.items()
    ]
    rows.append(
        ["all", sum(found.marked.values()), None if found.overall is None else f"{found.overall:.3f}"]
    )
    for line in grid(["tag", "positions", "kappa"], rows):
        typer.echo(line)


@app.command("export")
def export(
    project: ProjectArgument,
    gold: Annotated[
        bool, typer.Option("--gold", help="The adjudicated texts, as references for scoring.")
    ] = False,
    label_studio: LabelStudio = False,
) -> None:
    """Print finished annotations: JSON lines with audio.path, sentence and annotator."""
    from sonolake.wesr.annotation.labelstudio import CONFIG, exported
    from sonolake.wesr.annotation.store import Project

    with Project(project) as opened:
        if label_studio:
            typer.echo(CONFIG, err=True)
            show_json(exported(opened))
            return
        states = opened.states("adjudicator" if gold else "annotator")
        for task in opened.work:
            for rater, answers in states.items():
                if task.name in answers and answers[task.name].done:
                    row = {
                        "id": task.name,
                        "audio": {"path": task.audio},
                        "sentence": answers[task.name].marks.on(task.text),
                        "annotator": rater,
                    }
                    emit(json.dumps(row, ensure_ascii=False) + "\n")


@app.command("import")
def import_(
    project: ProjectArgument,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A JSON export of Label Studio.")],
) -> None:
    """Take annotations that were made in Label Studio into a project."""
    from sonolake.errors import NotFound
    from sonolake.wesr.annotation.labelstudio import imported, read_export
    from sonolake.wesr.annotation.store import Project

    if not file.is_file():
        raise NotFound(f"no export at {file}")
    with Project(project) as opened:
        taken, left = imported(opened, read_export(file))
    for one in left:
        typer.echo(f"{one.task}, {one.rater}: not taken: {one.why}", err=True)
    typer.echo(f"{taken} taken, {len(left)} not taken")
    if left:
        raise typer.Exit(1)


@app.command("collect")
def collect(
    project: ProjectArgument,
    lake: Annotated[Path, typer.Option("--lake", metavar="FOLDER", help="The lake.")],
) -> None:
    """Keep finished annotations and adjudications in a lake's table of judgements."""
    from sonolake.cli.annotate_lake import collected
    from sonolake.wesr.annotation.store import Project

    with Project(project) as opened:
        new_ones, there = collected(opened, lake)
    typer.echo(f"{new_ones} new judgements, {there} there already")

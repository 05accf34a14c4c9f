"""``sonolake takedown``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from sonolake.cli.opening import JsonOption, LakeOption, open_lake
from sonolake.cli.printing import megabytes, show_json, show_rows
from sonolake.errors import InvalidInput
from sonolake.plural import counted

if TYPE_CHECKING:
    from sonolake.lake import Lake
    from sonolake.releases.takedown import Plan, TakenDown, Target


def takedown(
    ctx: typer.Context,
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="SOURCE_ID",
            help="A source, such as freesound:123; or one sound, by its asset id or address.",
        ),
    ] = None,
    speaker: Annotated[str | None, typer.Option(help="All recordings of a speaker.")] = None,
    author: Annotated[str | None, typer.Option(help="All sounds of an author.")] = None,
    reason: Annotated[str, typer.Option(help="Why; public, as it stands in the notices.")] = "",
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what goes, and do nothing.")] = False,
    patch: Annotated[
        bool, typer.Option("--patch/--no-patch", help="Publish the versions without the items.")
    ] = True,
    lake: LakeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Take a source, a speaker or an author down for good: out of the lake and of its releases; cannot be undone.

    Shows all that goes, and asks. Cut short, the same command goes on; status 0 only when it is proven to be gone.
    """
    from sonolake.releases.takedown import plan_of, take_down

    target = _target(source, speaker, author)
    with open_lake(ctx, lake, write=not dry_run) as opened:
        if dry_run or not as_json:
            _show(plan_of(opened, target), as_json=as_json)
        if dry_run:
            return
        reason = _reason(opened, target, reason)
        if not yes:
            typer.confirm("Take all of this down, for good?", abort=True)
        tell = (lambda said: None) if as_json else typer.echo
        done = take_down(opened, target, reason, patches=patch, tell=tell)
    if as_json:
        show_json(_told(done))
    else:
        _show_proof(done)
    if not done.gone:
        raise typer.Exit(1)


def _target(source: str | None, speaker: str | None, author: str | None) -> Target:
    from sonolake.releases.takedown import Target

    named = [("source", source), ("speaker", speaker), ("author", author)]
    given = [(kind, name) for kind, name in named if name is not None]
    if len(given) != 1:
        raise InvalidInput("what to take down", "one of SOURCE_ID, --speaker, --author", len(given))
    ((kind, name),) = given
    return Target(kind, name)  # type: ignore[arg-type]


def _reason(lake: Lake, target: Target, reason: str) -> str:
    """The reason that was given, now or when it was begun."""
    from sonolake.releases.takedown.target import tombstones_of

    return reason or next((row["reason"] for row in tombstones_of(lake, target)), "")


def _rows(plan: Plan) -> list[dict[str, Any]]:
    columns = ("asset_id", "kind", "title", "author", "speaker", "licence", "source_id")
    return [{name: row[name] for name in columns} for row in plan.assets]


def _releases(plan: Plan) -> list[dict[str, Any]]:
    return [
        {
            "release": one.release,
            "state": one.state,
            "items": len(one.items),
            "of": ", ".join(f"{config} {count}" for config, count in one.by_config),
            "files": len(one.files),
            "size": megabytes(one.bytes),
        }
        for one in plan.releases
    ]


def _show(plan: Plan, *, as_json: bool) -> None:
    if as_json:
        show_json(_planned(plan))
        return
    if plan.before:
        finished = "was taken down before" if plan.finished else "is being taken down"
        typer.echo(f"{plan.target.told} {finished}: {plan.before[0]['reason']}")
    show_rows(
        _rows(plan),
        ["kind", "title", "author", "licence", "asset_id", "source_id"],
        "No sounds are left of it.",
    )
    made = ", ".join(counted(count, name) for name, count in plan.counts().items())
    typer.echo(f"\nmade of it, and going too: {made or 'nothing'}")
    for thing in plan.made:
        typer.echo(f"  {thing}")
    typer.echo("")
    show_rows(
        _releases(plan), ["release", "state", "items", "of", "files", "size"], "No release has any of it."
    )


def _planned(plan: Plan) -> dict[str, Any]:
    return {
        "target": vars(plan.target),
        "assets": _rows(plan),
        "sources": list(plan.sources),
        "made": list(plan.made),
        "releases": [{**vars(one), "by_config": dict(one.by_config)} for one in plan.releases],
        "begun": bool(plan.before),
        "finished": plan.finished,
    }


def _told(done: TakenDown) -> dict[str, Any]:
    return {
        **_planned(done.plan),
        "replaced_by": done.replaced,
        "media": done.media,
        "vectors": done.vectors,
        "proof": [vars(one) for one in done.proof],
        "gone": done.gone,
    }


def _show_proof(done: TakenDown) -> None:
    rows = [{"where": one.where, "looked at": one.looked_at, "found": len(one.found)} for one in done.proof]
    show_rows(rows, ["where", "looked at", "found"], "")
    for one in done.proof:
        for place in one.found:
            typer.echo(f"still in {one.where}: {place}", err=True)
    typer.echo(f"{done.plan.target.told} is gone" if done.gone else "it is not gone", err=not done.gone)

"""``sonolake releases``, ``verify``, ``pull`` and ``prove``: what a consumer does with releases."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from sonolake.cli.opening import JsonOption, LakeOption, open_lake
from sonolake.cli.printing import show_json, show_rows
from sonolake.cli.releasing import find, listed, pulled, verified
from sonolake.errors import Refused

Which = Annotated[
    str, typer.Argument(metavar="NAME@VERSION|PLACE", help="A release of the lake, or its folder or address.")
]


def releases(ctx: typer.Context, lake: LakeOption = None, as_json: JsonOption = False) -> None:
    """List the releases of the lake."""
    with open_lake(ctx, lake) as opened:
        rows = listed(opened)
    if as_json:
        show_json(rows)
        return
    for row in rows:
        row["release"] = f"{row['name']}@{row['version']}"
    show_rows(
        rows, ["release", "state", "files", "bytes", "snapshot", "manifest_sha256"], "There are no releases."
    )


def verify(ctx: typer.Context, which: Which, lake: LakeOption = None, as_json: JsonOption = False) -> None:
    """Check every byte of a release against its manifest; status 1 when anything differs."""
    found = find(ctx, which, lake)
    problems = found.verify()
    if as_json:
        show_json({"folder": found.name, "problems": [vars(p) for p in problems]})
    elif problems:
        show_rows([vars(p) for p in problems], ["kind", "path", "detail"], "")
        count = f"{len(problems):,} difference{'' if len(problems) == 1 else 's'}"
        typer.echo(f"{found.name}: {count} from what was published", err=True)
    else:
        typer.echo(f"{found.name}: {verified(found)}")
    if problems:
        raise typer.Exit(1)


def pull(
    ctx: typer.Context,
    which: Annotated[
        str,
        typer.Argument(metavar="NAME@VERSION|PLACE", help="A release by name, or its folder or address."),
    ],
    dest: Annotated[Path, typer.Argument(help="A new folder, or one that holds a part of this release.")],
    split: Annotated[
        list[str] | None, typer.Option("--split", help="Only this split; may be given more than once.")
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="PLACE",
            help="A lake, a folder of releases or a release's own, or such an https:// or s3:// address.",
        ),
    ] = None,
    workers: Annotated[int, typer.Option(help="Files at once.")] = 4,
    where: Annotated[
        str | None,
        typer.Option(metavar="SQL", help="Only items for which this holds, on the columns of items.parquet."),
    ] = None,
    beside: Annotated[
        list[Path] | None,
        typer.Option(
            "--beside",
            metavar="FOLDER",
            help="A folder with another version: what is equal is not fetched. Those next to DEST are found.",
        ),
    ] = None,
    rate: Annotated[
        str | None, typer.Option(help="Bytes a second of all together, such as 500k or 5M.")
    ] = None,
    lake: LakeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Copy a release into a folder: every file checked, an interrupted pull goes on where it stopped."""
    from sonolake.cli.progress import watching
    from sonolake.releases import pull as fetch
    from sonolake.releases import pull_items
    from sonolake.releases.pace import Pace, Rate, parse_rate

    limit = Rate(None if rate is None else parse_rate(rate))
    release = find(ctx, which, lake, source).offered
    with watching() as watch:
        pace = Pace(workers, limit, watch)
        result = (
            fetch(release, dest, split, pace=pace, beside=beside or None)
            if where is None
            else pull_items(release, dest, where, split or (), pace)
        )
    notice = release.notice
    if as_json:
        show_json({"folder": str(dest), **vars(result), "notice": None if notice is None else vars(notice)})
    else:
        typer.echo(f"{dest}: {pulled(result)}")
    if notice is not None:
        typer.echo(notice.told(), err=True)
        raise typer.Exit(1)


def prove(
    ctx: typer.Context,
    which: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME@VERSION|PLACE]",
            help="A release of the lake, or its folder or address; without it, the lake's own history.",
        ),
    ] = None,
    lake: LakeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Run a release's own proofs over its own files, where they lie; status 1 unless all that must hold do."""
    rows = _lake_proofs(ctx, lake) if which is None else _release_proofs(ctx, which, lake)
    if as_json:
        show_json(rows)
    else:
        columns = ["proof", "policy", "outcome", "rows", "expected", "meaning"]
        show_rows(rows, columns, "It carries no proofs.")
        for row in rows:
            for offending in row["shown"] if row["outcome"] == "fails" else ():
                typer.echo(f"{row['proof']}: {offending}", err=True)
        for why in sorted({row["why"] for row in rows if row["why"]}):
            typer.echo(f"not run: {why}", err=True)
    if any(row["outcome"] != "holds" and row["policy"] == "must" for row in rows):
        raise typer.Exit(1)
    if not rows:
        raise Refused(f"{which} carries no proofs, so nothing was proven")


def _release_proofs(ctx: typer.Context, which: str, lake: str | None) -> list[dict[str, Any]]:
    return [
        {"proof": r.proof.id, "policy": r.proof.policy, "outcome": r.outcome, "rows": r.rows,
         "expected": r.proof.expected, "meaning": r.proof.meaning, "shown": list(r.shown), "why": r.why}
        for r in find(ctx, which, lake).prove()
    ]  # fmt: skip


def _lake_proofs(ctx: typer.Context, lake: str | None) -> list[dict[str, Any]]:
    """Whether the lake accounts for all that it ever took."""
    from sonolake.lake.proving import prove_lake

    with open_lake(ctx, lake) as opened:
        results = prove_lake(opened)
    return [
        {"proof": r.proof.id, "policy": "must", "outcome": r.outcome, "rows": r.rows, "expected": 0,
         "meaning": r.proof.meaning, "shown": list(r.shown), "why": ""}
        for r in results
    ]  # fmt: skip

"""``sonolake rebuild``."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sonolake.cli.opening import JsonOption, LakeOption, open_lake
from sonolake.cli.printing import show_json, show_rows
from sonolake.cli.releasing import find
from sonolake.plural import counted

if TYPE_CHECKING:
    from sonolake.lake import Lake
    from sonolake.releases.offered import Offered
    from sonolake.releases.rebuilding import Difference, Rebuilt, RebuiltItem


def rebuild(
    ctx: typer.Context,
    which: Annotated[
        str,
        typer.Argument(metavar="NAME@VERSION|PLACE", help="A release of the lake, or its folder or address."),
    ],
    dest: Annotated[
        Path | None,
        typer.Argument(
            help="A new or empty folder for what is made; without it, all is made and compared only."
        ),
    ] = None,
    item: Annotated[
        str | None, typer.Option("--item", metavar="ID", help="Only this item, or how its id begins.")
    ] = None,
    workers: Annotated[int, typer.Option(help="Items at once; what comes out does not depend on it.")] = 1,
    data_set: Annotated[
        list[str] | None,
        typer.Option(
            "--data-set",
            metavar="MODULE:NAME",
            help="A data set of your own that is in the release; may be given more than once.",
        ),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option("--from", metavar="PLACE", help="Where the release is looked for, as in pull."),
    ] = None,
    lake: LakeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make a release's sounds again from their records and the lake's sources; status 1 when anything differs."""
    from sonolake.datasets.dataset import data_set_at

    release = find(ctx, which, lake, source).offered
    own = [data_set_at(spec) for spec in data_set or ()]
    with open_lake(ctx, lake) as opened:
        if item is not None:
            _item(opened, release, item, own, dest, as_json)
        elif dest is not None:
            _whole(opened, release, own, dest, workers, str(dest), as_json)
        else:
            with tempfile.TemporaryDirectory(prefix="sonolake-rebuild-") as folder:
                _whole(opened, release, own, Path(folder) / "release", workers, which, as_json)


def _whole(
    lake: Lake, release: Offered, own: Sequence[Any], dest: Path, workers: int, name: str, as_json: bool
) -> None:
    from sonolake.releases.rebuilding import makers_of
    from sonolake.releases.rebuilding.whole import Rebuild

    begun = Rebuild(release, dest, own)
    _tell(begun.differences)
    made = begun.run(makers_of(lake, own), workers)
    if as_json:
        show_json({"differences": [vars(d) for d in begun.differences], **_plain(made)})
    elif made.otherwise:
        show_rows([vars(one) for one in made.otherwise], ["what", "config", "why"], "")
        typer.echo(f"{name}: not the release that was published, so nothing is kept", err=True)
    else:
        typer.echo(
            f"{name}: {counted(made.items, 'item')} made again, every byte as published ({made.manifest_sha256})"
        )
    if release.notice is not None:
        typer.echo(release.notice.told(), err=True)
    if made.otherwise or made.withheld:
        raise typer.Exit(1)


def _plain(made: Rebuilt) -> dict[str, Any]:
    return {**vars(made), "otherwise": [vars(one) for one in made.otherwise]}


def _item(
    lake: Lake, release: Offered, item: str, own: Sequence[Any], dest: Path | None, as_json: bool
) -> None:
    from sonolake.releases.rebuilding import makers_of
    from sonolake.releases.rebuilding.one import RebuildItem

    begun = RebuildItem(release, item, own)
    _tell(begun.differences)
    made = begun.run(makers_of(lake, own), dest)
    if as_json:
        show_json({"differences": [vars(d) for d in begun.differences], **vars(made)})
    else:
        typer.echo(_told(made))
    if made.otherwise:
        raise typer.Exit(1)


def _told(made: RebuiltItem) -> str:
    said = made.otherwise or f"made again, every byte as published ({made.sha256})"
    return f"{made.item_id}: {said}" + (f"\n{made.file}" if made.file else "")


def _tell(differences: Sequence[Difference]) -> None:
    """What is otherwise here, before anything is made."""
    from sonolake.releases.rebuilding.comparing import UNKNOWN

    for one in differences:
        here = "" if one.then == UNKNOWN else f", here {one.here}"
        typer.echo(f"sonolake: {one.what} was {one.then}{here} ({counted(one.items, 'item')})", err=True)

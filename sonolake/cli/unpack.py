"""``sonolake unpack``: public layouts as folders with a manifest, for the flows that take sounds in."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

if TYPE_CHECKING:
    from sonolake.sources.takes import UnpackedTakes

app = typer.Typer(
    help="Public layouts as folders with a manifest, which the flows ingest-… take.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
Dest = Annotated[
    Path, typer.Argument(metavar="FOLDER", help="Where the sounds and manifest.csv are written.")
]
Set = Annotated[Path, typer.Argument(metavar="SET", help="The set, unzipped.")]


class Convention(StrEnum):
    """Conventions of first-order Ambisonics."""

    AMBIX = "ambix"
    N3D = "n3d"
    FUMA = "fuma"


@app.command("sofa")
def sofa(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="SOFA files of responses.")],
    dest: Annotated[Path, typer.Option("--to", metavar="FOLDER", help="A folder a file is made in it.")],
    convention: Annotated[
        Convention | None, typer.Option("--convention", help="Of the four channels; nothing is guessed.")
    ] = None,
    channels: Annotated[
        str, typer.Option("--channels", help="Which receivers they are, from 0.")
    ] = "0,1,2,3",
    emitter: Annotated[int, typer.Option("--emitter", min=0, help="Which one, in MIMO files.")] = 0,
    room: Annotated[
        str, typer.Option("--room", help="Where the file says none, or in other words; one file only.")
    ] = "",
    licence: Annotated[str, typer.Option("--licence", help="SPDX, where the file says none.")] = "",
    clockwise: Annotated[bool, typer.Option("--clockwise", help="Azimuths grow to the right.")] = False,
) -> None:
    """Unpack SOFA files: a FLAC a measurement, with room, place and convention; for ingest-responses."""
    from sonolake.sources.sofa import SofaLayout, unpack_sofa

    numbers = channels.replace(" ", "").split(",")
    if not all(number.isdigit() for number in numbers):
        raise typer.BadParameter("numbers with commas, such as 0,1,2,3", param_hint="--channels")
    if room and len(files) > 1:
        raise typer.BadParameter("several files are several rooms: one file at a time", param_hint="--room")
    chosen: Literal["ambix", "n3d", "fuma"] | None = convention.value if convention else None
    layout = SofaLayout(chosen, tuple(map(int, numbers)), emitter, room, licence, clockwise)
    for path in files:
        made = unpack_sofa(path, dest / path.stem, layout)
        silent = f", {len(made.silent)} silent ones left out" if made.silent else ""
        typer.echo(f"{made.folder}: {made.written} of {made.measurements} measurements{silent}")


@app.command("names")
def names(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Files whose names say what they are.")],
    layout: Annotated[Path, typer.Argument(metavar="LAYOUT.toml", help="How the names are read.")],
    dest: Annotated[
        Path | None,
        typer.Option("--to", metavar="FOLDER", help="Where four channels go, for a layout with [channels]."),
    ] = None,
) -> None:
    """Write manifest.csv of a folder from the names of its files; docs/rms-aqa-responses.md shows layouts."""
    from sonolake.sources.named import read_layout, write_named_manifest
    from sonolake.sources.unpacked_names import unpack_named

    declared = read_layout(layout)
    if (declared.channels is None) != (dest is None):
        raise typer.BadParameter("with a layout that has [channels], and only then", param_hint="--to")
    if dest is None:
        rows, others = write_named_manifest(folder, declared)
        typer.echo(f"{folder / 'manifest.csv'}: {rows} files")
    else:
        made = unpack_named(folder, declared, dest)
        others = made.others
        typer.echo(f"{dest}: {made.written} of {made.responses} responses")
        for one in made.left_out:
            typer.echo(f"left out: {one.item}: {one.reason}: {one.detail}", err=True)
    for name in others[:20]:
        typer.echo(f"no row: {name}", err=True)
    if len(others) > 20:
        typer.echo(f"no row: {len(others) - 20} more", err=True)


@app.command("esc50")
def esc50(folder: Set, dest: Dest) -> None:
    """Unpack ESC-50 (meta/, audio/, LICENSE) for ingest-takes."""
    _takes("esc50", folder, dest)


@app.command("fsd50k")
def fsd50k(folder: Set, dest: Dest) -> None:
    """Unpack FSD50K (FSD50K.dev_audio/, FSD50K.metadata/, …) for ingest-takes."""
    _takes("fsd50k", folder, dest)


@app.command("audioset-strong")
def audioset_strong(folder: Set, dest: Dest) -> None:
    """Unpack AudioSet with strong labels, as far as its audio is at hand, for ingest-takes; never released."""
    _takes("audioset-strong", folder, dest)


def _takes(layout: str, folder: Path, dest: Path) -> None:
    from sonolake.sources.takes import unpack_takes

    _say(unpack_takes(layout, folder, dest))


def _say(made: UnpackedTakes) -> None:
    from sonolake.sources.takes.unpacking import left_out_of

    typer.echo(f"{made.folder}: {made.written} of {made.taken} sounds")
    for reason, count in Counter(one.reason for one in made.left_out).most_common():
        typer.echo(f"  left out, {reason}: {count}")
    if made.left_out:
        typer.echo(f"Each with its reason: {left_out_of(made.folder)}")

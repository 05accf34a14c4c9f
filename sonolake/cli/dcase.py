"""``sonolake dcase``: labels of RMS-AQA clips as the tables that trackers of sound events read."""

from __future__ import annotations

from contextlib import ExitStack
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from sonolake.cli.clip_rows import ReleaseOption, clip_rows
from sonolake.cli.opening import LakeOption
from sonolake.cli.printing import write_whole


class DistanceUnit(StrEnum):
    """Units of the last column."""

    CM = "cm"
    M = "m"


def dcase(
    ctx: typer.Context,
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A folder a split is made in it.")],
    unit: Annotated[
        DistanceUnit, typer.Option("--unit", help="Of distances: cm as STARSS23, m as simulators write.")
    ] = DistanceUnit.CM,
    release: ReleaseOption = None,
    lake: LakeOption = None,
) -> None:
    """Write a DCASE table a clip: frame of 100 ms, class, source, azimuth, elevation, distance; and classes.txt."""
    from sonolake.spatial.dcase import frames_of, write
    from sonolake.spatial.records import ClipEvent

    with ExitStack() as stack:
        rows, _ = clip_rows(ctx, stack, lake, release)
        events = {
            (row["split"], row["item_id"]): [ClipEvent.from_record(e) for e in row["events"]] for row in rows
        }
    classes = sorted({event.event for heard in events.values() for event in heard})
    for split in {split for split, _ in events}:
        (folder / split).mkdir(parents=True, exist_ok=True)
    for (split, clip_id), heard in events.items():
        write_whole(folder / split / f"{clip_id}.csv", write(frames_of(heard, classes), unit.value))
    if events:
        write_whole(folder / "classes.txt", "".join(f"{name}\n" for name in classes))
    typer.echo(f"{folder}: {len(events)} clips, {len(classes)} classes, distances in {unit.value}")

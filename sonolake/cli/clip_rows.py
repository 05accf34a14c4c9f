"""RMS-AQA clips of a lake or a release, as rows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sonolake.cli.opening import open_lake

if TYPE_CHECKING:
    from sonolake.lake import Lake
    from sonolake.spatial.benchmark.kit import Clip

ReleaseOption = Annotated[
    str | None, typer.Option("--release", metavar="WHICH", help="Of a release instead of a lake.")
]
Rows = Sequence[Mapping[str, Any]]


def clip_rows(
    ctx: typer.Context, stack: ExitStack, lake: str | None, release: str | None
) -> tuple[Rows, Clip]:
    """Clips with item_id, split, origin, events and questions, of a release or else of the lake; and their sound."""
    if release is not None:
        return _of_release(release)
    return _of_lake(stack.enter_context(open_lake(ctx, lake)))


def _of_release(which: str) -> tuple[Rows, Clip]:
    from sonolake import load

    names = ["item_id", "split", "origin", "events", "questions"]
    found = load(which, None, "rms-aqa")
    rows = list(found.only([name for name in names if name in found.schema.names]))
    splits = {row["item_id"]: row.get("split") for row in rows}

    def clip(clip_id: str) -> tuple[Any, int]:
        wanted = ["item_id", "audio", "sample_rate"]
        sounds = load(which, splits[clip_id], "rms-aqa", columns=wanted, dtype="int16")
        record = next(one for one in sounds if one["item_id"] == clip_id)
        return record["audio"], record["sample_rate"]

    return rows, clip


def _of_lake(lake: Lake) -> tuple[Rows, Clip]:
    from sonolake.audio.decode import decode
    from sonolake.audio.encode import quantise

    rows = rows_of_lake(lake)
    assets = {row["item_id"]: row["asset_id"] for row in rows}

    def clip(clip_id: str) -> tuple[Any, int]:
        decoded = decode(lake.media.read(assets[clip_id]))
        return quantise(decoded.samples), decoded.sample_rate

    return rows, clip


def rows_of_lake(lake: Lake) -> Rows:
    """The clips of a lake that are asked about, with item_id, split, origin, events and questions."""
    parts: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for table, order in (("clip_events", "number"), ("questions", "stage")):
        parts[table] = defaultdict(list)
        for row in lake.rows(f"SELECT * FROM {table} ORDER BY clip_id, {order}"):
            parts[table][row.pop("clip_id")].append(row)
    query = "SELECT clip_id AS item_id, split, origin, asset_id FROM clips ORDER BY clip_id"
    rows = [row for row in lake.rows(query) if row["item_id"] in parts["questions"]]
    for row in rows:
        row["questions"] = parts["questions"][row["item_id"]]
        row["events"] = [
            {name: value for name, value in event.items() if name != "number"}
            for event in parts["clip_events"][row["item_id"]]
        ]
    return rows

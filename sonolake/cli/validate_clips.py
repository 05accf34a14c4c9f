"""``sonolake validate rms-aqa-…``: people check pairs of questions about clips."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sonolake.cli.clip_rows import ReleaseOption, clip_rows
from sonolake.cli.opening import JsonOption, LakeOption
from sonolake.cli.printing import show_json, write_whole

if TYPE_CHECKING:
    from sonolake.spatial.benchmark.kit import Pair, Verified


def kit(
    ctx: typer.Context,
    page: Annotated[Path, typer.Argument(metavar="PAGE", help="The HTML file to be written.")],
    release: ReleaseOption = None,
    split: Annotated[
        str, typer.Option("--split", metavar="SPLIT", help="train, validation or test.")
    ] = "validation",
    many: Annotated[
        int, typer.Option("-n", "--clips", min=1, metavar="N", help="How many, of all dimensions.")
    ] = 24,
    lake: LakeOption = None,
) -> None:
    """Write a page on which people listen, answer and point: one file, no server; it saves the ratings as JSON."""
    from sonolake.spatial.benchmark.kit import chosen, kit_page

    with ExitStack() as stack:
        rows, clip = clip_rows(ctx, stack, lake, release)
        pairs = chosen(_pairs(row for row in rows if row["split"] == split), many)
        write_whole(page, kit_page(pairs, clip))
    typer.echo(f"{page}: {len(pairs)} clips of {split}, {page.stat().st_size / 1e6:.1f} MB")


def ratings(
    ctx: typer.Context,
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="What the page saved, one a rater.")],
    release: ReleaseOption = None,
    as_json: JsonOption = False,
    lake: LakeOption = None,
) -> None:
    """What raters agree on, with the key and with each other; how far they pointed beside; pairs to look at."""
    from sonolake.spatial.benchmark.kit import read_ratings, verified

    given = [read_ratings(path) for path in files]
    with ExitStack() as stack:
        rows, _ = clip_rows(ctx, stack, lake, release)
        wanted = {name for one in given for name in one.records}
        found = verified(given, _pairs(row for row in rows if row["item_id"] in wanted))
    if as_json:
        show_json(_as_json(found))
    else:
        _show(found)


def _pairs(rows: Iterable[Mapping[str, Any]]) -> list[Pair]:
    from sonolake.spatial.benchmark.files import record_of
    from sonolake.spatial.benchmark.kit import Pair

    return [Pair(record_of(row), _azimuth(row)) for row in rows]


def _azimuth(row: Mapping[str, Any]) -> float | None:
    """Where the sound is whose direction the second question asks for."""
    asked = next(question for question in row["questions"] if question["stage"] == 2)
    if asked["kind"] != "sector_of":
        return None
    name = dict(json.loads(asked["arguments"]))["event"]
    return float(next(event["azimuth_deg"] for event in row["events"] if event["event"] == name))


def _as_json(found: Verified) -> dict[str, Any]:
    from sonolake.cli.validate_show import agreement_json

    answers = agreement_json(found.answers)
    return {
        "with_key": answers.pop("with_asked"),
        "answers": answers.pop("sounds"),
        **answers,
        "off_deg": {rater: dict(off) for rater, off in found.off_deg.items()},
        "doubted": list(found.doubted),
    }


def _show(found: Verified) -> None:
    from sonolake.cli.validate_show import show_agreement

    show_agreement(found.answers, "the key", "answers")
    for rater, off in found.off_deg.items():
        if off:
            near = sum(value <= 22.5 for value in off.values())
            mean = sum(off.values()) / len(off)
            typer.echo(f"{rater} pointed {mean:.0f}° beside on average, {near} of {len(off)} within 22.5°")
    typer.echo(f"{len(found.doubted)} pairs to look at{':' if found.doubted else ''}")
    for name in found.doubted:
        typer.echo(f"  {name}")

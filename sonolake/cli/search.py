"""``sonolake search``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from sonolake.cli.opening import JsonOption, LakeOption, open_lake
from sonolake.cli.printing import show_json, show_rows
from sonolake.extras import require


def search(
    ctx: typer.Context,
    text: Annotated[str | None, typer.Argument(help='Words for a sound, such as "a dog barking".')] = None,
    like: Annotated[Path | None, typer.Option("--like", metavar="FILE", help="A sound to be like.")] = None,
    where: Annotated[
        str | None,
        typer.Option("--where", metavar="SQL", help="A condition on assets, applied before the search."),
    ] = None,
    k: Annotated[int, typer.Option("-k", min=1, max=1_000_000_000, help="How many.")] = 20,
    lake: LakeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find assets by words, by a sound, or by both (fused by reciprocal rank)."""
    if text is None and like is None:
        raise typer.BadParameter("give words, --like FILE, or both", param_hint="TEXT")
    require("lancedb", "sonolake search")
    with open_lake(ctx, lake) as opened:
        from sonolake.search import search as find

        answer = find(opened, text, like, where, k)
    rows = answer.to_pylist()
    typer.echo((answer.schema.metadata or {}).get(b"searched", b"").decode(), err=True)
    if as_json:
        show_json(rows)
        return
    for row in rows:
        row["found by"] = ", ".join(f"{one['query']} {one['rank']}" for one in row["found_by"])
        row["at"] = _span(row)
        row["title or item"] = row["title"] or row["item"] or row["source_id"]
        row["event or kind"] = row["event"] or row["kind"]
    show_rows(
        rows,
        ["rank", "title or item", "event or kind", "licence", "at", "found by", "asset_id"],
        "Nothing fits that condition.",
    )


def _span(row: dict[str, Any]) -> str | None:
    return None if row["start_s"] is None else f"{row['start_s']:.2f}-{row['end_s']:.2f} s"

"""``sonolake quarantine``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from sonolake.cli.opening import JsonOption, LakeOption, open_lake
from sonolake.cli.printing import show_json, show_rows

_CHOSEN = "FROM quarantine WHERE ($reason IS NULL OR reason = $reason) AND ($step IS NULL OR step = $step)"
_ITEMS = f"SELECT step, source, item, reason, detail, asset_id {_CHOSEN} ORDER BY step, item, asset_id"
_SUMMARY = f"""
SELECT step, reason, count(*) AS items, min(item) AS example {_CHOSEN} GROUP BY ALL ORDER BY step, items DESC, reason
"""


def quarantine(
    ctx: typer.Context,
    reason: Annotated[str | None, typer.Option(help="Only this reason code, such as truncated.")] = None,
    step: Annotated[str | None, typer.Option(help="Only this step, such as ingest-take.")] = None,
    summary: Annotated[bool, typer.Option("--summary", help="Count by step and reason.")] = False,
    limit: Annotated[
        int, typer.Option("-n", min=1, max=1_000_000_000, help="How many are shown; JSON has all.")
    ] = 50,
    lake: LakeOption = None,
    as_json: JsonOption = False,
) -> None:
    """List what was refused, and why."""
    with open_lake(ctx, lake) as opened:
        rows = opened.rows(_SUMMARY if summary else _ITEMS, {"reason": reason, "step": step})
        there = opened.rows(_SUMMARY, {"reason": None, "step": None}) if not rows else []
    if as_json:
        show_json(rows)
        return
    columns = ["step", "reason", "items", "example"] if summary else ["step", "item", "reason", "detail"]
    show_rows(
        rows[:limit],
        columns,
        _nothing(there),
    )
    if len(rows) > limit:
        typer.echo(f"({len(rows):,} rows, {limit} shown; -n shows more)")


def _nothing(there: Sequence[Mapping[str, Any]]) -> str:
    """What is said where no row was chosen; ``there`` are the steps and reasons that could have been."""
    if not there:
        return "Nothing is in quarantine."
    known = ", ".join(f"{row['reason']} (step {row['step']})" for row in there)
    return f"Nothing such is in quarantine; what is there has the reasons {known}."

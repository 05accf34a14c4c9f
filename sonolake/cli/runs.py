"""``sonolake runs``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sonolake.cli.opening import JsonOption, LakeOption, open_lake
from sonolake.cli.printing import moment, show_json, show_rows
from sonolake.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from sonolake.lake import Lake

_COUNTS = ("taken", "done", "already", "quarantined", "duplicates", "made")
_SUMS = ", ".join(f"coalesce(sum(c.{name}), 0)::BIGINT AS {name}" for name in _COUNTS)
_RUNS = f"""
SELECT r.run_id, r.flow, r.parameters, r.code_version, r.started, r.ended, r.outcome, {_SUMS}
FROM runs r LEFT JOIN step_counts c USING (run_id)
GROUP BY ALL ORDER BY r.started DESC, r.run_id LIMIT ?
"""
_STEPS = f"""
SELECT c.step, count(*) AS batches, {_SUMS} FROM step_counts c WHERE c.run_id = ? GROUP BY c.step ORDER BY min(c.batch)
"""
NO_END = "no end recorded"
"""Outcome shown of a run that is at work or was killed: the lake cannot tell which."""


def runs(
    ctx: typer.Context,
    run: Annotated[str | None, typer.Argument(help="One run, or how its id begins, for its steps.")] = None,
    limit: Annotated[int, typer.Option("-n", min=1, max=1_000_000_000, help="How many of the newest.")] = 20,
    lake: LakeOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the runs and what they did, or one run step by step."""
    with open_lake(ctx, lake) as opened:
        if run is not None:
            _show_run(opened, run, as_json)
            return
        rows = opened.rows(_RUNS, [limit])
    for row in rows:
        row["parameters"] = json.loads(row["parameters"] or "{}")
    if as_json:
        show_json(rows)
        return
    for row in rows:
        _for_people(row)
    columns = ["run_id", "flow", "started (UTC)", "seconds", "outcome", *_COUNTS]
    show_rows(rows, columns, "No run has written to this lake.")


def _for_people(row: dict[str, Any]) -> None:
    row["started (UTC)"] = moment(row["started"])
    row["seconds"] = (
        None if row["ended"] is None else round((row["ended"] - row["started"]).total_seconds(), 1)
    )
    row["outcome"] = row["outcome"] or NO_END


def _show_run(lake: Lake, prefix: str, as_json: bool) -> None:
    row = _found(lake, prefix)
    row["parameters"] = json.loads(row["parameters"] or "{}")
    row["steps"] = lake.rows(_STEPS, [row["run_id"]])
    if as_json:
        show_json(row)
        return
    _for_people(row)
    for name in ("run_id", "flow", "code_version", "started (UTC)", "seconds", "outcome"):
        typer.echo(f"{name:14}{'-' if row[name] is None else row[name]}")
    typer.echo(f"{'parameters':14}{json.dumps(row['parameters'], ensure_ascii=False)}\n")
    show_rows(row["steps"], ["step", "batches", *_COUNTS], "It has committed no batch.")


def _found(lake: Lake, prefix: str) -> dict[str, Any]:
    rows = lake.rows("SELECT * FROM runs WHERE starts_with(run_id, ?) ORDER BY run_id LIMIT 6", [prefix])
    if not rows:
        raise NotFound(f"no run whose id begins with {prefix!r}: `sonolake runs` lists them")
    if len(rows) > 1 and prefix not in [row["run_id"] for row in rows]:
        raise InvalidInput(
            "run", "the beginning of one run's id", prefix, f"it begins {len(rows)} or more of them"
        )
    return rows[0]

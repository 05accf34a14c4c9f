"""``sonolake tables`` and ``sonolake snapshots``: what the catalog says of itself."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sonolake.cli.opening import JsonOption, LakeOption, open_lake
from sonolake.cli.printing import moment, show_json, show_rows
from sonolake.errors import NotFound

if TYPE_CHECKING:
    from sonolake.lake import Lake

_UNIT = re.compile(r"\[([^\]]+)\] (.*)", re.DOTALL)


def tables(
    ctx: typer.Context,
    name: Annotated[str | None, typer.Argument(help="One table, for its columns.")] = None,
    lake: LakeOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the tables, or one table's columns with their units and meaning."""
    with open_lake(ctx, lake) as opened:
        described = _described(opened)
        if name is not None and name not in described:
            raise NotFound(f"no table {name!r}; there are {', '.join(described)}")
        chosen = described if name is None else {name: described[name]}
        for table, entry in chosen.items():
            entry["rows"] = opened.rows(f'SELECT count(*) AS n FROM "{table}"')[0]["n"]
    if as_json:
        show_json(list(chosen.values()) if name is None else chosen[name])
    elif name is None:
        show_rows(list(chosen.values()), ["table", "rows", "meaning"], "There are no tables.")
    else:
        typer.echo(f"{name}: {chosen[name]['meaning']} ({chosen[name]['rows']:,} rows)\n")
        show_rows(chosen[name]["columns"], ["column", "type", "unit", "meaning"], "It has no columns.")


def _described(lake: Lake) -> dict[str, dict[str, Any]]:
    """Every table with its meaning and columns, from the catalog's comments."""
    found: dict[str, dict[str, Any]] = {}
    for row in lake.columns().to_pylist():
        entry = found.setdefault(
            row["table_name"],
            {"table": row["table_name"], "rows": 0, "meaning": row["about"] or "", "columns": []},
        )
        unit = _UNIT.fullmatch(row["meaning"] or "")
        column = {"column": row["column_name"], "type": row["type"], "unit": unit[1] if unit else ""}
        entry["columns"].append({**column, "meaning": unit[2] if unit else row["meaning"] or ""})
    return found


def snapshots(
    ctx: typer.Context,
    limit: Annotated[int, typer.Option("-n", min=1, max=1_000_000_000, help="How many of the newest.")] = 50,
    lake: LakeOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the newest snapshots: when, by whom, what for, in which run."""
    import json

    with open_lake(ctx, lake) as opened:
        rows = opened.snapshots().to_pylist()[-limit:]
    for row in rows:
        extra = json.loads(row["extra_info"] or "{}")
        row |= {"snapshot": row.pop("snapshot_id"), "extra_info": extra, "run": extra.get("run")}
    if as_json:
        show_json(rows)
        return
    for row in rows:
        row["time (UTC)"] = moment(row["snapshot_time"])
    show_rows(rows, ["snapshot", "time (UTC)", "author", "message", "run"], "There are no snapshots.")

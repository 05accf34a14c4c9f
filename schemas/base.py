"""From a schema to what the lake needs to know of a table, and from rows to the rows that keep its rules."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import dataframely as dy
import polars as pl

from sonolake.errors import InvalidInput, ItemRefused
from sonolake.lake.spec import Column, TableSpec

SPLITS = ("train", "validation", "test")
"""The three splits, in their order."""
SPLIT = r"^(train|validation|test)$"
"""A split as a rule on strings, since DuckLake has no enumerations."""

_TYPES: dict[type[Any], str] = {
    pl.String: "VARCHAR",
    pl.Int64: "BIGINT",
    pl.Float64: "DOUBLE",
    pl.Boolean: "BOOLEAN",
}


def column(kind: type[dy.Column], meaning: str, unit: str = "", **rules: Any) -> Any:
    """A column of ``kind`` with its meaning and unit; ``rules`` are dataframely's own."""
    return kind(description=meaning, metadata={"unit": unit}, **rules)


def table_name(schema: type[dy.Schema]) -> str:
    """``SceneEvents`` is kept as ``scene_events``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", schema.__name__).lower()


def lake_spec(schema: type[dy.Schema]) -> TableSpec:
    """What the lake needs to know of ``schema``: columns with types, units and meanings, and the key."""
    columns = tuple(
        Column(name, _type(c.dtype), c.description or "", (c.metadata or {}).get("unit", ""))
        for name, c in schema.columns().items()
    )
    meaning = (schema.__doc__ or "").strip().splitlines()[0]
    return TableSpec(table_name(schema), columns, tuple(schema.primary_key()), meaning)


def _type(dtype: Any) -> str:
    if isinstance(dtype, pl.List):
        return f"{_type(dtype.inner)}[]"
    for known, name in _TYPES.items():
        if dtype == known:
            return name
    raise InvalidInput("column type", f"one of {sorted(_TYPES.values())} or a list of it", dtype)


def valid_rows(schema: type[dy.Schema], rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """``rows`` when all of them keep the rules of ``schema``.

    Raises:
        ItemRefused: ``breaks_schema``, naming the rules broken.
    """
    frame = pl.DataFrame(list(rows), schema=schema.create_empty().schema, strict=True)
    broken = schema.filter(frame).failure.counts()
    if broken:
        rules = ", ".join(f"{rule} ({count})" for rule, count in sorted(broken.items()))
        raise ItemRefused("breaks_schema", f"{table_name(schema)}: {rules}")
    return list(rows)

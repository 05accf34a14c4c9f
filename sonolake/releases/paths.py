"""Dotted paths into nested columns: ``events.reaction`` is a field of a struct, or of each struct in a list."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc


def holds_path(schema: pa.Schema, path: str) -> bool:
    """Does ``path`` lead to something in ``schema``?"""
    first, *rest = path.split(".")
    if first not in schema.names:
        return False
    kind = schema.field(first).type
    for name in rest:
        kind = kind.value_type if pa.types.is_list(kind) else kind
        if not pa.types.is_struct(kind) or kind.get_field_index(name) < 0:
            return False
        kind = kind.field(name).type
    return True


def values_at(table: pa.Table, path: str) -> list[Any]:
    """All values at ``path``, lists flattened, nulls left out; an absent path has none."""
    if not holds_path(table.schema, path):
        return []
    first, *rest = path.split(".")
    values = table[first].combine_chunks()
    values = _flat(values)
    for name in rest:
        values = _flat(pc.struct_field(values, name))
    return [v for v in values.to_pylist() if v is not None]


def _flat(values: pa.Array) -> pa.Array:
    return pc.list_flatten(values) if pa.types.is_list(values.type) else values

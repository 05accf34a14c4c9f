"""The leaves of nested columns: ``events.onset_s`` is a value, or a list of them, an item; as Arrow has it, in SQL."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pyarrow as pa

from sonolake.releases.records import AUDIO_COLUMN

SOUND = ("audio", AUDIO_COLUMN)
"""Columns of the sound, which is compared by its hash; the name in ``audio.path`` follows from id and bytes."""


class Leaf(NamedTuple):
    """Its type, and the expression in DuckDB's SQL that takes it out of a row."""

    kind: pa.DataType
    expression: str


def leaves_of(schema: pa.Schema) -> dict[str, Leaf]:
    """By dotted path, of all columns but the id and the sound."""
    return {
        f"{field.name}{path}": leaf
        for field in schema
        if field.name not in (*SOUND, "item_id")
        for path, leaf in _walk(field.type, quoted(field.name), 0)
    }


def _walk(kind: pa.DataType, expression: str, depth: int) -> Iterator[tuple[str, Leaf]]:
    if pa.types.is_struct(kind):
        for field in kind:
            inner = f"struct_extract({expression}, {_text(field.name)})"
            for path, leaf in _walk(field.type, inner, depth):
                yield f".{field.name}{path}", leaf
    elif pa.types.is_list(kind):
        one = f"x{depth}"
        for path, leaf in _walk(kind.value_type, one, depth + 1):
            each = (
                expression
                if leaf.expression == one
                else f"list_transform({expression}, lambda {one}: {leaf.expression})"
            )
            yield path, Leaf(pa.list_(leaf.kind), each)
    else:
        yield "", Leaf(kind, expression)


def quoted(name: str) -> str:
    """A name as SQL has it."""
    return '"' + name.replace('"', '""') + '"'


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"

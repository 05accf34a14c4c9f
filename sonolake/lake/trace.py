"""Lineage of one thing, in both directions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sonolake.errors import InvalidInput, NotFound
from sonolake.lake.step import Edge

if TYPE_CHECKING:
    from sonolake.lake.lake import Lake

_UP = """
WITH RECURSIVE reached AS (
    SELECT child, parent, role FROM lineage WHERE child = ?
    UNION SELECT l.child, l.parent, l.role FROM lineage l JOIN reached r ON l.child = r.parent
) FROM reached ORDER BY child, role, parent
"""
_DOWN = """
WITH RECURSIVE reached AS (
    SELECT child, parent, role FROM lineage WHERE parent = ?
    UNION SELECT l.child, l.parent, l.role FROM lineage l JOIN reached r ON l.parent = r.child
) FROM reached ORDER BY parent, role, child
"""
_KNOWN = """
SELECT id FROM (
    SELECT child AS id FROM lineage UNION SELECT parent FROM lineage UNION SELECT asset_id FROM assets
    UNION SELECT 'release:' || name || '@' || version FROM releases
) WHERE starts_with(id, $thing) OR id = 'release:' || $thing ORDER BY id LIMIT 6
"""
_NAMES = "SELECT asset_id, kind, coalesce(title, item, '') AS name FROM assets WHERE asset_id IN (SELECT unnest(?))"


@dataclass(frozen=True)
class Trace:
    """Every edge above and below ``thing``, and the kind and title of the assets among what they tie."""

    thing: str
    up: tuple[Edge, ...]
    down: tuple[Edge, ...]
    names: dict[str, str]


def trace(lake: Lake, thing: str) -> Trace:
    """All that ``thing`` was made from, and all that was made from it; cycles end.

    Args:
        lake: where to look.
        thing: an id, or how one begins; a release also as ``NAME@VERSION``.

    Raises:
        NotFound: when nothing has such an id.
        InvalidInput: when several ids begin so.
    """
    thing = _resolved(lake, thing)
    up, down = (tuple(Edge(**row) for row in lake.rows(query, [thing])) for query in (_UP, _DOWN))
    ids = {thing, *(end for edge in up + down for end in (edge.child, edge.parent))}
    named = lake.rows(_NAMES, [sorted(ids)])
    return Trace(thing, up, down, {r["asset_id"]: f"{r['kind']} {r['name']}".strip() for r in named})


def _resolved(lake: Lake, thing: str) -> str:
    if not thing:
        raise InvalidInput("id", "an id, or how one begins", thing, "a variable of a script that was empty")
    found: list[str] = [row["id"] for row in lake.rows(_KNOWN, {"thing": thing})]
    for exact in (thing, f"release:{thing}"):
        if exact in found:
            return exact
    if not found:
        raise NotFound(f"nothing in {lake.place} has an id that begins with {thing!r}")
    if len(found) > 1:
        raise InvalidInput("id", "the beginning of one id", thing, f"it begins {', '.join(found)}")
    return found[0]

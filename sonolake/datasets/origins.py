"""What released items are made from: lineage back to every source, and who is to be credited."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import pyarrow as pa

from sonolake.lake.declaring import has_table
from sonolake.lake.lake import Lake

_LINEAGE = """
WITH RECURSIVE edges AS (
    SELECT child, parent, role FROM lineage WHERE child IN (SELECT unnest($items))
    UNION
    SELECT l.child, l.parent, l.role FROM lineage l JOIN edges e ON l.child = e.parent)
SELECT DISTINCT child, parent, role FROM edges ORDER BY child, parent, role
"""

CHANGES = {
    "take": "trimmed, levelled, filtered by distance, mixed",
    "ambience": "looped, levelled, mixed",
    "response": "applied to other sounds",
    "foa": "cut to 10 s",
    "speech": "cut to utterances",
}
"""What was done to the sounds of each kind; sounds of other kinds are nobody's source."""

_SOURCES = """
SELECT asset_id, source_id, coalesce(title, item) AS title, author, licence, licence_url, source_url,
    kind AS changes, synthetic
FROM assets WHERE asset_id IN (SELECT unnest($parents)) AND kind IN (SELECT unnest($kinds)) ORDER BY asset_id
"""
_MAKERS = """
SELECT name AS asset_id, regexp_replace(name, '^voice:(.*)@[^@]*$', '\\1') AS source_id, title, author, licence,
    NULL::VARCHAR AS licence_url, NULL::VARCHAR AS source_url, changes, true AS synthetic
FROM credits WHERE name IN (SELECT unnest($parents)) ORDER BY name
"""


def lineage_of(lake: Lake, snapshot: int, items: list[str]) -> pa.Table:
    """Every edge from the items back: child, parent, role."""
    return lake.sql(_LINEAGE, {"items": items}, at=snapshot)


def sources_of(
    lake: Lake, snapshot: int, lineage: pa.Table, changes: Mapping[str, str] = CHANGES
) -> pa.Table:
    """A row for each sound, voice and writer that anything is made from, with what was done to it; the kinds of sounds
    that are sources are the keys of ``changes``."""
    there, parents = partial(lake.sql, at=snapshot), lineage["parent"].to_pylist()
    sounds: pa.Table = there(_SOURCES, {"parents": parents, "kinds": sorted(changes)})
    done = pa.array([changes[kind] for kind in sounds["changes"].to_pylist()], pa.string())
    sounds = sounds.set_column(sounds.column_names.index("changes"), "changes", done)
    if not has_table(there, "credits"):
        return sounds
    makers = there(_MAKERS, {"parents": parents})
    return pa.concat_tables([sounds, makers.select(sounds.column_names).cast(sounds.schema)])

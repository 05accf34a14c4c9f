"""What released items are made from: lineage back to every source, and who is to be credited."""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow as pa

from sonolake.lake.lake import Lake
from sonolake.models.registry import get

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


def lineage_of(lake: Lake, snapshot: int, items: list[str]) -> pa.Table:
    """Every edge from the items back: child, parent, role."""
    return lake.sql(_LINEAGE, {"items": items}, at=snapshot)


def sources_of(
    lake: Lake, snapshot: int, lineage: pa.Table, changes: Mapping[str, str] = CHANGES
) -> pa.Table:
    """A row for each sound and each voice that anything is made from, with what was done to it, by its kind."""
    parents = {"parents": lineage["parent"].to_pylist(), "kinds": sorted(changes)}
    sounds: pa.Table = lake.sql(_SOURCES, parents, at=snapshot)
    done = pa.array([changes[kind] for kind in sounds["changes"].to_pylist()], pa.string())
    sounds = sounds.set_column(sounds.column_names.index("changes"), "changes", done)
    voices = sorted({p for p in lineage["parent"].to_pylist() if p.startswith("voice:")})
    rows = [_voice_row(voice) for voice in voices]
    return pa.concat_tables([sounds, pa.Table.from_pylist(rows, schema=sounds.schema)])


def _voice_row(voice: str) -> dict[str, object]:
    spec = voice.removeprefix("voice:").partition("@")[0]
    return {
        "asset_id": voice,
        "source_id": spec,
        "title": f"Synthetic voice {spec}",
        "author": spec.partition(":")[0],
        "licence": get(spec).licence,
        "licence_url": None,
        "source_url": None,
        "changes": "spoke the dialogue",
        "synthetic": True,
    }

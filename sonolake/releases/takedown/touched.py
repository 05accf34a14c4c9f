"""Which releases credit a source: by their own attribution, one reading of each."""

from __future__ import annotations

import io
from collections import defaultdict
from collections.abc import Collection

from sonolake.errors import NotFound
from sonolake.lake.lake import Lake
from sonolake.releases.credits import credits_in
from sonolake.releases.layout import ATTRIBUTION_CSV
from sonolake.releases.on_record import path_of


def releases_crediting(lake: Lake, sources: Collection[str]) -> dict[str, dict[str, int]]:
    """By ``NAME@VERSION`` of what is published, how many items use each of ``sources``; others are left out."""
    found: dict[str, dict[str, int]] = {}
    rows = lake.rows(
        "SELECT name, version FROM releases WHERE state = 'published' ORDER BY name, snapshot, version"
    )
    for row in rows:
        try:
            text = lake.storage.read(f"releases/{path_of(row['name'], row['version'])}/{ATTRIBUTION_CSV}")
        except NotFound:
            continue
        used: dict[str, set[str]] = defaultdict(set)
        for one in credits_in(io.StringIO(text.decode("utf-8"))):
            if one["source_id"] in sources:
                used[one["source_id"]].update(one["items"].split())
        if used:
            found[f"{row['name']}@{row['version']}"] = {source: len(items) for source, items in used.items()}
    return found

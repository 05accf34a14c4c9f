"""Which releases credit a source: by their own attribution, one reading of each."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection

from sonolake.errors import NotFound
from sonolake.lake.lake import Lake
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
        credits = csv.DictReader(io.StringIO(text.decode("utf-8")))
        used = {one["source_id"]: int(one["used_in"]) for one in credits if one["source_id"] in sources}
        if used:
            found[f"{row['name']}@{row['version']}"] = used
    return found

"""The layers of a mix: which assets of the lake may be used, and the licence that follows from them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sonolake.errors import ItemRefused, Refused
from sonolake.lake.catalog import among
from sonolake.lake.lake import Lake
from sonolake.sources.licences import licence_of_mix, mixable


def usable_assets(lake: Lake, kind: str) -> list[dict[str, Any]]:
    """Assets of ``kind`` that may be mixed and released, with their partition; by id, so that order says nothing."""
    rows = lake.rows(
        "SELECT a.*, p.split FROM assets a LEFT JOIN partitions p ON p.item = a.asset_id AND p.kind = a.kind "
        "WHERE a.kind = ? ORDER BY a.asset_id",
        [kind],
    )
    return [row for row in rows if mixable(row["licence"] or "")]


def licences_of(lake: Lake, asset_ids: Iterable[str]) -> dict[str, str]:
    """Licence of each asset."""
    rows = lake.rows(
        f"SELECT asset_id, licence FROM assets WHERE asset_id IN {among(sorted(set(asset_ids)))}"
    )
    return {row["asset_id"]: row["licence"] for row in rows}


def mixed_licence(licences: Iterable[str]) -> str:
    """The licence of what is mixed from layers with these licences.

    Raises:
        ItemRefused: ``licence_conflict``, naming the licences that exclude each other.
    """
    try:
        return licence_of_mix(licences)
    except Refused as conflict:
        raise ItemRefused("licence_conflict", str(conflict)) from None

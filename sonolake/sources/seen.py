"""Items that a lake knows by their names: what was taken, is a duplicate, or was refused for good."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sonolake.lake import Lake
from sonolake.lake.catalog import among
from sonolake.lake.tombstones import TAKEN_DOWN
from sonolake.sources.intake import Intake

LASTING = ("gone", "conflicting_labels", "too_long", TAKEN_DOWN)
"""Reasons without an attempt that asking a source again does not change."""


def seen_items(
    lake: Lake, intake: Intake, items: Iterable[str], attempts: Mapping[str, str] | None = None
) -> set[str]:
    """Those of ``items``, names that stand for one and the same bytes, that need not be fetched for this intake.

    Args:
        lake: the lake.
        intake: how they would be taken.
        items: their names.
        attempts: by name, what each would be tried with (:meth:`Intake.attempt_of`): what was refused with another
            is tried again.
    """
    tried = attempts or {}
    names = among(items)
    taken = lake.rows(
        f"SELECT item FROM assets WHERE kind = ? AND item IN {names} "
        f"UNION SELECT item FROM duplicates WHERE item IN {names}",
        [intake.kind],
    )
    refused = lake.rows(
        f"SELECT item, reason, attempt FROM quarantine WHERE step = ? AND item IN {names}", [intake.step]
    )
    lasting = {
        row["item"]
        for row in refused
        if (row["reason"] in LASTING if not row["attempt"] else row["attempt"] == tried.get(row["item"]))
    }
    return {row["item"] for row in taken} | lasting

"""What a lake has of a list's addresses."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from sonolake.lake import Lake
from sonolake.lake.catalog import among
from sonolake.sources.intake import Intake
from sonolake.sources.seen import LASTING
from sonolake.sources.web.catalogue import PART


def on_record(lake: Lake, intake: Intake, attempts: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Of addresses that need not be asked for again, the ids of assets ("" for none) by the names of items.

    Args:
        lake: the lake.
        intake: how they are taken.
        attempts: by the address's name, what its items would be tried with (:meth:`Intake.attempt_of`): what was
            refused with another is tried again.
    """
    base = f"split_part(item, '{PART}', 1)"
    rows = lake.rows(
        f"SELECT {base} AS base, item, asset_id, '' AS reason, '' AS attempt FROM assets "
        f"WHERE kind = ? AND {base} IN {among(attempts)} "
        f"UNION SELECT {base}, item, asset_id, '', '' FROM duplicates WHERE {base} IN {among(attempts)} "
        f"UNION SELECT {base}, item, coalesce(asset_id, ''), reason, attempt FROM quarantine "
        f"WHERE step = ? AND {base} IN {among(attempts)}",
        [intake.kind, intake.step],
    )
    found: dict[str, dict[str, str]] = defaultdict(dict)
    open_still = set()
    for row in rows:
        name, reason, attempt = row["base"], row["reason"], row["attempt"]
        settled = not reason or (attempt == attempts[name] if attempt else reason in LASTING)
        if not settled:
            open_still.add(name)
        if row["asset_id"] or row["item"] not in found[name]:
            found[name][row["item"]] = row["asset_id"]
    return {name: items for name, items in found.items() if name not in open_still}

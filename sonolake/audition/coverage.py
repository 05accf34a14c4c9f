"""How many of the 30 takes each identifier has, by split (CARES, section 4, Audio assets)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from sonolake.audition.decisions import decisions_of
from sonolake.audition.takes import takes_of
from sonolake.cares.banks import Banks
from sonolake.lake.lake import Lake
from sonolake.splits.quotas import ASSETS, SPLITS


@dataclass(frozen=True)
class Coverage:
    """One identifier in one split.

    Attributes:
        event, split: which.
        takes: how many may be used.
        wanted: how many there should be.
        accepted: of the takes, those that somebody has accepted.
        single_source: of the takes, those that somebody has called one sound alone.
        rejected: how many were rejected beside them.
    """

    event: str
    split: str
    takes: int
    wanted: int
    accepted: int
    single_source: int
    rejected: int


def coverage(lake: Lake, banks: Banks) -> list[Coverage]:
    """A row an identifier and split, in the banks' order; takes without a split yet are under ``none``."""
    decided, there = decisions_of(lake), takes_of(lake)
    counts: dict[str, Counter[tuple[str, str]]] = {
        name: Counter() for name in ("takes", "accepted", "single_source", "rejected")
    }
    for take in there:
        place = take.event, take.split or "none"
        counts["takes"][place] += 1
        kept = decided.get(take.event, {}).get(take.asset_id)
        counts["accepted"][place] += bool(kept and kept.decision.verdict == "accept")
        counts["single_source"][place] += bool(kept and kept.decision.single_source)
    for place in _rejected(lake):
        counts["rejected"][place] += 1
    rows = []
    for event in banks.sounds:
        for split in (*SPLITS, "none"):
            numbers = {name: counter[event, split] for name, counter in counts.items()}
            if split != "none" or any(numbers.values()):
                rows.append(Coverage(event, split, wanted=ASSETS.get(split, 0), **numbers))
    return rows


def _rejected(lake: Lake) -> list[tuple[str, str]]:
    """Identifier and split of each rejected take."""
    splits = {
        row["item"]: row["split"]
        for row in lake.rows("SELECT item, split FROM partitions WHERE kind = 'take'")
    }
    return [
        (event, splits.get(asset_id, "none"))
        for event, takes in decisions_of(lake).items()
        for asset_id, kept in takes.items()
        if kept.decision.verdict == "reject"
    ]

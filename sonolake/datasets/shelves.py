"""What the items of one split may be made from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sonolake.errors import InvalidInput
from sonolake.ids import make_id
from sonolake.lake.lake import Lake
from sonolake.sources.licences import mixable
from sonolake.splits import SPLITS

Asset = Mapping[str, Any]
"""A row of ``assets``."""

KINDS = ("take", "ambience", "response", "foa", "speech")
"""Kinds of assets that have a split: by partition, by room (four channels), or by source (speech)."""

_QUERY = """
SELECT a.*, coalesce(p.split, r.split, s.split) AS split FROM assets a
LEFT JOIN partitions p ON p.item = a.asset_id AND p.kind = a.kind
LEFT JOIN splits r ON r.kind = 'room' AND r.item = a.room AND a.kind IN ('response', 'foa') AND a.channels >= 4
LEFT JOIN splits s ON s.kind = 'source' AND s.item = a.source_id AND a.kind = 'speech'
WHERE a.kind = ? ORDER BY a.asset_id
"""


@dataclass(frozen=True)
class Shelf:
    """The sounds of one split that may be changed and released, by kind, each kind ordered by asset id."""

    split: str
    assets: Mapping[str, Sequence[Asset]]

    @cached_property
    def digest(self) -> str:
        """A hash of what is on it."""
        ids = {kind: [asset["asset_id"] for asset in some] for kind, some in self.assets.items()}
        return make_id("shelf", {"split": self.split, "assets": ids})

    def of(self, kind: str) -> Sequence[Asset]:
        """The assets of a kind; empty when there are none."""
        return self.assets.get(kind, ())

    def by(self, kind: str, column: str) -> dict[Any, list[Asset]]:
        """The assets of a kind by a column such as ``event`` or ``location``, its values in order, nulls left out."""
        found: dict[Any, list[Asset]] = defaultdict(list)
        for asset in self.of(kind):
            if asset[column] is not None:
                found[asset[column]].append(asset)
        return {value: found[value] for value in sorted(found)}


def shelves(lake: Lake, kinds: Sequence[str]) -> dict[str, Shelf]:
    """The shelf of each split that has something of every kind asked for.

    Raises:
        InvalidInput: for a kind that has no split.
    """
    if unknown := [kind for kind in kinds if kind not in KINDS]:
        raise InvalidInput("kinds", f"some of {', '.join(KINDS)}", unknown)
    found: dict[str, dict[str, list[Asset]]] = {split: {} for split in SPLITS}
    for kind in kinds:
        for asset in lake.rows(_QUERY, [kind]):
            if asset["split"] and mixable(asset["licence"] or ""):
                found[asset["split"]].setdefault(kind, []).append(asset)
    return {split: Shelf(split, some) for split, some in found.items() if set(some) >= set(kinds)}

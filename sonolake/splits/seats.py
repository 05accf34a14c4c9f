"""Which split a new group gets: the one that lacks most.

Groups are seated from the largest down, ties in the order of a salted hash of their id, each in the split
whose count is furthest below its target (weight times the stratum's final size). Counted over the whole ledger
this keeps every count within the size of the largest group of its target, batch after batch, as long as
newcomers bring groups of their own (those that follow an old group go where that is).

Before that comes one rule: when no more groups are left than splits are empty, they go to the empty ones, so
that a stratum of three groups or more has something in each split. Where a target is smaller than one group
(three or four takes at 80/10/10) such a seat costs more than the quota; the distance is then below twice the
largest group. With fewer groups than splits, the first goes to train, the second to test.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sonolake.ids import sha256_hex
from sonolake.splits.records import LedgerRow

SALT = "sonolake/splits/1"
"""Part of every tie-break; another salt is another, equally good, draw."""


@dataclass(frozen=True)
class NewGroup:
    """A group without a split: its id, and how many members it has in each stratum."""

    group_id: str
    sizes: Mapping[str, int]

    @property
    def size(self) -> int:
        """How many members it has."""
        return sum(self.sizes.values())


class Tally:
    """Counts of one kind by stratum and split, with what each split lacks.

    Args:
        weights: positive whole weights by split, in seat order.
        rows: the ledger's rows of the kind.
        coming: the new groups, counted into every target.
    """

    def __init__(
        self, weights: Mapping[str, int], rows: Iterable[LedgerRow], coming: Sequence[NewGroup]
    ) -> None:
        self._weights = weights
        self._count: Counter[tuple[str, str]] = Counter((row.stratum, row.split) for row in rows)
        self._total: Counter[str] = Counter()
        for (stratum, _), count in self._count.items():
            self._total[stratum] += count
        self._left: Counter[str] = Counter()
        for group in coming:
            self._left.update(group.sizes.keys())
            self._total.update(group.sizes)

    def empty(self, stratum: str) -> list[str]:
        """The splits with a quota and no member, in seat order."""
        return [split for split in self._weights if not self._count[stratum, split]]

    def lack(self, group: NewGroup, split: str) -> int:
        """How far the split is below its targets where the group has members, scaled to whole numbers."""
        scale = sum(self._weights.values())
        return sum(
            size * (self._weights[split] * self._total[stratum] - scale * self._count[stratum, split])
            for stratum, size in group.sizes.items()
        )

    def seat(self, group: NewGroup) -> str:
        """Chooses the group's split, the first in seat order among equals, and counts it there."""
        needy = [
            split
            for stratum in group.sizes
            if self._left[stratum] <= len(self.empty(stratum))
            for split in self.empty(stratum)
        ]
        open_to_it = [split for split in self._weights if split in needy] or list(self._weights)
        chosen = max(open_to_it, key=lambda split: self.lack(group, split))
        for stratum, size in group.sizes.items():
            self._count[stratum, chosen] += size
            self._left[stratum] -= 1
        return chosen


def seat_all(
    weights: Mapping[str, int], rows: Iterable[LedgerRow], groups: Sequence[NewGroup]
) -> dict[str, str]:
    """The split of each new group, by group id."""
    tally = Tally(weights, rows, groups)
    ordered = sorted(groups, key=lambda group: (-group.size, _draw(group.group_id)))
    return {group.group_id: tally.seat(group) for group in ordered}


def _draw(group_id: str) -> str:
    return sha256_hex(f"{SALT}\0{group_id}".encode())

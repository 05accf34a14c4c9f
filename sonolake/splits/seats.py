"""Which split a new group gets: the one that lacks most.

Groups are seated from the largest down, ties in the order of a salted hash of their id, each in the split
whose count is furthest below its target (weight times the stratum's final size). Counted over the whole ledger
this keeps every count within the size of the largest group of its target, batch after batch, as long as
newcomers bring groups of their own (those that follow an old group go where that is).

Before that comes one rule: when no more groups are left than splits are empty, they go to the empty ones, so
that a stratum of three groups or more has something in each split. Where a target is smaller than one group
(three or four takes at 80/10/10) such a seat costs more than the quota; the distance is then below twice the
largest group. With fewer groups than splits, the first goes to train, the second to test.

Pooled, the targets hold over all strata at once, and each stratum has its share of them: strata are seated one after
the other, each with what those before it, and earlier batches, left a split short of (as in systematic sampling of a
list in the order of its strata). So, of groups of one, a split is within one of its target in all, batch after batch,
and within two in each stratum of a batch; a stratum of one or two may miss a split.
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
        pooled: whether the targets hold over all strata at once.
    """

    def __init__(
        self,
        weights: Mapping[str, int],
        rows: Iterable[LedgerRow],
        coming: Sequence[NewGroup],
        pooled: bool = False,
    ) -> None:
        self._weights = weights
        self._pooled = pooled
        self._count: Counter[tuple[str, str]] = Counter((row.stratum, row.split) for row in rows)
        self._total: Counter[str] = Counter()
        for (stratum, _), count in self._count.items():
            self._total[stratum] += count
        self._left: Counter[str] = Counter()
        for group in coming:
            self._left.update(group.sizes.keys())
            self._total.update(group.sizes)

    def empty(self, strata: Iterable[str]) -> list[str]:
        """The splits with a quota and no member in any of these strata, in seat order."""
        some = list(strata)
        return [split for split in self._weights if not any(self._count[one, split] for one in some)]

    def lack(self, group: NewGroup, split: str) -> int:
        """How far the split is below its targets where the group has members, scaled to whole numbers.

        Pooled, the target is that of everybody who is seated and of who is to come in the group's strata.
        """
        weight, scale = self._weights[split], sum(self._weights.values())
        if self._pooled:
            coming = sum(self._total[one] for one in group.sizes) - self._seated(group.sizes, self._weights)
            everybody = self._seated(self._total, self._weights) + coming
            return weight * everybody - scale * self._seated(self._total, [split])
        return sum(
            size * (weight * self._total[stratum] - scale * self._count[stratum, split])
            for stratum, size in group.sizes.items()
        )

    def _seated(self, strata: Iterable[str], splits: Iterable[str]) -> int:
        some = list(splits)
        return sum(self._count[stratum, split] for stratum in strata for split in some)

    def seat(self, group: NewGroup) -> str:
        """Chooses the group's split, the first in seat order among equals, and counts it there."""
        needy = self._needy(group)
        open_to_it = [split for split in self._weights if split in needy] or list(self._weights)
        chosen = max(open_to_it, key=lambda split: self.lack(group, split))
        for stratum, size in group.sizes.items():
            self._count[stratum, chosen] += size
            self._left[stratum] -= 1
        return chosen

    def _needy(self, group: NewGroup) -> list[str]:
        """The splits that stay empty if too few groups are left for them."""
        counted = [list(self._total)] if self._pooled else [[stratum] for stratum in group.sizes]
        return [
            split
            for strata in counted
            if sum(self._left[stratum] for stratum in strata) <= len(self.empty(strata))
            for split in self.empty(strata)
        ]


def seat_all(
    weights: Mapping[str, int], rows: Iterable[LedgerRow], groups: Sequence[NewGroup], pooled: bool = False
) -> dict[str, str]:
    """The split of each new group, by group id."""
    tally = Tally(weights, rows, groups, pooled)

    def place(group: NewGroup) -> tuple[str, int, str]:
        stratum = _draw(min(group.sizes)) if pooled else ""
        return stratum, -group.size, _draw(group.group_id)

    return {group.group_id: tally.seat(group) for group in sorted(groups, key=place)}


def _draw(name: str) -> str:
    return sha256_hex(f"{SALT}\0{name}".encode())

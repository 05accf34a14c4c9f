"""In which order records come: a function of seed and epoch, so that any place in it can be found again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from sonolake.ids import rng_of

T = TypeVar("T")
Group = tuple[int, int, list[int]]
"""A row group: its number, its first row, and the rows of it that are wanted."""


@dataclass(frozen=True)
class Order:
    """That of the release, or with a seed another one in each epoch: shards, row groups and rows are shuffled.

    A shard's rows stay together, so that every shard is read once and one row group is held at a time.
    """

    seed: int | None = None
    epoch: int = 0

    def shards(self, numbers: Sequence[int]) -> list[int]:
        """The order of shards."""
        return self._shuffled(numbers, "shards")

    def groups(self, groups: Sequence[Group], shard: str) -> list[Group]:
        """The order of a shard's row groups, and of the rows in each."""
        return [
            (number, first, self._shuffled(rows, f"{shard} {number}"))
            for number, first, rows in self._shuffled(groups, shard)
        ]

    def _shuffled(self, things: Sequence[T], of: str) -> list[T]:
        if self.seed is None:
            return list(things)
        places = rng_of(f"{self.seed} {self.epoch} {of}", "order of records").permutation(len(things))
        return [things[place] for place in places]

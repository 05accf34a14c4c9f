"""Which items there are to be: those that are there, and the free slots up to the number asked for."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Generic

from sonolake.datasets.dataset import DataSet, R
from sonolake.datasets.shelves import Shelf, shelves
from sonolake.errors import InvalidInput, ItemRefused, NotFound
from sonolake.lake.lake import Lake
from sonolake.splits import Quotas
from sonolake.splits.places import free_places

ATTEMPTS = 20
"""How often a slot is drawn for until its recipe is a new one."""


@dataclass(frozen=True)
class Planned(Generic[R]):
    """An item that there is to be.

    Attributes:
        item: its id; the slot's where no recipe could be drawn.
        recipe: what it is made from; None for one that is there.
        refusal: why no recipe could be drawn.
        shelf: hash of what it was to be drawn from, where none could be.
    """

    item: str
    recipe: R | None = None
    refusal: ItemRefused | None = None
    shelf: str = ""


def plan_items(lake: Lake, data_set: DataSet[R], count: int) -> list[Planned[R]]:
    """The ``count`` items that there are to be in all: those that are there stay as they are, whatever came since.

    Raises:
        InvalidInput: for a count below 1.
        NotFound: when more are asked for than there are and no split has sounds of every kind.
    """
    if count < 1:
        raise InvalidInput("number of items", "1 or more", count)
    lake.declare(data_set.table)
    there = lake.rows(f"FROM {data_set.table.name} ORDER BY split, number")
    planned = [Planned[R](row["item_id"]) for row in there[:count]]
    if len(there) >= count:
        return planned
    usable = {s: shelf for s, shelf in shelves(lake, data_set.kinds).items() if s in data_set.shares}
    if not usable:
        raise NotFound(
            f"no item of {data_set.name} can be made: no split has sounds of every kind ({', '.join(data_set.kinds)}) "
            "that may be changed and released; take some in, and split them"
        )
    taken = {split: {row["number"] for row in there if row["split"] == split} for split in data_set.shares}
    contents = {data_set.recipe.from_record(json.loads(row["record"])).content for row in there}
    free = free_items(count, {split: data_set.shares[split] for split in usable}, taken)
    slots = [(split, number) for split, numbers in free.items() for number in numbers]
    return [*planned, *(_drawn(data_set, *slot, usable[slot[0]], contents) for slot in slots)]


def _drawn(data_set: DataSet[R], split: str, number: int, shelf: Shelf, contents: set[str]) -> Planned[R]:
    """What fills a slot: a recipe whose content is not among ``contents`` yet, and is from then on."""
    try:
        recipe = _new(data_set, split, number, shelf, contents)
    except ItemRefused as refusal:
        return Planned(data_set.slot(split, number).slot_id, None, refusal, shelf.digest)
    return Planned(recipe.item_id, recipe)


def _new(data_set: DataSet[R], split: str, number: int, shelf: Shelf, contents: set[str]) -> R:
    for attempt in range(ATTEMPTS):
        recipe = data_set.draw(data_set.slot(split, number, attempt), shelf)
        if (recipe.split, recipe.number) != (split, number):
            raise InvalidInput("slot of a recipe", f"{split} {number}", f"{recipe.split} {recipe.number}")
        if recipe.content not in contents:
            contents.add(recipe.content)
            return recipe
    raise ItemRefused("same_recipe", f"{ATTEMPTS} draws for {split} {number} gave what other items have")


def free_items(count: int, shares: Quotas, taken: Mapping[str, Collection[int]]) -> dict[str, list[int]]:
    """The numbers to fill in each split for ``count`` items in all, as near to the shares as may be."""
    return free_places(count, goals(count, shares), taken)


def goals(count: int, shares: Quotas) -> dict[str, int]:
    """How many of ``count`` items each split is to have: one after the other to the split that lacks most.

    What a split has never falls as ``count`` grows.
    """
    total = sum(shares.values())
    have = dict.fromkeys(shares, 0)
    for n in range(1, count + 1):
        name = max(have, key=lambda name: shares[name] * n - have[name] * total)
        have[name] += 1
    return have

"""Recipes: what an item is made from, frozen, and the hash of it all is the item's name."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from sonolake.errors import InvalidInput
from sonolake.ids import make_id, rng_of
from sonolake.serial import plain, read
from sonolake.splits import SPLITS


@dataclass(frozen=True)
class Slot:
    """A place that one item is to fill: the ``number``-th, from 0, of a data set's ``split``.

    All that is drawn for an item is drawn from its slot, so that neither order nor the number of items matters. A slot
    is drawn for again, as another ``attempt``, while what comes is a recipe that another item has.
    """

    data_set: str
    split: str
    number: int
    attempt: int = 0

    @property
    def slot_id(self) -> str:
        """``slot-`` and 20 hexadecimal digits, the same for each attempt."""
        return make_id("slot", {"data_set": self.data_set, "split": self.split, "number": self.number})

    def rng(self, purpose: str = "") -> np.random.Generator:
        """A generator for this slot and attempt; ``purpose`` keeps independent draws apart."""
        return rng_of(self.slot_id, f"{self.attempt} {purpose}")


@dataclass(frozen=True)
class Recipe(ABC):
    """What one item is made from.

    A subclass is a frozen dataclass as well; its fields are numbers, texts, truth values, tuples of these, or frozen
    dataclasses of such fields. It says in :meth:`layers` which sounds are heard.

    Attributes:
        split: ``train``, ``validation`` or ``test``.
        number: of the slot within the split, from 0.
    """

    split: str
    number: int

    KIND: ClassVar[str] = "item"
    """Begins the item's id: ``item-`` and 20 hexadecimal digits."""

    def __post_init__(self) -> None:
        if self.split not in SPLITS or self.number < 0:
            raise InvalidInput("slot", f"one of {SPLITS} and a number from 0", (self.split, self.number))

    @property
    def item_id(self) -> str:
        """The item's name: the same recipe has the same one, in any lake."""
        return make_id(self.KIND, self.to_record())

    @abstractmethod
    def layers(self) -> Mapping[str, str]:
        """The assets that are heard, each with its role, which is its kind, such as ``take``."""

    def to_record(self) -> dict[str, Any]:
        """The recipe as dictionaries, lists and JSON scalars."""
        record: dict[str, Any] = plain(self)
        return record

    @property
    def content(self) -> str:
        """A hash of all but the slot: two items with the same content would sound alike."""
        return make_id("content", {k: v for k, v in self.to_record().items() if k not in ("split", "number")})

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Self:
        """The recipe of :meth:`to_record`.

        Raises:
            InvalidInput: for missing or unknown fields, and for what the recipe itself refuses.
        """
        return read(cls, record)

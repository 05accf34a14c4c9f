"""A data set of one's own, declared: what its items are made from, how they sound, and what is told of each."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, TypeVar

from sonolake.audio.signals import Signal
from sonolake.datasets.recipe import Recipe, Slot
from sonolake.datasets.shelves import KINDS, Shelf
from sonolake.datasets.sounds import Sounds
from sonolake.errors import InvalidInput
from sonolake.lake.spec import Column, TableSpec
from sonolake.releases.layout import checked_name
from sonolake.releases.samples import Chart, Direction, Line, Quiz, Track
from sonolake.splits import SPLITS, TEMPLATES, Quotas

R = TypeVar("R", bound=Recipe)

FIRST = (
    Column("item_id", "VARCHAR", "hash of the recipe"),
    Column("split", "VARCHAR", "train, validation or test"),
    Column("number", "BIGINT", "place within the split, from 0"),
    Column("asset_id", "VARCHAR", "SHA-256 of the sound, FLAC, in media"),
    Column("duration_s", "DOUBLE", "length", "s"),
    Column("licence", "VARCHAR", "licence that follows from all layers"),
)
LAST = (Column("record", "VARCHAR", "the recipe that makes the item again, a JSON object"),)
"""Columns that every data set has, around its own."""


@dataclass(frozen=True)
class Rendered:
    """An item as it is heard.

    Attributes:
        samples: float64 ``(frames,)`` or ``(frames, channels)`` within ±1.0; kept as 16 bits, rounded half to even.
        rate: Hz.
        columns: a value for each of the data set's own columns.
        title: what a person calls it.
    """

    samples: Signal
    rate: int
    columns: Mapping[str, object]
    title: str = ""


@dataclass(frozen=True)
class Shown:
    """What a release's report tells of an item beside its sound and spectrogram."""

    title: str
    facts: tuple[tuple[str, str], ...] = ()
    tracks: tuple[Track, ...] = ()
    transcript: tuple[Line, ...] = ()
    directions: tuple[Direction, ...] = ()
    quizzes: tuple[Quiz, ...] = ()


def show_nothing(row: Mapping[str, Any]) -> Shown:
    """The item's id is all there is to tell."""
    return Shown(str(row["item_id"]))


@dataclass(frozen=True)
class DataSet(Generic[R]):
    """A data set.

    Attributes:
        name: of its config in releases; its table has ``_`` for ``-``.
        title, description: what a person calls it, and one or two sentences.
        recipe: class of its recipes.
        kinds: kinds of assets that items are made from; a split needs something of each.
        draw: from a slot and what its split may use to a recipe; raises ``ItemRefused`` for a slot that cannot be
            filled. It draws with ``slot.rng()`` and nothing else.
        render: from a recipe to the item: a pure function; raises ``ItemRefused`` for an item that cannot be made.
        columns: what the table tells of an item, beside what every table has.
        code_version: raised when ``draw`` or ``render`` could come out otherwise; what was refused is tried again.
        shares: whole weights of the splits.
        changes: what is done to a sound of each kind, for the attribution; ``cut, levelled, mixed`` when left out.
        tasks: tasks in the words of the Hugging Face hub.
        charts: columns that the report counts, as (title, column, unit).
        show: what the report tells of an item, from its row.

    Raises:
        InvalidInput: for a name, kinds, shares or columns that cannot be.
    """

    name: str
    title: str
    description: str
    recipe: type[R]
    kinds: tuple[str, ...]
    draw: Callable[[Slot, Shelf], R]
    render: Callable[[R, Sounds], Rendered]
    columns: tuple[Column, ...]
    code_version: str = "1"
    shares: Quotas = field(default_factory=lambda: TEMPLATES)
    changes: Mapping[str, str] = field(default_factory=dict)
    tasks: tuple[str, ...] = ()
    charts: tuple[tuple[str, str, str], ...] = ()
    show: Callable[[Mapping[str, Any]], Shown] = show_nothing

    def __post_init__(self) -> None:
        checked_name("data set", self.name)
        if not self.kinds or not set(self.kinds) <= set(KINDS):
            raise InvalidInput(f"kinds of {self.name}", f"some of {', '.join(KINDS)}", self.kinds)
        if not set(self.shares) <= set(SPLITS) or not all(weight > 0 for weight in self.shares.values()):
            raise InvalidInput(
                f"shares of {self.name}", f"weights over 0 of some of {SPLITS}", dict(self.shares)
            )
        if missing := {column for _, column, _ in self.charts} - {column.name for column in self.columns}:
            raise InvalidInput(f"charts of {self.name}", "columns of its own", sorted(missing))
        _ = self.table

    @cached_property
    def table(self) -> TableSpec:
        """Its table, to be declared to a lake."""
        columns = (*FIRST, *self.columns, *LAST)
        return TableSpec(self.name.replace("-", "_").replace(".", "_"), columns, ("item_id",), self.title)

    @property
    def step(self) -> str:
        """Name of the step that makes its items."""
        return f"make-{self.name}"

    def slot(self, split: str, number: int, attempt: int = 0) -> Slot:
        """A place in a split."""
        return Slot(self.name, split, number, attempt)

    def report_charts(self) -> tuple[Chart, ...]:
        """Its charts, as a release draws them."""
        return tuple(Chart(title, self.name, column, unit) for title, column, unit in self.charts)


def data_set_at(spec: str) -> DataSet[Any]:
    """The data set that ``MODULE:NAME`` names; modules of the folder we are in are found, too.

    Raises:
        InvalidInput: for another form, a module that cannot be imported, or a name that is no data set.
    """
    module, _, name = spec.partition(":")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)
    try:
        found = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise InvalidInput("data set", "MODULE:NAME of a DataSet", spec, str(error)) from None
    if not isinstance(found, DataSet):
        raise InvalidInput("data set", "MODULE:NAME of a DataSet", spec, f"it is a {type(found).__name__}")
    return found

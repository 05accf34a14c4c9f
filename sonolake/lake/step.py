"""A step: takes items, accounts for each of them, and commits once a batch.

Every item taken ends as exactly one of done, already, quarantined or duplicate; rows, quarantine, duplicates, lineage
and counts of a batch are one commit. A killed step leaves whole batches or nothing, and running it again does only
what is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from sonolake.errors import InvalidInput, ItemRefused, WorldError
from sonolake.lake.catalog import among
from sonolake.lake.transaction import Transaction

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True)
class Edge:
    """``child`` was made from ``parent``, which played ``role``."""

    child: str
    parent: str
    role: str


@dataclass(frozen=True)
class Done:
    """An item accepted, with the rows it adds to each table, their lineage, and how many things were made of it."""

    rows: Mapping[str, Sequence[Mapping[str, object]]] = field(default_factory=dict)
    edges: tuple[Edge, ...] = ()
    made: int = 0


@dataclass(frozen=True)
class Already:
    """An item seen before, unchanged."""


@dataclass(frozen=True)
class Quarantined:
    """An item refused, with a reason code, one sentence, and the id of its bytes in media where there are any.

    ``attempt`` is the hash of what it was tried with, where that differs from the batch's.
    """

    reason: str
    detail: str
    asset_id: str | None = None
    attempt: str = ""


@dataclass(frozen=True)
class Duplicate:
    """An item whose sound is there already as asset ``of``; ``how`` is bytes, samples or sound."""

    asset_id: str
    of: str
    how: str
    source_id: str = ""


Outcome = Done | Already | Quarantined | Duplicate
Settle = Callable[[Transaction, "Batch"], None]


@dataclass
class Batch:
    """The items of one batch and what became of each.

    Args:
        step: name of the step.
        source: what the items were taken as, such as ``take``.
        attempt: hash of the parameters; what was refused under others is tried again.
        outcomes: what became of each item.
        fresh: tables for which the settlement made sure that the keys of the batch's rows are new.
    """

    step: str
    source: str = ""
    attempt: str = ""
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    fresh: set[str] = field(default_factory=set)

    def put(self, item: str, outcome: Outcome) -> None:
        """Account for ``item``.

        Raises:
            InvalidInput: when it was accounted for in this batch before.
        """
        if item in self.outcomes:
            raise InvalidInput(f"items of {self.step}", "each item once a batch", item)
        self.outcomes[item] = outcome

    def change(self, item: str, outcome: Outcome) -> None:
        """Replace what became of ``item``: what another writer committed meanwhile decides."""
        self.outcomes[item] = outcome

    def done(self) -> Iterator[tuple[str, Done]]:
        """The accepted items, in the order taken."""
        for item, outcome in list(self.outcomes.items()):
            if isinstance(outcome, Done):
                yield item, outcome

    def counts(self) -> Counts:
        """How many items went which way."""
        kinds = [type(outcome) for outcome in self.outcomes.values()]
        return Counts(
            taken=len(kinds),
            done=kinds.count(Done),
            already=kinds.count(Already),
            quarantined=kinds.count(Quarantined),
            duplicates=kinds.count(Duplicate),
            made=sum(o.made for _, o in self.done()),
        )


@dataclass(frozen=True)
class Counts:
    """Counts of a batch, step or run; ``taken = done + already + quarantined + duplicates``."""

    taken: int = 0
    done: int = 0
    already: int = 0
    quarantined: int = 0
    duplicates: int = 0
    made: int = 0

    def __post_init__(self) -> None:
        if self.taken != self.done + self.already + self.quarantined + self.duplicates:
            raise InvalidInput("counts", "taken = done + already + quarantined + duplicates", self)

    def __add__(self, other: Counts) -> Counts:
        return Counts(*(a + b for a, b in zip(self.values(), other.values(), strict=True)))

    def values(self) -> tuple[int, ...]:
        """taken, done, already, quarantined, duplicates, made."""
        return (self.taken, self.done, self.already, self.quarantined, self.duplicates, self.made)


def attempt(work: Callable[[T], R], item: T) -> R | Quarantined:
    """What ``work`` makes of ``item``; whatever goes wrong with it is a quarantine, never the end of the job.

    A missing package or a failure of the outside is not the item's fault and is raised.
    """
    try:
        return work(item)
    except ItemRefused as refusal:
        return Quarantined(refusal.reason, refusal.detail)
    except (ImportError, WorldError, MemoryError, OSError):
        raise
    except Exception as error:
        return Quarantined("internal_error", f"{type(error).__name__}: {error}")


def batches(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """``items`` in lists of at most ``size``."""
    chunk: list[T] = []
    for item in items:
        chunk.append(item)
        if len(chunk) == size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def keys_win(table: str, key: str) -> Settle:
    """A settlement for steps that make things: a key another writer has put into ``table`` meanwhile is ``already``."""

    def settle(tx: Transaction, batch: Batch) -> None:
        mine = {str(row[key]): item for item, done in batch.done() for row in done.rows.get(table, ())}
        there = tx.sql(f"SELECT {key} FROM {table} WHERE {key} IN {among(mine)}")
        for known in there[key].to_pylist():
            batch.change(mine[known], Already())

    return settle

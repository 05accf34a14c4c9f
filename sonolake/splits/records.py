"""The records of the split ledger: who asks for a place, who has one, and what came of asking."""

from __future__ import annotations

from dataclasses import dataclass, field

TRAIN, VALIDATION, TEST = "train", "validation", "test"

TIES_TWO_PARTITIONS = "ties_two_partitions"
"""Reason code of a newcomer that belongs together with items of two different splits."""


@dataclass(frozen=True)
class Member:
    """One item that asks for a split.

    Args:
        item: the item's name, unique within its kind.
        keys: what it must not be parted from, as namespaced text, such as ``source:freesound:12345``,
            ``pcm:<hash>``, ``speaker:p225`` or ``pack:farm``. Items that share a key share a split, across kinds too.
        stratum: where its quotas are counted (a take's event, an ambience's or a response's location), or what has
            its share of each split (a template's theme).
    """

    item: str
    keys: frozenset[str] = field(default_factory=frozenset)
    stratum: str = ""


@dataclass(frozen=True, order=True)
class LedgerRow:
    """One line of the ledger; never changed, never taken out, also when its item leaves the lake.

    Args:
        item: as in :class:`Member`.
        kind: ``template``, ``room``, ``speaker``, ``source``, ``take``, ``ambience`` or ``response``.
        group_id: the group that the item belongs to; a group has one split.
        split: ``train``, ``validation`` or ``test``.
        batch: a hash of the set of newcomers that came with it.
        stratum: as in :class:`Member`.
        keys: as in :class:`Member`, sorted; they tie later arrivals to this row.
    """

    item: str
    kind: str
    group_id: str
    split: str
    batch: str
    stratum: str = ""
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, order=True)
class SetAside:
    """A newcomer that gets no split.

    Args:
        item: as in :class:`Member`.
        reason: ``ties_two_partitions``.
        detail: one sentence for a person: through which keys, to which groups and splits.
    """

    item: str
    reason: str
    detail: str


@dataclass(frozen=True, order=True)
class Short:
    """A stratum that leaves a split empty.

    Args:
        stratum: as in :class:`Member`.
        groups: how many independent groups the stratum has.
        missing: the splits without a member, in the order train, validation, test.
    """

    stratum: str
    groups: int
    missing: tuple[str, ...]


@dataclass(frozen=True)
class Assignment:
    """What :func:`sonolake.splits.assign` decided.

    Args:
        rows: the lines to append to the ledger, sorted by item.
        set_aside: newcomers without a split, sorted by item.
        short: strata among the members asked about that leave a split empty, sorted.
        batch: the hash of the set of newcomers.
    """

    rows: tuple[LedgerRow, ...]
    set_aside: tuple[SetAside, ...]
    short: tuple[Short, ...]
    batch: str

"""The assignment itself: a pure function of the ledger so far and the set of newcomers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from sonolake.ids import make_id
from sonolake.splits.groups import Cluster, UnionFind, close_groups, merged, with_near
from sonolake.splits.quotas import SPLITS, Quotas, checked
from sonolake.splits.records import TIES_TWO_PARTITIONS, Assignment, LedgerRow, Member, SetAside, Short
from sonolake.splits.seats import NewGroup, seat_all


def assign(
    kind: str,
    members: Iterable[Member],
    ledger: Iterable[LedgerRow],
    quotas: Quotas,
    near: Iterable[tuple[str, str]] = (),
    pooled: bool = False,
) -> Assignment:
    """Gives every newcomer a split; nobody who has one moves.

    Args:
        kind: what the members are, such as ``take``.
        members: the batch, in any order; who has a row already is left alone and only lends its keys.
        ledger: every row so far. Rows of other kinds tie newcomers through shared keys (a sound used both as
            a take and as an ambience) but do not count in the quotas.
        quotas: whole weights by split, counted for each stratum; see :mod:`sonolake.splits.quotas`.
        near: pairs of items (of this kind) that sound alike.
        pooled: the quotas hold over all strata at once, and each stratum has its share of every split; see
            :mod:`sonolake.splits.seats`.

    Returns:
        The rows to append, who was set aside, and which strata leave a split empty (none are told when pooled).

    Raises:
        InvalidInput: quotas that make no sense, one item in two strata, or a key that names nothing.
    """
    weights = checked(quotas)
    ledger = list(ledger)
    asked = with_near(kind, members, near)
    clusters = close_groups(kind, asked, ledger)
    batch = make_id("batch", {"of": kind, "items": sorted(m.item for c in clusters for m in c.members)})
    own = [row for row in ledger if row.kind == kind]
    followers = [cluster for cluster in clusters if len(cluster.splits) == 1]
    settled = [row for cluster in followers for row in _follow(kind, cluster, batch)]
    founders = {_new_id(kind, cluster): cluster for cluster in clusters if not cluster.places}
    groups = [NewGroup(group_id, _sizes(cluster)) for group_id, cluster in founders.items()]
    chosen = seat_all(weights, [*own, *settled], groups, pooled)
    for group_id, cluster in founders.items():
        settled += _rows(kind, cluster, group_id, chosen[group_id], batch)
    aside = [line for cluster in clusters if len(cluster.splits) > 1 for line in _set_aside(cluster)]
    strata = {member.stratum for member in merged(asked)}
    short = () if pooled else shortages(weights, strata, [*own, *settled])
    return Assignment(tuple(sorted(settled)), tuple(sorted(aside)), short, batch)


def shortages(quotas: Quotas, strata: Iterable[str], rows: Iterable[LedgerRow]) -> tuple[Short, ...]:
    """The strata that leave a split with a quota empty, counting the groups closed over the rows' keys."""
    by_stratum: dict[str, list[LedgerRow]] = {stratum: [] for stratum in strata}
    for row in rows:
        if row.stratum in by_stratum:
            by_stratum[row.stratum].append(row)
    found = []
    for stratum, own in by_stratum.items():
        filled = {row.split for row in own}
        missing = tuple(split for split in SPLITS if quotas.get(split, 0) > 0 and split not in filled)
        if missing:
            found.append(Short(stratum, _count_groups(own), missing))
    return tuple(sorted(found))


def _count_groups(rows: list[LedgerRow]) -> int:
    sets = UnionFind()
    for row in rows:
        for key in row.keys:
            sets.union(f"group:{row.group_id}", f"key:{key}")
    return len({sets.find(f"group:{row.group_id}") for row in rows})


def _new_id(kind: str, cluster: Cluster) -> str:
    return make_id("group", {"of": kind, "items": [member.item for member in cluster.members]})


def _sizes(cluster: Cluster) -> Mapping[str, int]:
    return Counter(member.stratum for member in cluster.members)


def _follow(kind: str, cluster: Cluster, batch: str) -> list[LedgerRow]:
    place = next(iter(cluster.places))
    return _rows(kind, cluster, place.group_id, place.split, batch)


def _rows(kind: str, cluster: Cluster, group_id: str, split: str, batch: str) -> list[LedgerRow]:
    return [
        LedgerRow(member.item, kind, group_id, split, batch, member.stratum, tuple(sorted(member.keys)))
        for member in cluster.members
    ]


def _set_aside(cluster: Cluster) -> list[SetAside]:
    ties = "; ".join(
        f"{place.group_id} in {place.split} through {', '.join(keys)}"
        for place, keys in cluster.places.items()
    )
    company = len(cluster.members) - 1
    alone = f" (with {company} other newcomers tied to it)" if company else ""
    detail = f"belongs together with groups of {' and '.join(sorted(cluster.splits))}{alone}: {ties}"
    return [SetAside(member.item, TIES_TWO_PARTITIONS, detail) for member in cluster.members]

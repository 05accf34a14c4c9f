"""Who belongs together: groups closed over shared keys.

A key is anything two items must not be parted over: the source id, the hash of the decoded samples, a near
fingerprint, a pack or uploader. Keys that the ledger knows already lead a newcomer to its place; keys that
only newcomers carry tie these to each other. So two newcomers that each follow one old group are not tied by
it, and a newcomer that cannot be placed takes with it only those it is tied to by something new.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sonolake.errors import InvalidInput
from sonolake.splits.records import LedgerRow, Member


@dataclass(frozen=True)
class Place:
    """Where a key of the ledger leads: a group and its split."""

    group_id: str
    split: str


@dataclass(frozen=True)
class Cluster:
    """Newcomers that must share a split.

    Args:
        members: sorted by item.
        places: the old groups that they are tied to, each with the keys that do so.
    """

    members: tuple[Member, ...]
    places: Mapping[Place, tuple[str, ...]]

    @property
    def splits(self) -> frozenset[str]:
        """The splits of the old groups: none for a new group, more than one when it cannot be placed."""
        return frozenset(place.split for place in self.places)


def near_key(kind: str, item: str) -> str:
    """The key that every item owns by itself; carried by another item, it says that both are one sound."""
    return f"near:{kind}:{item}"


def with_near(kind: str, members: Iterable[Member], pairs: Iterable[tuple[str, str]]) -> list[Member]:
    """Members with the near-fingerprint ``pairs`` (item, item; in any order) turned into keys.

    Each member of a pair carries the other's key, so that the tie is kept in the rows of both; the other may
    be an item of the ledger.
    """
    by_item = {member.item: member for member in merged(members)}
    for pair in pairs:
        for carrier, named in (pair, pair[::-1]):
            if carrier in by_item:
                member = by_item[carrier]
                keys = member.keys | {near_key(kind, named)}
                by_item[carrier] = Member(member.item, keys, member.stratum)
    return [by_item[item] for item in sorted(by_item)]


def merged(members: Iterable[Member]) -> list[Member]:
    """One member an item, sorted; keys of an item named twice are united.

    Raises:
        InvalidInput: one item in two strata, or a key that names nothing.
    """
    by_item: dict[str, Member] = {}
    for member in members:
        _check_keys(member)
        known = by_item.setdefault(member.item, member)
        if known.stratum != member.stratum:
            strata = sorted((known.stratum, member.stratum))
            raise InvalidInput(f"strata of {member.item}", "one", strata, "one file listed under two events")
        by_item[member.item] = Member(member.item, known.keys | member.keys, member.stratum)
    return [by_item[item] for item in sorted(by_item)]


def _check_keys(member: Member) -> None:
    for key in member.keys:
        namespace, _, value = key.partition(":")
        if not namespace or not value:
            cause = "an empty source id or hash, which would tie strangers"
            raise InvalidInput(f"keys of {member.item}", "namespace:value", key, cause)


class UnionFind:
    """Disjoint sets of texts (Galler and Fischer 1964), with path halving; the smallest text names a set."""

    def __init__(self) -> None:
        self._parent: dict[str, str] = {}

    def find(self, node: str) -> str:
        """The name of the set that ``node`` is in; a set of its own when it was never seen."""
        self._parent.setdefault(node, node)
        while self._parent[node] != node:
            self._parent[node] = self._parent[self._parent[node]]
            node = self._parent[node]
        return node

    def union(self, one: str, other: str) -> None:
        """Makes one set of the two that hold ``one`` and ``other``."""
        first, second = sorted((self.find(one), self.find(other)))
        self._parent[second] = first


def places_of(kind: str, known: Iterable[Member], prior: Iterable[LedgerRow]) -> dict[str, set[Place]]:
    """Every key the ledger owns, with the groups it leads to; ``known`` adds keys to rows of this kind."""
    extra = {member.item: member.keys for member in known}
    places: dict[str, set[Place]] = {}
    for row in prior:
        more = extra.get(row.item, frozenset()) if row.kind == kind else frozenset()
        for key in {near_key(row.kind, row.item), *row.keys, *more}:
            places.setdefault(key, set()).add(Place(row.group_id, row.split))
    return places


def close_groups(kind: str, items: Iterable[Member], prior: Iterable[LedgerRow]) -> list[Cluster]:
    """The newcomers among ``items`` as clusters, each with the old groups it is tied to.

    Args:
        kind: the kind that the items are of.
        items: newcomers, and items that have a row already: these only lend their keys.
        prior: the ledger so far, of every kind that may share keys with this one.

    Returns:
        Clusters in the order of their smallest item; order and repetition of the input do not matter.
    """
    prior = list(prior)
    members = merged(items)
    rows = {row.item for row in prior if row.kind == kind}
    newcomers = [member for member in members if member.item not in rows]
    places = places_of(kind, (member for member in members if member.item in rows), prior)
    owned = {member.item: member.keys | {near_key(kind, member.item)} for member in newcomers}
    sets = UnionFind()
    for item, keys in owned.items():
        for key in keys:
            if key not in places:
                sets.union(near_key(kind, item), key)
    clusters: dict[str, list[Member]] = {}
    for member in newcomers:
        clusters.setdefault(sets.find(near_key(kind, member.item)), []).append(member)
    closed = [_cluster(found, owned, places) for found in clusters.values()]
    return sorted(closed, key=lambda cluster: cluster.members[0].item)


def _cluster(
    members: list[Member], owned: Mapping[str, frozenset[str]], places: Mapping[str, set[Place]]
) -> Cluster:
    reached: dict[Place, set[str]] = {}
    for member in members:
        for key in owned[member.item]:
            for place in places.get(key, ()):
                reached.setdefault(place, set()).add(key)
    ordered = sorted(reached, key=lambda place: (place.group_id, place.split))
    return Cluster(tuple(members), {place: tuple(sorted(reached[place])) for place in ordered})

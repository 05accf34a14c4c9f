"""Which sound each event of a batch gets."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from sonolake.cares.banks import Banks
from sonolake.cares.drawn import Drawn
from sonolake.cares.pool import Pool
from sonolake.cares.quotas import missing, shares
from sonolake.cares.records import Scenario
from sonolake.ids import rng_of, seed_of

RARE_SHARE = 0.05
"""Share of all scenarios whose pivot is a rare sound."""
RARE = "rare_events/"


def draw_events(
    planned: Sequence[Drawn], banks: Banks, pool: Pool, prior: Sequence[Scenario], batch: Mapping[str, int]
) -> dict[str, str]:
    """An event id for each key: never twice in a scene, all sounds of a place equally often there, within one.

    A sound draws each reaction as often as its share allows, in each split by itself: what one split has too few of,
    another one does not make up for, so that no split tells anything of another. ``batch`` is the number of scenarios
    allocated now in each split. Where splits have takes of different sounds, the sounds of a place are even within each
    split alone.
    """
    scene_size = Counter(d.slot_id for d in planned)
    used = _Used(prior)
    rare = _rare_pivots(planned, banks, pool, prior, batch)
    ordinary = sorted(
        (d for d in planned if d.key not in rare),
        key=lambda d: (-scene_size[d.slot_id], seed_of(d.key, "cares.event"), d.key),
    )
    left = _quotas(ordinary, banks, pool, used)
    goal = used.by_split()
    for (split, _), quota in left.items():
        goal[split].update(quota)
    chosen: dict[str, str] = {}
    present: dict[str, set[str]] = defaultdict(set)
    for d in sorted(
        (d for d in planned if d.key in rare), key=lambda d: (seed_of(d.key, "cares.event"), d.key)
    ):
        chosen[d.key] = min(rare[d.key], key=lambda e: (*used.rare(d.split, e), seed_of(d.key, e)))
        used.add(d.split, d.location, chosen[d.key], d.reaction)
    for d in ordinary:
        quota = left[d.split, d.location]
        free = [e for e in quota if e not in present[d.slot_id]]
        options = [e for e in free if quota[e] > 0] or free
        event = min(
            options,
            key=lambda e: (
                -min(quota[e], 0),
                used.share(d.split, e, d.reaction, goal[d.split][e]),
                -quota[e],
                seed_of(d.key, e),
            ),
        )
        quota[event] -= 1
        present[d.slot_id].add(event)
        used.add(d.split, d.location, event, d.reaction)
        chosen[d.key] = event
    return chosen


class _Used:
    """How often each sound was used in each split: in each place, and with each reaction."""

    def __init__(self, prior: Sequence[Scenario]) -> None:
        self.here: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        self._as_what: Counter[tuple[str, str, str]] = Counter()
        self._rare: Counter[tuple[str, str]] = Counter()
        for scenario in prior:
            for event in scenario.events:
                self.add(scenario.split, scenario.location, event.event_id, event.reaction)

    def add(self, split: str, location: str, event: str, reaction: str) -> None:
        if event.startswith(RARE):
            self._rare.update([(split, event), ("", event)])
            return
        self.here[split, location][event] += 1
        self._as_what[split, event, reaction] += 1

    def by_split(self) -> dict[str, Counter[str]]:
        """Uses of each ordinary sound so far, in all places together."""
        found: dict[str, Counter[str]] = defaultdict(Counter)
        for (split, _), some in self.here.items():
            found[split].update(some)
        return found

    def share(self, split: str, event: str, reaction: str, goal: int) -> float:
        """How much of the uses that a sound is to have in a split was for this reaction."""
        return self._as_what[split, event, reaction] / max(goal, 1)

    def rare(self, split: str, event: str) -> tuple[int, int]:
        """Uses of a rare sound over all and in a split."""
        return self._rare["", event], self._rare[split, event]


def _quotas(
    ordinary: Sequence[Drawn], banks: Banks, pool: Pool, used: _Used
) -> dict[tuple[str, str], Counter[str]]:
    """How often each sound is to be used now, by split and place; what does not go round, to whose turn it is."""
    sizes = Counter((d.split, d.location) for d in ordinary)
    quotas: dict[tuple[str, str], Counter[str]] = {}
    uses = used.by_split()
    for place in sorted({place for _, place in sizes}):
        splits = sorted({split for split, one in (*sizes, *used.here) if one == place})
        there = {s: [e for e in banks.pool(place) if e in pool.events.get(s, frozenset())] for s in splits}
        before = {s: [used.here[s, place][e] for e in there[s]] for s in splits}
        ranks = {s: _ranks(there[s], uses[s], f"{place} {s}") for s in splits}
        if len({tuple(some) for some in there.values()}) == 1:
            of_all = _ranks(there[splits[0]], sum(uses.values(), Counter()), place)
            dealt = shares(
                list(before.values()), [sizes[s, place] for s in splits], list(ranks.values()), of_all
            )
        else:
            dealt = [missing(before[s], sizes[s, place], ranks[s]) if there[s] else [] for s in splits]
        for s, row in zip(splits, dealt, strict=True):
            quotas[s, place] = Counter(dict(zip(there[s], row, strict=True)))
            uses[s].update(quotas[s, place])
    return quotas


def _ranks(events: Sequence[str], uses: Mapping[str, int], purpose: str) -> list[int]:
    """Whose turn it is: families of sounds take turns by their sizes, and in each the sound with the fewest ``uses``.

    A split so small that a place has fewer events than sounds hears as many of the place's own, in proportion, as a
    large one, and over the places all general sounds equally often.
    """
    families: dict[str, list[str]] = defaultdict(list)
    for event in sorted(events, key=lambda event: (uses.get(event, 0), seed_of(event, purpose), event)):
        families[event.partition("/")[0]].append(event)
    at = {
        event: ((n + rng_of(family, purpose).random()) / len(members), event)
        for family, members in families.items()
        for n, event in enumerate(members)
    }
    ranks = {event: rank for rank, event in enumerate(sorted(events, key=at.__getitem__))}
    return [ranks[event] for event in events]


def _rare_pivots(
    planned: Sequence[Drawn], banks: Banks, pool: Pool, prior: Sequence[Scenario], batch: Mapping[str, int]
) -> dict[str, list[str]]:
    """The pivots that are to be rare sounds, with their options: one scenario in twenty of each split's total."""
    total: Counter[str] = Counter(s.split for s in prior)
    have: Counter[str] = Counter(s.split for s in prior for e in s.events if e.event_id.startswith(RARE))
    total.update(batch)
    rare: dict[str, list[str]] = {}
    for d in sorted(planned, key=lambda d: (seed_of(d.key, "cares.rare"), d.key)):
        options = [e for e in banks.rare(d.location) if e in pool.events[d.split]]
        if d.reaction == "pivot" and options and have[d.split] < round(RARE_SHARE * total[d.split]):
            rare[d.key] = options
            have[d.split] += 1
    return rare

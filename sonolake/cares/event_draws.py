"""Which sound, which register and which layer each event of a batch gets."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sonolake.cares.banks import Banks
from sonolake.cares.pool import Pool
from sonolake.cares.quotas import deal
from sonolake.cares.records import LAYERS, EventSpec, Scenario
from sonolake.ids import seed_of

SUPPORTING_OF_20 = 7
"""Set-back events among twenty: a share of 0.35."""
RARE_SHARE = 0.05
"""Share of all scenarios whose pivot is a rare sound."""


@dataclass(frozen=True)
class Drawn:
    """An event to be: the ``rank``-th of a slot, before it has a sound."""

    slot_id: str
    rank: int
    split: str
    location: str
    reaction: str
    band: str

    @property
    def key(self) -> str:
        """Names the event within a batch."""
        return f"{self.slot_id}/{self.rank}"


def draw_events(
    planned: Sequence[Drawn], banks: Banks, pool: Pool, prior: Sequence[Scenario], batch: Mapping[str, int]
) -> dict[str, str]:
    """An event id for each key: never twice in a scene, used evenly in each location and by each reaction.

    Among the location's sounds that have a take in the split, the least used there comes first, then the one
    least used for this reaction, then a hash. ``batch`` is the number of scenarios allocated now in each split.
    """
    before = [(s, spec) for s in prior for spec in s.events]
    here = Counter((s.split, s.location, spec.event_id) for s, spec in before)
    as_what = Counter((spec.event_id, spec.reaction) for _, spec in before)
    rare = _rare_pivots(planned, banks, pool, prior, batch)
    pools = {
        (d.split, d.location): [e for e in banks.pool(d.location) if e in pool.events[d.split]]
        for d in planned
    }
    chosen: dict[str, str] = {}
    present: dict[str, set[str]] = defaultdict(set)
    for d in sorted(planned, key=lambda d: (seed_of(d.key, "cares.event"), d.key)):
        options: Sequence[str] = rare.get(d.key) or pools[d.split, d.location]
        event = min(
            (e for e in options if e not in present[d.slot_id]),
            key=lambda e: (
                here[d.split, d.location, e] // 2,
                as_what[e, d.reaction],
                here[d.split, d.location, e],
                seed_of(d.key, e),
            ),
        )
        present[d.slot_id].add(event)
        here[d.split, d.location, event] += 1
        as_what[event, d.reaction] += 1
        chosen[d.key] = event
    return chosen


def _rare_pivots(
    planned: Sequence[Drawn], banks: Banks, pool: Pool, prior: Sequence[Scenario], batch: Mapping[str, int]
) -> dict[str, list[str]]:
    """The pivots that are to be rare sounds, with their options: one scenario in twenty of each split's total."""
    total: Counter[str] = Counter(s.split for s in prior)
    have: Counter[str] = Counter(
        s.split for s in prior for e in s.events if e.event_id.startswith("rare_events/")
    )
    total.update(batch)
    rare: dict[str, list[str]] = {}
    for d in sorted(planned, key=lambda d: (seed_of(d.key, "cares.rare"), d.key)):
        options = [e for e in banks.rare(d.location) if e in pool.events[d.split]]
        if d.reaction == "pivot" and options and have[d.split] < round(RARE_SHARE * total[d.split]):
            rare[d.key] = options
            have[d.split] += 1
    return rare


def draw_registers(planned: Sequence[Drawn], banks: Banks, prior: Sequence[Scenario]) -> dict[str, str]:
    """A register for each event but the ambient ones, even within a reaction, distinct within a scene."""
    drawn: dict[str, str] = {}
    for reaction, bank in banks.reactions.items():
        values = tuple(r.register for r in bank.registers)
        events = [d for d in planned if d.reaction == reaction]
        if values and events:
            before = _prior_values(prior, reaction, lambda spec: str(spec.register))
            drawn.update(_distinct(events, deal(_by_split(events), values, before, "cares.register")))
    return drawn


def _distinct(events: Sequence[Drawn], dealt: dict[str, str]) -> dict[str, str]:
    """Trades registers between scenes of a split until no scene has one twice, where that can be had."""
    scenes: dict[str, list[str]] = defaultdict(list)
    for d in events:
        scenes[d.slot_id].append(d.key)
    keys_of = {split: sorted(keys) for split, keys in _by_split(events).items()}
    scene_of = {d.key: d.slot_id for d in events}
    split_of = {d.key: d.split for d in events}

    def others(key: str) -> set[str]:
        return {dealt[k] for k in scenes[scene_of[key]] if k != key}

    for key in sorted(dealt):
        if dealt[key] not in others(key):
            continue
        for partner in keys_of[split_of[key]]:
            if scene_of[partner] == scene_of[key]:
                continue
            if dealt[partner] not in others(key) and dealt[key] not in others(partner):
                dealt[key], dealt[partner] = dealt[partner], dealt[key]
                break
    return dealt


def draw_layers(planned: Sequence[Drawn], prior: Sequence[Scenario]) -> dict[str, str]:
    """A layer for each event: 7 of 20 set back, the same share for every reaction, so that level says nothing."""
    core, supporting = LAYERS
    wheel = tuple(
        (n, supporting if (n + 1) * SUPPORTING_OF_20 // 20 > n * SUPPORTING_OF_20 // 20 else core)
        for n in range(20)
    )
    drawn: dict[str, str] = {}
    for reaction in sorted({d.reaction for d in planned}):
        events = [d for d in planned if d.reaction == reaction]
        seen = _prior_values(prior, reaction, lambda spec: spec.layer)
        before = {split: list(_on_wheel(layers, wheel)) for split, layers in seen.items()}
        dealt = deal(_by_split(events), wheel, before, "cares.layer")
        drawn.update({key: layer for key, (_, layer) in dealt.items()})
    return drawn


def _on_wheel(layers: Iterable[str], wheel: Sequence[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Layers dealt before as places of the wheel, spread over the places of their layer."""
    turns: Counter[str] = Counter()
    for layer in layers:
        places = [place for place in wheel if place[1] == layer]
        yield places[turns[layer] % len(places)]
        turns[layer] += 1


def _by_split(events: Iterable[Drawn]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for d in events:
        found[d.split].append(d.key)
    return found


def _prior_values(
    prior: Sequence[Scenario], reaction: str, read: Callable[[EventSpec], str]
) -> dict[str, list[str]]:
    """A field of the earlier events of one reaction, by split."""
    found: dict[str, list[str]] = defaultdict(list)
    for scenario in prior:
        for spec in scenario.events:
            if spec.reaction == reaction:
                found[scenario.split].append(read(spec))
    return found

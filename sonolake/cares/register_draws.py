"""Which register each event gets: even within a reaction, distinct within a scene."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from sonolake.cares.banks import Banks
from sonolake.cares.drawn import Drawn, by_split, prior_values
from sonolake.cares.quotas import deal
from sonolake.cares.records import Scenario


def draw_registers(planned: Sequence[Drawn], banks: Banks, prior: Sequence[Scenario]) -> dict[str, str]:
    """A register for each event but the ambient ones, even within a reaction, distinct within a scene."""
    drawn: dict[str, str] = {}
    for reaction, bank in banks.reactions.items():
        values = tuple(r.register for r in bank.registers)
        events = [d for d in planned if d.reaction == reaction]
        if values and events:
            before = prior_values(prior, reaction, lambda spec: str(spec.register))
            drawn.update(_distinct(events, deal(by_split(events), values, before, "cares.register")))
    return drawn


def _distinct(events: Sequence[Drawn], dealt: dict[str, str]) -> dict[str, str]:
    """Trades registers between scenes of a split until no scene has one twice, where that can be had."""
    scenes: dict[str, list[str]] = defaultdict(list)
    for d in events:
        scenes[d.slot_id].append(d.key)
    keys_of = {split: sorted(keys) for split, keys in by_split(events).items()}
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

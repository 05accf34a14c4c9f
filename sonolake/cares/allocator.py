"""Who, where, what is heard and how it is reacted to, fixed before a word is written.

Marginals are even to plus or minus one over everything allocated so far and within each split: compositions,
locations, relations, gender pairs, registers and layers each have their own quotas
(:mod:`sonolake.cares.quotas`). The answer is a function of the set of slots and of what was allocated before:
the order of the slots does not matter, and adding more changes nothing that exists.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sonolake.cares.arrangements import arrange
from sonolake.cares.banks import Banks
from sonolake.cares.compositions import KEYS, reactions_of
from sonolake.cares.drawn import Drawn
from sonolake.cares.event_draws import draw_events
from sonolake.cares.layer_draws import draw_layers
from sonolake.cares.pool import Pool
from sonolake.cares.quotas import deal, deal_evenly, missing
from sonolake.cares.records import EventSpec, Scenario, Template
from sonolake.cares.register_draws import draw_registers
from sonolake.cares.topics import write_topic
from sonolake.errors import InvalidInput
from sonolake.ids import make_id, rng_of, seed_of


@dataclass(frozen=True)
class Slot:
    """A scenario to be: the ``number``-th of ``template``, in the template's ``split``."""

    template: Template
    number: int
    split: str

    @property
    def slot_id(self) -> str:
        """Seeds every draw for the scenario."""
        return make_id("slot", {"template": self.template.template_id, "number": self.number})


def slots(
    templates: Iterable[tuple[Template, str]], scenarios: int, prior: Sequence[Scenario] = ()
) -> tuple[Slot, ...]:
    """The slots still to be filled for ``scenarios`` in all, as even over the templates as can be.

    Args:
        templates: each with its split.
        scenarios: how many in all, those of ``prior`` included.
        prior: what was allocated before.
    """
    ordered = sorted(templates, key=lambda pair: (seed_of(pair[0].template_id, "slots"), pair[0].template_id))
    if not ordered:
        raise InvalidInput("templates", "at least one", 0)
    used: dict[str, int] = defaultdict(int)
    for scenario in prior:
        used[scenario.template_id] = max(used[scenario.template_id], scenario.number + 1)
    counts = [used[template.template_id] for template, _ in ordered]
    added = missing(counts, max(0, scenarios - len(prior)))
    return tuple(
        Slot(template, first + n, split)
        for (template, split), first, more in zip(ordered, counts, added, strict=True)
        for n in range(more)
    )


def allocate(
    wanted: Iterable[Slot], banks: Banks, pool: Pool, prior: Sequence[Scenario] = ()
) -> tuple[Scenario, ...]:
    """A scenario for each slot, ordered by slot id.

    Raises:
        InvalidInput: for a slot whose split has no sounds, or a location that has too few.
    """
    by_id = {slot.slot_id: slot for slot in wanted}
    if strays := {slot.split for slot in by_id.values()} - set(pool.events):
        raise InvalidInput("split of a slot", f"one of {sorted(pool.events)}", sorted(strays))
    dealt = _deal_dimensions(by_id, banks, pool, prior)
    compositions: dict[str, dict[str, str]] = defaultdict(dict)
    for slot_id, slot in by_id.items():
        compositions[slot.split][slot_id] = dealt["composition"][slot_id]
    arranged = arrange(compositions, prior)
    planned = [
        Drawn(slot_id, rank, by_id[slot_id].split, dealt["location"][slot_id], reaction, band)
        for slot_id in sorted(by_id)
        for rank, (reaction, band) in enumerate(arranged[slot_id])
    ]
    events = draw_events(planned, banks, pool, prior, Counter(slot.split for slot in by_id.values()))
    registers = draw_registers(planned, banks, prior)
    layers = draw_layers(planned, prior)
    specs: dict[str, list[EventSpec]] = defaultdict(list)
    for d in planned:
        spec = EventSpec(events[d.key], d.reaction, registers.get(d.key), d.band, layers[d.key])
        specs[d.slot_id].append(spec)
    return tuple(
        _scenario(by_id[slot_id], slot_id, dealt, specs[slot_id], banks) for slot_id in sorted(by_id)
    )


def _deal_dimensions(
    by_id: Mapping[str, Slot], banks: Banks, pool: Pool, prior: Sequence[Scenario]
) -> dict[str, dict[str, Any]]:
    """Composition, location, relation and gender pair of each slot id; the last three say nothing of the reactions."""
    items: dict[str, list[str]] = defaultdict(list)
    for slot_id, slot in by_id.items():
        items[slot.split].append(slot_id)
    before: dict[str, list[Scenario]] = defaultdict(list)
    for scenario in prior:
        before[scenario.split].append(scenario)
    compositions = {split: [s.composition for s in some] for split, some in before.items()}
    dealt: dict[str, dict[str, Any]] = {"composition": deal(items, KEYS, compositions, "cares.composition")}
    traits = {
        split: {slot_id: reactions_of(dealt["composition"][slot_id]) for slot_id in some}
        for split, some in items.items()
    }
    dimensions: dict[str, Sequence[str]] = {
        "location": pool.places(banks),
        "relation": tuple(banks.relations),
        "genders": pool.genders,
    }
    for name, values in dimensions.items():
        had = {
            split: [(getattr(s, name), tuple(e.reaction for e in s.events)) for s in some]
            for split, some in before.items()
        }
        dealt[name] = deal_evenly(traits, values, had, f"cares.{name}")
    return dealt


def _scenario(
    slot: Slot, slot_id: str, dealt: Mapping[str, Mapping[str, Any]], events: list[EventSpec], banks: Banks
) -> Scenario:
    relation = dealt["relation"][slot_id]
    first, second = banks.relations[relation].roles
    return Scenario.make(
        template_id=slot.template.template_id,
        number=slot.number,
        split=slot.split,
        composition=dealt["composition"][slot_id],
        location=dealt["location"][slot_id],
        relation=relation,
        roles=(second, first) if rng_of(slot_id, "roles").random() < 0.5 else (first, second),
        genders=dealt["genders"][slot_id],
        topic=write_topic(slot.template, slot_id),
        events=tuple(events),
    )

"""The embedded writer: a scenario as a dialogue, by grammar, without a model.

It says of itself that it is a grammar: its dialogues are plain and keep every rule of the checker, and they
vary by combination, not by invention.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from sonolake.cares.agenda import agenda
from sonolake.cares.allocator import Slot
from sonolake.cares.banks import Banks
from sonolake.cares.checker import check
from sonolake.cares.pivoting import span
from sonolake.cares.placing import place
from sonolake.cares.records import Event, Scenario, Template, Timeline, Utterance
from sonolake.cares.supply import Supply, supply_of
from sonolake.cares.talk import Talk
from sonolake.cares.templates import way_of
from sonolake.cares.topics import angle_of
from sonolake.cares.turns import Budget, Turns
from sonolake.errors import InvalidInput, ItemRefused
from sonolake.ids import rng_of

WRITER = "embedded-grammar:6"
"""Name and version of this writer, for the lineage."""
LICENCE = "CC0-1.0"
"""Of what it writes: its sentences are put together from the banks of this package, which asks for nothing."""
ATTEMPTS = 100


@dataclass(frozen=True)
class Length:
    """How long a dialogue gets.

    Attributes:
        utterances: numbers to choose from. A pivot allows as many more as there are events, and one.
        words: mean, standard deviation, fewest and most words of a dialogue; 0 leaves each turn at one sentence.
        after_sound: fewest words of a turn after a sound that is not remarked on nor breaks it off.
        pivot: by how much the words asked for change with a pivot, whose talk falls short of them less often.
    """

    utterances: tuple[int, ...]
    words: tuple[float, float, float, float]
    pivot: float = 0.0
    after_sound: int = 0


LENGTHS = {
    "paper": Length(tuple(range(8, 14)), (437.0, 72.0, 240.0, 640.0), -6.0),
    "short": Length((6, 7, 8), (0.0, 0.0, 0.0, 0.0), after_sound=24),
}
"""``paper``: 8 to 13 utterances, 120 ± 19 s when spoken (CARES, section 4). ``short``: 6 to 8, mostly one sentence."""


def write(scenario: Scenario, template: Template, banks: Banks, length: str = "paper") -> Timeline:
    """The dialogue of a scenario; equal arguments give equal words.

    Args:
        scenario: what is to happen.
        template: the scenario's template, of the embedded writer.
        banks: lines and matters.
        length: a name of :data:`LENGTHS`.

    Raises:
        InvalidInput: for a template that the embedded writer did not make.
        ItemRefused: ``dialogue_rejected``, when no attempt passes the checker.
    """
    findings: Sequence[object] = ()
    for attempt in range(ATTEMPTS):
        rng = rng_of(scenario.scenario_id, f"write {attempt}")
        timeline = _attempt(scenario, _supply(scenario, template, banks, rng), banks, length, rng)
        findings = check(timeline, scenario, banks, length)
        if not findings:
            return timeline
    raise ItemRefused("dialogue_rejected", f"{ATTEMPTS} attempts, the last with {findings[0]}")


def _supply(scenario: Scenario, template: Template, banks: Banks, rng: np.random.Generator) -> Supply:
    """What can be said about a template's matter by the scenario's two; whose it is, is drawn first."""
    details = dict(template.details)
    matter = banks.matters.get(details.get("matter", ""))
    if matter is None or details["trouble"] not in {t.trouble for t in matter.troubles}:
        raise InvalidInput(
            "template",
            "one that the embedded writer made of these banks",
            template.title,
            "an imported template needs a chat model or imported dialogues",
        )
    relation, location = banks.relations[scenario.relation], banks.locations[scenario.location]
    angle = angle_of(details, Slot(template, scenario.number, scenario.split).slot_id)
    why = relation.why.get(scenario.roles[_owner(scenario)], ())
    supply = supply_of(matter, details["trouble"], angle, why, location.here, relation.avoid, rng)
    return replace(supply, way=way_of(matter, details))


def _owner(scenario: Scenario) -> int:
    """Whose matter it is: 0 for A, 1 for B."""
    return int(rng_of(scenario.scenario_id, "owner").integers(2))


def _attempt(
    scenario: Scenario, supply: Supply, banks: Banks, length: str, rng: np.random.Generator
) -> Timeline:
    settings = LENGTHS[length]
    least, most = settings.utterances[0], settings.utterances[-1]
    if settings.pivot and any(event.reaction == "pivot" for event in scenario.events):
        least, most = least + 1, most + len(scenario.events) + 1
    count, positions = place(scenario.events, range(least, most + 1), rng)
    at = dict(zip(positions, scenario.events, strict=True))
    pivots = [index for index, event in at.items() if event.reaction == "pivot"]
    pivot = span(pivots[0], count, rng) if pivots else range(0)
    owner, owner_first = _owner(scenario), bool(rng.random() < 0.7)
    talk = Talk(banks.lines, supply, rng, brief=not settings.words[0])
    turns = Turns(talk, banks, _budget(settings, count, bool(pivot), rng), pivot, rng)
    items: list[Utterance | Event] = []
    for turn in agenda(count, owner_first, pivot, rng):
        if turn.index in at:
            items.append(Event(at[turn.index].event_id))
        speaker = "AB"[owner if turn.owner else 1 - owner]
        items.append(Utterance(speaker, turns.write(turn, at.get(turn.index))))
    return Timeline(tuple(items))


def _budget(settings: Length, count: int, pivot: bool, rng: np.random.Generator) -> Budget:
    mean, deviation, least, most = settings.words
    words = rng.normal(mean + (settings.pivot if pivot else 0.0), deviation)
    return Budget(float(np.clip(words, least, most)), count, settings.after_sound)

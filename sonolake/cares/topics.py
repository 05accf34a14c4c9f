"""A topic for each scenario: what the two talk about, in one sentence of 6 to 60 words."""

from __future__ import annotations

from dataclasses import dataclass

from sonolake.cares.persons import third_person
from sonolake.cares.phrases import capitalise, fill
from sonolake.cares.records import Template
from sonolake.ids import rng_of

_LINES = (
    "Whether to {winner} now that {thing} {trouble}, <when all that is wanted is|in order> to {hope}",
    "{thing} {trouble}, and to {loser} seems the obvious way, until it turns out to be better to {winner}",
    "How to deal with {thing}, which {trouble}, <for fear that|before> {worry}",
    "What speaks for it to {winner} and against it to {loser}, since {thing} {trouble}",
    "{thing} {trouble}, and the hope to {hope}, <which may mean|perhaps by deciding> to {winner}",
    "The worry that {worry}, because {thing} {trouble}, and the plan to {winner}",
)

ASKED_WORDS = 30
"""A topic is no longer where it can be had shorter."""


@dataclass(frozen=True)
class Angle:
    """What is particular to one scenario of a template: which way wins, and what is hoped and feared."""

    winner: str
    loser: str
    hope: str
    worry: str


def angle_of(details: dict[str, str], slot_id: str) -> Angle:
    """The angle of the scenario with that slot id; the topic and the dialogue agree on it."""
    rng = rng_of(slot_id, "angle")
    fixes = [details["fix1"], details["fix2"]]
    won, hope, worry = (int(rng.integers(2)) for _ in range(3))
    return Angle(fixes[won], fixes[1 - won], details[f"hope{hope + 1}"], details[f"worry{worry + 1}"])


def write_topic(template: Template, slot_id: str) -> str:
    """The topic of one scenario.

    A template that the embedded writer did not make gives one of its own topics, or its description.
    """
    details = dict(template.details)
    rng = rng_of(slot_id, "topic")
    if "matter" not in details:
        topics = [value for name, value in sorted(details.items()) if name.startswith("topic")]
        return topics[int(rng.integers(len(topics)))] if topics else template.description
    angle = angle_of(details, slot_id)
    slots = {**details, **vars(angle)}
    lines = [_LINES[i] for i in rng.permutation(len(_LINES))]
    topics = [capitalise(fill(line, lambda name: third_person(slots[name]), rng)) + "." for line in lines]
    return next(
        (t for t in topics if len(t.split()) <= ASKED_WORDS), min(topics, key=lambda t: len(t.split()))
    )

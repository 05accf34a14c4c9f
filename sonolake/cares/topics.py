"""A topic for each scenario: what the two talk about, in one sentence of 6 to 60 words."""

from __future__ import annotations

from dataclasses import dataclass

from sonolake.cares.persons import third_person
from sonolake.cares.phrases import capitalise, fill
from sonolake.cares.records import Template
from sonolake.ids import rng_of

_LINES = {
    "hope": (
        "Whether to {winner} now that {thing} {trouble}, <when all that is wanted is|in order> to {hope}",
        "How to {hope}, and why it may be best to {winner} <now that|since> {thing} {trouble}",
        "{thing} {trouble}, and the hope to {hope}, <which may mean|perhaps by deciding> to {winner}",
        "The wish to {hope}, and whether it would help to {winner} <now that|since> {thing} {trouble}",
    ),
    "worry": (
        "Whether to {winner} <before|for fear that> {worry}, since {thing} {trouble}",
        "{thing} {trouble}, there is a fear that {worry}, and it <looks wise|seems best> to {winner}",
        "The worry that {worry}, because {thing} {trouble}, and the plan to {winner}",
        "What to do before {worry}, now that {thing} {trouble}, and if it would help to {winner}",
    ),
}
_BRIEF = {
    "hope": (
        "With {thing}, whether to {winner} in order to {hope}",
        "How to {hope} with {thing}, and why it may be best to {winner}",
    ),
    "worry": (
        "With {thing}, whether to {winner} for fear that {worry}",
        "The worry that {worry}, with {thing}, and the plan to {winner}",
    ),
}
"""For what makes too long a sentence with its trouble."""

ASKED_WORDS = 30
"""Most words of a topic, where the phrases allow it."""


@dataclass(frozen=True)
class Angle:
    """What is particular to one scenario of a template: which way wins, what is hoped and feared, and which first."""

    winner: str
    loser: str
    hope: str
    worry: str
    first: str

    @property
    def gist(self) -> tuple[str, str]:
        """What the topic says of it: which way wins, and the hope or the fear that comes first."""
        return self.winner, self.hope if self.first == "hope" else self.worry


def angle_of(details: dict[str, str], slot_id: str) -> Angle:
    """The angle of the scenario with that slot id; the topic and the dialogue agree on it."""
    rng = rng_of(slot_id, "angle")
    fixes = [details["fix1"], details["fix2"]]
    won, hope, worry = (int(rng.integers(2)) for _ in range(3))
    first = ("hope", "worry")[int(rng.integers(2))]
    return Angle(fixes[won], fixes[1 - won], details[f"hope{hope + 1}"], details[f"worry{worry + 1}"], first)


def write_topic(template: Template, slot_id: str) -> str:
    """The topic of one scenario.

    A template that the embedded writer did not make gives one of its own topics, or its description.
    """
    details = dict(template.details)
    if "matter" in details:
        return _wordings(details, slot_id)[0]
    topics = [value for name, value in sorted(details.items()) if name.startswith("topic")]
    return topics[int(rng_of(slot_id, "topic").integers(len(topics)))] if topics else template.description


def reworded_topic(template: Template, slot_id: str) -> str | None:
    """The same topic, loosely reformulated; None for a template that the embedded writer did not make."""
    details = dict(template.details)
    return _wordings(details, slot_id)[1] if "matter" in details else None


def _wordings(details: dict[str, str], slot_id: str) -> list[str]:
    """Two wordings of the topic or more, those that are no longer than asked before others."""
    rng = rng_of(slot_id, "topic")
    angle = angle_of(details, slot_id)
    slots = {**details, **vars(angle)}

    def said(wordings: tuple[str, ...]) -> list[str]:
        lines = [wordings[i] for i in rng.permutation(len(wordings))]
        return [capitalise(fill(line, lambda name: third_person(slots[name]), rng)) + "." for line in lines]

    full, brief = said(_LINES[angle.first]), said(_BRIEF[angle.first])
    fitting = [topic for topic in (*full, *brief) if len(topic.split()) <= ASKED_WORDS]
    return list(dict.fromkeys([*fitting, *sorted(brief, key=lambda topic: len(topic.split()))]))

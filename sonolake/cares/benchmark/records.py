"""What the benchmark asks: one record an item."""

from __future__ import annotations

from dataclasses import dataclass

from sonolake.cares.records import REACTIONS
from sonolake.errors import InvalidInput

TASKS = ("reactions", "scene", "sounds", "summary", "muted")
"""Reaction classification, acoustic scene classification, audio tagging, summary recall, and the muted control."""
BUDGETS = (25, 75, 200)
"""Words a summary may have (in the paper: 200)."""


@dataclass(frozen=True)
class HeardSound:
    """A sound of a scene: identifier, what the benchmark calls it, reaction, and onset in seconds."""

    event: str
    name: str
    reaction: str
    onset_s: float

    def __post_init__(self) -> None:
        if self.reaction not in REACTIONS:
            raise InvalidInput("reaction", f"one of {REACTIONS}", self.reaction)


@dataclass(frozen=True)
class SceneFacts:
    """What is known of a scene: its place and its sounds in order of time."""

    scene_id: str
    location: str
    sounds: tuple[HeardSound, ...]


@dataclass(frozen=True)
class Item:
    """One question.

    Attributes:
        item_id: hash of what it is about, so that the same scene gives the same item.
        task: one of :data:`TASKS`.
        scene_id: whose audio is heard.
        event, at_s: the sound that is asked about, and its onset; empty and None for the whole scene.
        options: the choices in the order in which they are shown; empty for a summary.
        answer: the right one; empty for a summary.
        sounds: for a summary, what could be mentioned; else empty.
        of: for the muted control, the item of reaction classification that it repeats on audio without ``event``.
    """

    item_id: str
    task: str
    scene_id: str
    event: str
    at_s: float | None
    options: tuple[str, ...]
    answer: str
    sounds: tuple[HeardSound, ...] = ()
    of: str = ""

    def __post_init__(self) -> None:
        if self.task not in TASKS:
            raise InvalidInput("task", f"one of {TASKS}", self.task)
        if self.task != "summary" and self.answer not in self.options:
            raise InvalidInput(f"answer of {self.item_id}", f"one of {self.options}", self.answer)

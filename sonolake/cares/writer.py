"""The embedded writer: a scenario as a dialogue, by grammar, without a model.

It says of itself that it is a grammar: its dialogues are plain and keep every rule of the checker, and they
vary by combination, not by invention.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sonolake.cares.banks import Banks
from sonolake.cares.checker import check
from sonolake.cares.phrases import sentences
from sonolake.cares.placing import place
from sonolake.cares.reacting import SHORTEST_BROKEN, Reactor
from sonolake.cares.records import Event, EventSpec, Scenario, Template, Timeline, Utterance
from sonolake.cares.talk import Talk
from sonolake.errors import ItemRefused
from sonolake.ids import rng_of

WRITER = "embedded-grammar:1"
"""Name and version of this writer, for the lineage."""
ATTEMPTS = 20
REACTION_WORDS = 12
"""Words left to the reaction in an utterance after an event."""
PIVOT_TALK = 6
"""Utterances about a pivot before a long dialogue comes back to its matter."""


@dataclass(frozen=True)
class Length:
    """How long a dialogue gets.

    Attributes:
        utterances: numbers to choose from.
        words: fewest and most words that a turn is filled up to; 0 leaves it at one sentence.
        pivot_words: the same for turns about a pivot.
    """

    utterances: tuple[int, ...]
    words: tuple[int, int]
    pivot_words: tuple[int, int]


LENGTHS = {
    "paper": Length(tuple(range(8, 14)), (20, 34), (14, 28)),
    "short": Length((6, 7, 8), (0, 8), (0, 8)),
}
"""``paper``: 8 to 13 utterances, about two minutes. ``short``: 6 to 8 utterances, mostly of one sentence."""


def write(scenario: Scenario, template: Template, banks: Banks, length: str = "paper") -> Timeline:
    """The dialogue of a scenario; equal arguments give equal words.

    Args:
        scenario: what is to happen.
        template: the scenario's template, of the embedded writer.
        banks: lines and situations.
        length: a name of :data:`LENGTHS`.

    Raises:
        InvalidInput: for a template that the embedded writer did not make.
        ItemRefused: ``dialogue_rejected``, when no attempt passes the checker.
    """
    findings: Sequence[object] = ()
    for attempt in range(ATTEMPTS):
        timeline = _attempt(
            scenario, template, banks, length, rng_of(scenario.scenario_id, f"write {attempt}")
        )
        findings = check(timeline, scenario, banks, length)
        if not findings:
            return timeline
    raise ItemRefused("dialogue_rejected", f"{ATTEMPTS} attempts, the last with {findings[0]}")


def _attempt(
    scenario: Scenario, template: Template, banks: Banks, length: str, rng: np.random.Generator
) -> Timeline:
    settings = LENGTHS[length]
    count, positions = place(scenario.events, settings.utterances, rng)
    talk = Talk(template, banks, rng)
    reactor = Reactor(talk, banks, rng)
    turns = _Turns(talk, reactor, scenario, banks, settings, rng)
    first = int(rng.integers(2))
    at = dict(zip(positions, scenario.events, strict=True))
    items: list[Utterance | Event] = []
    for index, act in enumerate(talk.acts(count)):
        if index in at:
            items.append(Event(at[index].event_id))
        text = turns.write(act, index, count, at.get(index))
        items.append(Utterance("AB"[(first + index) % 2], text))
    return Timeline(tuple(items))


class _Turns:
    """Writes one utterance after the other, with the reactions that are due."""

    def __init__(
        self,
        talk: Talk,
        reactor: Reactor,
        scenario: Scenario,
        banks: Banks,
        settings: Length,
        rng: np.random.Generator,
    ) -> None:
        self._talk, self._reactor, self._settings, self._rng = talk, reactor, settings, rng
        self._banks = banks
        self._pivot: tuple[EventSpec, int, int] | None = None
        pivots = [e for e in scenario.events if e.reaction == "pivot"]
        self._pivot_words = reactor.sound_slot(banks.sounds[pivots[0].event_id]) if pivots else None

    def write(self, act: str, index: int, count: int, event: EventSpec | None) -> str:
        """The utterance at ``index``; ``event`` is the sound just before it."""
        if event is not None and event.reaction == "pivot":
            left = count - index
            self._pivot = (event, index, count if left < PIVOT_TALK + 2 else index + PIVOT_TALK)
        content = self._content(act, index, count, event)
        if event is None or event.register is None or event.reaction == "pivot":
            return content
        if event.reaction == "verbal":
            return self._reactor.verbal(event.register, self._banks.sounds[event.event_id], content)
        return self._reactor.behavioral(event.register, content)

    def _content(self, act: str, index: int, count: int, event: EventSpec | None) -> str:
        least = SHORTEST_BROKEN if event is not None and event.reaction == "behavioral" else 0
        text = self._sentence(act, index, count)
        while len(sentences(text)[0].split()) < least:
            text = self._sentence(act, index, count)
        low, high = self._settings.words if self._pivot is None else self._settings.pivot_words
        target = int(self._rng.integers(low, high + 1)) - (REACTION_WORDS if event is not None else 0)
        while len(text.split()) < target:
            text = f"{text} {self._filled(self._more(act))}"
        return text

    def _sentence(self, act: str, index: int, count: int) -> str:
        if self._pivot is None:
            return self._filled(act)
        event, start, end = self._pivot
        if index == end:
            self._pivot = None
            return f"{self._filled('return')} {self._filled(act)}"
        part = {start: "open", start + 1: "reply", end - 1: "wrap"}.get(index, "more")
        return self._filled(f"pivot.{event.register}.{part}" if part != "more" else self._more(act))

    def _more(self, act: str) -> str:
        if self._pivot is None:
            return f"{act.partition('.')[0]}.more"
        return f"pivot.{self._pivot[0].register}.more" if self._rng.random() < 0.5 else "pivot.any.more"

    def _filled(self, act: str) -> str:
        return self._talk.line(act, self._pivot_words)

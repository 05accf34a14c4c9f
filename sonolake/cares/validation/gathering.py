"""Dialogues and scenes as raters and judges are given them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sonolake.cares.banks import Banks
from sonolake.cares.delivery_rules import delivery_findings
from sonolake.cares.phrases import sentences
from sonolake.cares.records import Scenario, Timeline
from sonolake.cares.validation.rated import MarkedSound, RatedScene, Transcript
from sonolake.errors import InvalidInput

Placed = tuple[str, str, str | None, int]
"""A sound, its reaction and register, and the number of utterances before it."""


def of_timeline(scenario: Scenario, timeline: Timeline, banks: Banks, writer: str = "") -> RatedScene:
    """A dialogue before it is a scene.

    Raises:
        InvalidInput: for a sound that the banks lack.
    """
    specs = {spec.event_id: spec for spec in scenario.events}
    said = [(item.speaker, item.text) for item in timeline.utterances]
    placed = [
        (event, specs[event].reaction, specs[event].register, before) for event, before in timeline.before()
    ]
    transcript, voiced = _seen(said, placed, banks)
    asked = {event: reaction for event, reaction, _, _ in placed}
    return RatedScene(
        scenario.scenario_id, scenario.template_id, writer, scenario.topic, transcript, asked, voiced
    )


def of_row(row: Mapping[str, Any], banks: Banks) -> RatedScene:
    """A scene as a release has it.

    Args:
        row: ``item_id``, ``template_id``, ``writer``, ``topic``, ``turns`` (``speaker``, ``text``), ``events``
            (``event``, ``reaction``, ``register``) in order of time, and ``before``: the number of turns before each
            event, by its name.
        banks: with its sounds.

    Raises:
        InvalidInput: for a sound that the banks lack.
    """
    said = [(turn["speaker"], turn["text"]) for turn in row["turns"]]
    placed = [(e["event"], e["reaction"], e["register"], row["before"][e["event"]]) for e in row["events"]]
    transcript, voiced = _seen(said, sorted(placed, key=lambda one: one[3]), banks)
    asked = {event: reaction for event, reaction, _, _ in placed}
    return RatedScene(
        row["item_id"], row["template_id"], row["writer"], row["topic"] or "", transcript, asked, voiced
    )


def _seen(
    said: Sequence[tuple[str, str]], placed: Iterable[Placed], banks: Banks
) -> tuple[Transcript, frozenset[str]]:
    sounds, voiced = [], set()
    for event, reaction, register, before in placed:
        if event not in banks.sounds:
            raise InvalidInput("sound of a scene", "one of the banks", event, "another bank")
        sounds.append(MarkedSound(event, banks.sounds[event].name, before))
        tags = banks.register(reaction, register).tags if register else ()
        text = said[before][1]
        if tags and not any(delivery_findings(text, sentences(text)[0], tags, before)):
            voiced.add(event)
    return Transcript(tuple(said), tuple(sounds)), frozenset(voiced)

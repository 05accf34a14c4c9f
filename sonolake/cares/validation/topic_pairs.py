"""Pairs of topics to calibrate on: those that belong together, and those that do not (CARES, section 5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from sonolake.cares.allocator import Slot
from sonolake.cares.records import Template
from sonolake.cares.topics import angle_of, reworded_topic, write_topic
from sonolake.cares.validation.rated import RatedScene
from sonolake.errors import ItemRefused

NUMBERS = 4
"""Topics of each template that are paired."""

Pairs = list[tuple[str, str]]


def topic_pairs(templates: Sequence[Template]) -> tuple[Pairs, Pairs]:
    """Topics with a loose reformulation, and with the topic of another scenario of the same template.

    Only of templates that the embedded writer made: others have no reformulation. Two scenarios that are to talk of the
    same are no pair of the second kind.
    """
    same: Pairs = []
    different: Pairs = []
    for template in templates:
        gists = {}
        for number in range(NUMBERS):
            slot_id = Slot(template, number, "").slot_id
            topic, reworded = write_topic(template, slot_id), reworded_topic(template, slot_id)
            if reworded is not None:
                same.append((topic, reworded))
                gists[topic] = angle_of(dict(template.details), slot_id).gist
        topics = list(gists)
        pairs = zip(topics, topics[1:] + topics[:1], strict=True)
        different += [(a, b) for a, b in pairs if gists[a] != gists[b]]
    return same, different


def reworded_pairs(
    scenes: Sequence[RatedScene], reword: Callable[[str], str], most: int = 100
) -> tuple[Pairs, Pairs]:
    """The same of topics that no grammar can reword.

    Args:
        scenes: with topics.
        reword: says a topic in other words; what it refuses is left out.
        most: how many are reworded.
    """
    by_template: dict[str, list[str]] = {}
    for scene in scenes:
        if scene.topic and scene.topic not in by_template.setdefault(scene.template_id, []):
            by_template[scene.template_id].append(scene.topic)
    same: Pairs = []
    for topic in [topic for topics in by_template.values() for topic in topics][:most]:
        with suppress(ItemRefused):
            same.append((topic, reword(topic)))
    different = [
        pair
        for topics in by_template.values()
        if len(topics) > 1
        for pair in zip(topics, topics[1:] + topics[:1], strict=True)
    ]
    return same, different

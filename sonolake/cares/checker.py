"""What is wrong with a dialogue, as a list of findings; an empty list is a pass.

The same rules hold for every writer: the embedded one, a chat model, an import.
:data:`sonolake.cares.findings.RULES` lists them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from sonolake.cares.banks import Banks
from sonolake.cares.findings import Finding
from sonolake.cares.reaction_rules import reaction_findings
from sonolake.cares.records import Event, Scenario, Timeline, Utterance
from sonolake.cares.topic_rules import topic_findings
from sonolake.cares.turn_rules import turn_findings
from sonolake.errors import InvalidInput

UTTERANCES = {"paper": (8, 13), "short": (6, 8)}
"""Fewest and most utterances by length setting; a pivot raises the most by the number of events and one."""


def check(timeline: Timeline, scenario: Scenario, banks: Banks, length: str = "paper") -> list[Finding]:
    """Findings in the order of the dialogue, those about the whole first.

    Args:
        timeline: the dialogue.
        scenario: what was asked for.
        banks: tags, sounds and registers.
        length: ``paper`` or ``short``.
    """
    found = [
        *topic_findings(scenario.topic),
        *_counts(timeline, scenario, length),
        *_events(timeline, scenario),
    ]
    for index, utterance in enumerate(timeline.utterances):
        found += turn_findings(utterance, index, scenario, banks)
    if not any(f.code.startswith("event") for f in found):
        found += reaction_findings(timeline, scenario, banks)
    return found


def check_rows(
    rows: Any, scenario: Scenario, banks: Banks, length: str = "paper"
) -> tuple[Timeline | None, list[Finding]]:
    """A dialogue in its interchange form, read and checked.

    Args:
        rows: what a model or a file gave; anything at all may come.
        scenario, banks, length: as for :func:`check`.

    Returns:
        The timeline, None where the form itself is wrong, and the findings.
    """
    if not isinstance(rows, Sequence) or isinstance(rows, str | bytes):
        return None, [Finding("bad_item", f"a list of items is needed, this is a {type(rows).__name__}")]
    found: list[Finding] = []
    items: list[Utterance | Event] = []
    for index, row in enumerate(rows):
        try:
            items += Timeline.from_plain([row]).items
        except InvalidInput as error:
            found.append(Finding("bad_item", str(error), item=index))
    if found:
        return None, found
    timeline = Timeline(tuple(items))
    return timeline, check(timeline, scenario, banks, length)


def _counts(timeline: Timeline, scenario: Scenario, length: str) -> Iterator[Finding]:
    spoken = timeline.utterances
    least, most = UTTERANCES[length]
    if any(e.reaction == "pivot" for e in scenario.events):
        most += len(scenario.events) + 1
    if len(spoken) < least:
        yield Finding("too_few_utterances", f"{len(spoken)} utterances, at least {least} are needed")
    if len(spoken) > most:
        yield Finding("too_many_utterances", f"{len(spoken)} utterances, at most {most} are allowed")
    for speaker in "AB":
        if not any(u.speaker == speaker for u in spoken):
            yield Finding("speaker_silent", f"{speaker} says nothing")
    for index in range(2, len(spoken)):
        if spoken[index].speaker == spoken[index - 1].speaker == spoken[index - 2].speaker:
            yield Finding("three_in_a_row", f"{spoken[index].speaker} has three turns in a row", index)
    seen: dict[str, int] = {}
    for index, utterance in enumerate(spoken):
        said = " ".join(utterance.text.lower().split())
        if said in seen:
            yield Finding("utterance_repeated", f"it is utterance {seen[said]} again", index)
        seen.setdefault(said, index)


def _events(timeline: Timeline, scenario: Scenario) -> Iterator[Finding]:
    asked = [e.event_id for e in scenario.events]
    placed = [event_id for event_id, _ in timeline.before()]
    for event_id in sorted(set(asked) - set(placed)):
        yield Finding("event_missing", f"{event_id} is not placed")
    for event_id in sorted(set(placed) - set(asked)):
        yield Finding("event_unknown", f"{event_id} was not asked for")
    for event_id in sorted({e for e in placed if placed.count(e) > 1}):
        yield Finding("event_repeated", f"{event_id} is placed {placed.count(event_id)} times")
    if not set(asked) ^ set(placed) and len(asked) == len(placed) and asked != placed:
        yield Finding("event_order", f"the order is {placed}, asked was {asked}")
    items = timeline.items
    for index, (first, second) in enumerate(pairwise(items)):
        if isinstance(first, Event) and isinstance(second, Event):
            message = f"nothing is said between {first.event_id} and {second.event_id}"
            yield Finding("events_adjacent", message, item=index)
    for item in (*items[:1], *items[-1:]):
        if not isinstance(item, Utterance):
            yield Finding("event_at_edge", f"{item.event_id} is not between two utterances")

"""Rules about where events fall and what the words around them do."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sonolake.cares.banks import Banks
from sonolake.cares.findings import Finding
from sonolake.cares.phrases import sentences
from sonolake.cares.placing import AFTER_PIVOT, within
from sonolake.cares.records import EventSpec, Scenario, Timeline
from sonolake.cares.vocabulary import ABOUT_SOUND, ELLIPSIS, STUMBLE, TAG


def reaction_findings(timeline: Timeline, scenario: Scenario, banks: Banks) -> Iterator[Finding]:
    """Findings about each event of a dialogue that places all of them."""
    spoken = [u.text for u in timeline.utterances]
    before = dict(timeline.before())
    for spec in scenario.events:
        at = before[spec.event_id]
        if not within(spec.band, at, len(spoken)):
            yield Finding(
                "wrong_band", f"{spec.event_id} has {at} of {len(spoken)} before it, not {spec.band}"
            )
        if spec.reaction == "pivot":
            yield from _pivot(spec, at, len(spoken))
        if spec.reaction == "behavioral":
            yield from _behavioral(spec, at, spoken[at], banks)
    yield from _unprompted(spoken, before, scenario)


def _pivot(spec: EventSpec, at: int, utterances: int) -> Iterator[Finding]:
    if 3 * at >= 2 * utterances:
        yield Finding("pivot_in_last_third", f"{spec.event_id} comes after {at} of {utterances} utterances")
    if utterances - at < AFTER_PIVOT:
        yield Finding(
            "pivot_too_late", f"{utterances - at} utterances after {spec.event_id}, {AFTER_PIVOT} are needed"
        )


def _behavioral(spec: EventSpec, at: int, text: str, banks: Banks) -> Iterator[Finding]:
    """A break in the first sentence after the sound, by words or by a delivery tag, and never explained."""
    tags = banks.register("behavioral", str(spec.register)).tags
    if tags:
        yield from _delivery(text, tags, at)
    elif not STUMBLE.search(_opening(text)):
        yield Finding("no_break", f"the first sentence after {spec.event_id} shows no break", at)


def _opening(text: str) -> str:
    """The first sentence, with the one it breaks into when it ends in an ellipsis."""
    parts = sentences(text)
    return parts[0] if parts else ""


def _delivery(text: str, tags: tuple[str, ...], at: int) -> Iterator[Finding]:
    match = next((m for m in TAG.finditer(text) if m.group(1) in tags), None)
    if match is None:
        yield Finding("delivery_missing", f"one of {list(tags)} is needed as a tag inside a phrase", at)
        return
    left, right = text[: match.start()].rstrip(), text[match.end() :].lstrip()
    if not re.search(r"\w", left) or not re.search(r"\w", right):
        yield Finding("delivery_at_edge", f"[{match.group(1)}] begins or ends the utterance", at)
        return
    if left[-1] in ".?!" or ELLIPSIS.search(left[-3:]):
        yield Finding("delivery_after_end", f"[{match.group(1)}] follows the end of a sentence", at)
    words = re.findall(r"[\w']+", left)[-1], re.findall(r"[\w']+", right)[0]
    if words[0].lower() == words[1].lower():
        yield Finding("delivery_repeats", f"{words[0]!r} stands on both sides of [{match.group(1)}]", at)


def _unprompted(spoken: list[str], before: dict[str, int], scenario: Scenario) -> Iterator[Finding]:
    """Words about a sound only where a pivot or verbal event allows them: not around the other two."""
    pivot = next((before[e.event_id] for e in scenario.events if e.reaction == "pivot"), len(spoken))
    allowed = {before[e.event_id] + k for e in scenario.events if e.reaction == "verbal" for k in (0, 1)}
    for spec in scenario.events:
        at = before[spec.event_id]
        if spec.reaction not in ("behavioral", "ambient") or at >= pivot or at in allowed:
            continue
        if match := ABOUT_SOUND.search(TAG.sub(" ", spoken[at])):
            yield Finding(
                "explains_sound", f"{match.group(0)!r} speaks of {spec.event_id}, {spec.reaction}", at
            )

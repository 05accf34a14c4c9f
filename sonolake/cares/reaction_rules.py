"""Rules about where events fall and what the words around them do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from sonolake.cares.banks import Banks, Sound
from sonolake.cares.delivery_rules import delivery_findings
from sonolake.cares.findings import Finding
from sonolake.cares.phrases import sentences
from sonolake.cares.placing import AFTER_PIVOT, within
from sonolake.cares.records import EventSpec, Scenario, Timeline
from sonolake.cares.vocabulary import ELLIPSIS, EXPLAINS, NOTICES, STUMBLE, TAG, about_sound, forms, words_of

_EVERYDAY = frozenset({"that", "over", "there", "with", "from", "little", "down", "behind", "next", "front"})
"""Words of references that say nothing of the sound."""


def reaction_findings(timeline: Timeline, scenario: Scenario, banks: Banks) -> Iterator[Finding]:
    """Findings about each event of a dialogue that places all of them."""
    talk = _Talk(tuple(u.text for u in timeline.utterances), dict(timeline.before()), scenario, banks)
    if len([e for e in scenario.events if e.reaction == "pivot"]) > 1:
        yield Finding("two_pivots", "more than one pivot is asked for")
    for spec in scenario.events:
        at = talk.before[spec.event_id]
        if not within(spec.band, at, len(talk.spoken)):
            message = f"{spec.event_id} has {at} of {len(talk.spoken)} before it, not {spec.band}"
            yield Finding("wrong_band", message)
        yield from _RULES[spec.reaction](talk, spec, at)
    yield from _alike(talk)


@dataclass(frozen=True)
class _Talk:
    """What is said, with the number of utterances before each event."""

    spoken: tuple[str, ...]
    before: Mapping[str, int]
    scenario: Scenario
    banks: Banks

    def opening(self, at: int) -> str:
        """The first sentence of an utterance, with what follows an ellipsis inside it."""
        parts = sentences(self.spoken[at])
        return parts[0] if parts else ""

    def sound(self, spec: EventSpec) -> Sound:
        """The bank's sound of an event."""
        return self.banks.sounds[spec.event_id]

    def new(self, word: str, at: int) -> bool:
        """Whether a word has not come up before utterance ``at``: else it belongs to the matter."""
        return not any(word in words_of(text) for text in self.spoken[:at])

    @cached_property
    def on_sounds(self) -> frozenset[int]:
        """Utterances that may speak of a sound: the two after a verbal one, all after a pivot."""
        found: set[int] = set()
        for spec in self.scenario.events:
            at = self.before[spec.event_id]
            if spec.reaction == "verbal":
                found |= {at, at + 1}
            if spec.reaction == "pivot":
                found |= set(range(at, len(self.spoken)))
        return frozenset(found)


def _pivot(talk: _Talk, spec: EventSpec, at: int) -> Iterator[Finding]:
    utterances = len(talk.spoken)
    if 3 * at >= 2 * utterances:
        yield Finding("pivot_in_last_third", f"{spec.event_id} comes after {at} of {utterances} utterances")
    if utterances - at < AFTER_PIVOT:
        yield Finding(
            "pivot_too_late", f"{utterances - at} utterances after {spec.event_id}, {AFTER_PIVOT} are needed"
        )
    yield from _referred(talk, spec, at)


def _verbal(talk: _Talk, spec: EventSpec, at: int) -> Iterator[Finding]:
    yield from _referred(talk, spec, at)
    later = at + 2
    if later < len(talk.spoken) and later not in talk.on_sounds:
        word = about_sound(talk.spoken[later])
        if word and talk.new(word, at):
            yield Finding("verbal_lingers", f"{word!r} is still about {spec.event_id}", later)


def _behavioral(talk: _Talk, spec: EventSpec, at: int) -> Iterator[Finding]:
    tags = talk.banks.register("behavioral", str(spec.register)).tags
    if tags:
        yield from delivery_findings(talk.spoken[at], talk.opening(at), tags, at)
    elif not STUMBLE.search(talk.opening(at)):
        yield Finding("no_break", f"the first sentence after {spec.event_id} shows no break", at)
    yield from _unspoken(talk, spec, at)


def _ambient(talk: _Talk, spec: EventSpec, at: int) -> Iterator[Finding]:
    yield from _unspoken(talk, spec, at)
    opening = talk.opening(at)
    registers = talk.banks.reactions["behavioral"].registers
    voiced = {tag for register in registers for tag in register.tags}
    if match := STUMBLE.search(opening):
        yield Finding("ambient_breaks", f"{match.group(0)!r} is a break after {spec.event_id}", at)
    for tag in TAG.findall(opening):
        if tag in voiced:
            yield Finding("ambient_breaks", f"[{tag}] is a reaction to {spec.event_id}", at)
    if ELLIPSIS.search(talk.spoken[at - 1].rstrip()[-3:]):
        yield Finding("ambient_breaks", f"the utterance before {spec.event_id} breaks off", at - 1)


_RULES = {"pivot": _pivot, "verbal": _verbal, "behavioral": _behavioral, "ambient": _ambient}


def _referred(talk: _Talk, spec: EventSpec, at: int) -> Iterator[Finding]:
    """The sound is referred to, however obliquely, in the utterance after it."""
    text, sound = talk.spoken[at], talk.sound(spec)
    phrases = words_of(" ".join((*sound.heard, *sound.guesses, sound.name))) - _EVERYDAY
    telling = {word for word in phrases if len(word) >= 4} | set(sound.label_words)
    if not (about_sound(text) or NOTICES.search(text) or words_of(text) & telling):
        yield Finding("no_reference", f"nothing refers to {spec.event_id}, which is {spec.reaction}", at)


def _unspoken(talk: _Talk, spec: EventSpec, at: int) -> Iterator[Finding]:
    """Nobody speaks of the sound in this utterance or the next, nor gives a reason for a break."""
    for place in (at, at + 1):
        if place >= len(talk.spoken):
            return
        text = talk.spoken[place]
        said = words_of(text)
        for label in talk.sound(spec).label_words:
            for called in sorted(said & forms(label)):
                if talk.new(called, at):
                    yield Finding("refers_to_event", f"{called!r} refers to {spec.event_id}", place)
        if place in talk.on_sounds:
            continue
        cause = EXPLAINS.search(TAG.sub(" ", text))
        word = about_sound(text)
        if cause or (word and talk.new(word, at)):
            found = cause.group(0) if cause else word
            yield Finding("explains_sound", f"{found!r} speaks of {spec.event_id}, {spec.reaction}", place)


def _alike(talk: _Talk) -> Iterator[Finding]:
    """No two sounds draw the same first sentence."""
    seen: dict[str, str] = {}
    for spec in talk.scenario.events:
        at = talk.before[spec.event_id]
        opening = " ".join(talk.opening(at).lower().split())
        if spec.reaction != "ambient" and opening:
            if opening in seen:
                yield Finding("reaction_repeated", f"{spec.event_id} draws what {seen[opening]} drew", at)
            seen[opening] = spec.event_id

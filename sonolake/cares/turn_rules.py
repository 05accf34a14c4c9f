"""Rules that one utterance keeps, whatever happens around it."""

from __future__ import annotations

from collections.abc import Iterator

from sonolake.cares.banks import Banks
from sonolake.cares.findings import Finding
from sonolake.cares.records import Scenario, Utterance
from sonolake.cares.vocabulary import FILLERS, MARKS, PHONE, TAG, WORN

MOST_WORDS = 60


def turn_findings(utterance: Utterance, index: int, scenario: Scenario, banks: Banks) -> Iterator[Finding]:
    """Findings about the words of one utterance."""
    text = utterance.text
    spoken = TAG.sub(" ", text)
    if utterance.speaker not in ("A", "B"):
        yield Finding("speaker_unknown", f"speaker {utterance.speaker!r}, allowed are A and B", index)
    if not any(c.isalpha() for c in spoken):
        yield Finding("nothing_spoken", "an utterance needs words outside tags", index)
    if (words := len(spoken.split())) > MOST_WORDS:
        yield Finding("turn_too_long", f"{words} words, at most {MOST_WORDS} are allowed", index)
    for code, pattern, what in (
        ("forbidden_mark", MARKS, "a mark that nobody speaks"),
        ("filler", FILLERS, "a filler"),
        ("phone_phrase", PHONE, "a telephone phrase"),
        ("worn_phrase", WORN, "a worn phrase"),
    ):
        if match := pattern.search(spoken):
            yield Finding(code, f"{what}: {match.group(0)!r}", index)
    for tag in TAG.findall(text):
        if tag not in banks.tags:
            yield Finding("unknown_tag", f"[{tag}] is none of {sorted(banks.tags)}", index)
    yield from _labels(spoken, index, scenario, banks)


def _labels(spoken: str, index: int, scenario: Scenario, banks: Banks) -> Iterator[Finding]:
    """A sound is never called by two or more words of its label."""
    heard = set(spoken.lower().replace("'", " ").replace("-", " ").split())
    heard = {word.strip('.,?!…"') for word in heard}
    for spec in scenario.events:
        label = banks.sounds[spec.event_id].label_words
        if len(label) >= 2 and len(found := [word for word in label if word in heard]) >= 2:
            yield Finding("names_event", f"{spec.event_id} is called by its label: {found}", index)

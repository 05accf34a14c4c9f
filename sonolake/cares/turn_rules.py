"""Rules that one utterance keeps, whatever happens around it."""

from __future__ import annotations

from collections.abc import Iterator

from sonolake.cares.banks import Banks
from sonolake.cares.findings import Finding
from sonolake.cares.records import Scenario, Utterance
from sonolake.cares.vocabulary import FILLERS, LABEL, MARKS, NOT_SPEECH, PHONE, TAG, WORN, forms, words_of

MOST_WORDS = 60
_PATTERNS = (
    ("forbidden_mark", MARKS, "a mark that nobody speaks"),
    ("speaker_label", LABEL, "a speaker's name before the words"),
    ("filler", FILLERS, "a filler"),
    ("phone_phrase", PHONE, "a telephone phrase"),
    ("worn_phrase", WORN, "a worn phrase"),
)


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
    for code, pattern, what in _PATTERNS:
        if match := pattern.search(spoken):
            yield Finding(code, f"{what}: {match.group(0).strip()!r}", index)
    if match := NOT_SPEECH.search(MARKS.sub(" ", spoken)):
        yield Finding("not_speech", f"no voice can say {match.group(0)!r}", index)
    yield from _tags(text, index, banks)
    yield from _labels(spoken, index, scenario, banks)


def _tags(text: str, index: int, banks: Banks) -> Iterator[Finding]:
    """Every tag is known; beside words each leaves something to hear, wherever it stands."""
    for name in TAG.findall(text):
        if name not in banks.tags:
            yield Finding("unknown_tag", f"[{name}] is none of {sorted(banks.tags)}", index)


def _labels(spoken: str, index: int, scenario: Scenario, banks: Banks) -> Iterator[Finding]:
    """A sound is never called by two or more words of its label."""
    said = words_of(spoken)
    for spec in scenario.events:
        label = banks.sounds[spec.event_id].label_words
        if len(label) >= 2 and len(found := [word for word in label if said & forms(word)]) >= 2:
            yield Finding("names_event", f"{spec.event_id} is called by its label: {found}", index)

"""A chat model that puts marks into a transcript: it hears the recording, or reads what a tagger heard when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sonolake.errors import ItemRefused
from sonolake.models.chat import Ask, Asker, Message
from sonolake.wesr.automatic.checking import MOST_ERRORS, accepted, findings_in
from sonolake.wesr.automatic.events import Event
from sonolake.wesr.endpoint import bare
from sonolake.wesr.prompt import marking_prompt

ATTEMPTS = 3
"""Answers asked for, each with what was wrong with the last."""
REFUSED = "annotation_refused"
"""Reason of an utterance for which no answer was good."""


@dataclass(frozen=True)
class Utterance:
    """What is asked about.

    Attributes:
        transcript: what is said, without tags; empty when nobody knows.
        wav: the recording, for a model that hears.
        heard: words with their times in seconds, and events, for one that reads.
    """

    transcript: str
    wav: bytes | None = None
    heard: tuple[tuple[tuple[str, float, float], ...], tuple[Event, ...]] | None = None


class ChatAnnotator:
    """Asks until an answer is good.

    Args:
        asker: the model, with its memory.
        most_errors: word errors per word that an answer may have.
    """

    def __init__(self, asker: Asker, most_errors: float = MOST_ERRORS) -> None:
        self._asker, self._most_errors = asker, most_errors

    def annotate(self, utterance: Utterance) -> str:
        """The transcript with its events, in its own words.

        Raises:
            ItemRefused: ``annotation_refused`` when no answer is good; else as the model says.
            Refused, Unreachable: as the model says.
        """
        ask = _ask(utterance)
        for attempt in range(1, ATTEMPTS + 1):
            answer = bare(self._asker.ask(ask).text)
            findings = findings_in(answer, utterance.transcript, self._most_errors)
            if not findings:
                return accepted(answer, utterance.transcript)
            ask = _again(ask, answer, findings, attempt)
        raise ItemRefused(REFUSED, f"{ATTEMPTS} answers, the last: {'; '.join(findings)}"[:500])


def _ask(utterance: Utterance) -> Ask:
    said = [f"Transcript: {utterance.transcript}"] if utterance.transcript else []
    if utterance.heard:
        words, events = utterance.heard
        said.append("Words and their seconds: " + ", ".join(f"{w} {a:.2f}-{b:.2f}" for w, a, b in words))
        said += [_told(event) for event in events] or ["A tagger heard no vocal event."]
    text = "\n".join(said) or "There is no transcript: write down what is said."
    return Ask(marking_prompt(), (Message("user", text, utterance.wav),), max_tokens=1000)


def _told(event: Event) -> str:
    where = f"at {event.peak_s:.2f} s (from {event.start_s:.2f} to {event.end_s:.2f} s)"
    return f"Heard by a tagger: {event.tag} {where}, score {event.score:.2f}"


def _again(ask: Ask, answer: str, findings: Sequence[str], attempt: int) -> Ask:
    wrong = "\n".join(f"- {finding}" for finding in findings)
    said = f"That cannot be used (answer {attempt}):\n{wrong}\nGive the whole transcript again, put right."
    return replace(
        ask, messages=(*ask.messages, Message("assistant", answer or "(nothing)"), Message("user", said))
    )

"""What a chat model is told to write a dialogue: our own words."""

from __future__ import annotations

from collections.abc import Sequence

from sonolake.cares.banks import Banks
from sonolake.cares.checker import UTTERANCES
from sonolake.cares.findings import Finding
from sonolake.cares.placing import place
from sonolake.cares.records import EventSpec, Scenario, Template
from sonolake.cares.turn_rules import MOST_WORDS
from sonolake.ids import rng_of

VERSION = "cares-dialogue:1"
"""Changes whenever the prompt does."""
SYSTEM = f"""You write spoken dialogues between two adults, A and B, for an audio data set. Sounds occur while they talk, and how they react to each sound is decided beforehand. You write the words; a program checks them.

The four reactions:
- pivot: somebody refers to the sound and the conversation turns to it. They stay with it for at least four utterances. They may come back to their subject later.
- verbal: somebody refers to the sound in passing. In the same utterance, or at the latest in the next one, they are back with their subject.
- behavioral: nobody refers to the sound, not even by a hint. The first sentence after it shows a break: the speaker breaks off, starts again, loses the thread, asks to have something repeated, or changes the voice. Then they go on with the same subject. Nobody says why.
- ambient: nothing happens. The words before and after it are as they would be without the sound: no break, no "...", no change of voice.

How to refer to a sound: never by its label. Say what it is like or what may be behind it: for a doorbell "somebody's at the front" or "that chime again".

Rules for the words:
- Plain, natural spoken English, with contractions. Two people in one place: no telephone talk.
- Concrete: names, numbers, places, things. They discuss their subject, they do not act it out.
- At most {MOST_WORDS} words in an utterance. Nobody has three utterances in a row. No utterance twice.
- No dash, semicolon, parenthesis, asterisk, emoji or markup. No uh, um, er, erm, hmm. No speaker's name before the words.
- No worn phrases such as "at the end of the day", "it is what it is", "tell me about it", "long story short", "fair enough", "you know what", "to be honest", "a whole new level", "easier said than done".
- An ellipsis only where somebody really breaks off.
- Tags in square brackets only from the list you are given, beside words, and few of them.

Answer with JSON: {{"items": [...]}} in order of time. An utterance is {{"type": "utterance", "speaker": "A" or "B", "text": "...", "event_id": ""}}, a sound is {{"type": "event", "speaker": "", "text": "", "event_id": "..."}}."""  # noqa: E501
_FIELDS = ("type", "speaker", "text", "event_id")
SCHEMA = {
    "type": "object",
    "properties": {
        "items": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "type": {"type": "string", "enum": ["utterance", "event"]},
                    **{name: {"type": "string"} for name in _FIELDS[1:]},
                },
                "required": list(_FIELDS),
                "additionalProperties": False,
            },
        }
    },
    "required": ["items"],
    "additionalProperties": False,
}
"""JSON schema of the answer."""
_WORDS = {
    "paper": "25 to 45 words in most utterances, about two minutes in all",
    "short": "one sentence each",
}


def brief(scenario: Scenario, template: Template, banks: Banks, length: str) -> str:
    """The user's message: who, where, about what, and each sound with its place and reaction."""
    least, most = UTTERANCES[length]
    count, positions = place(scenario.events, range(least, most + 1), rng_of(scenario.scenario_id, "brief"))
    speakers = "; ".join(
        f"{name} is the {role} ({'a woman' if gender == 'F' else 'a man'})"
        for name, role, gender in zip("AB", scenario.roles, scenario.genders, strict=True)
    )
    sounds = [
        f"{n}. After utterance {at}: {_sound(spec, banks)}"
        for n, (spec, at) in enumerate(zip(scenario.events, positions, strict=True), 1)
    ]
    return "\n".join(
        [
            f"Situation: {template.title}. {template.description}",
            f"They talk about: {scenario.topic}",
            f"Speakers: {speakers}.",
            f"Place: {banks.locations[scenario.location].name}.",
            f"Length: exactly {count} utterances, {_WORDS[length]}.",
            f"Tags you may use: {', '.join(f'[{tag}]' for tag in banks.tags)}.",
            "Sounds, in this order:" if sounds else "Sounds: none.",
            *sounds,
        ]
    )


def _sound(spec: EventSpec, banks: Banks) -> str:
    said = f'event_id "{spec.event_id}" ({banks.sounds[spec.event_id].name}), {spec.reaction}'
    if spec.register is None:
        return f"{said}."
    register = banks.register(spec.reaction, spec.register)
    said = f"{said}: {register.meaning}."
    if register.tags:
        tags = " or ".join(f"[{tag}]" for tag in register.tags)
        said += f" The first sentence after it needs {tags} between two words, not after a sentence or an ellipsis."
    return said


def correction(findings: Sequence[Finding], attempt: int) -> str:
    """What is fed back after the ``attempt``-th time: everything that the checker found."""
    lines = [f"- {finding}" for finding in findings]
    return "\n".join(
        [
            f"The checker found the following in attempt {attempt} (utterances and items are counted from 0). Write "
            "the whole dialogue again, with all of this put right and everything else as good as before.",
            *lines,
        ]
    )

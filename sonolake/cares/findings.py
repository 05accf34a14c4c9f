"""One thing that is wrong with a dialogue, and the list of all that can be."""

from __future__ import annotations

from dataclasses import dataclass

from sonolake.errors import InvalidInput

RULES = {
    # the timeline's form
    "bad_item": "an item is an utterance with speaker and text, or an event with event_id",
    "speaker_unknown": "the speakers are A and B",
    "speaker_silent": "both speak",
    "too_few_utterances": "8 utterances at least (6 in short dialogues)",
    "too_many_utterances": "13 utterances at most (8 in short ones); a pivot allows one more for each event, and one",
    "three_in_a_row": "nobody has three turns in a row",
    "utterance_repeated": "no utterance comes twice",
    # where the events are
    "event_missing": "every sound that was asked for is placed",
    "event_unknown": "no other sound is placed",
    "event_repeated": "each sound is placed once",
    "event_order": "the sounds come in the order that was asked for",
    "events_adjacent": "something is said between two sounds",
    "event_at_edge": "something is said before the first and after the last sound",
    "wrong_band": "a sound has its third of the dialogue before it, give or take a tenth",
    "two_pivots": "at most one pivot",
    "pivot_in_last_third": "a pivot never falls into the last third",
    "pivot_too_late": "four utterances at least follow a pivot",
    # what one utterance may say
    "nothing_spoken": "an utterance has words outside its tags",
    "turn_too_long": "60 words at most",
    "forbidden_mark": "no dash, semicolon, parenthesis or asterisk",
    "not_speech": "no sign that nobody can speak: emoji, markup, addresses",
    "speaker_label": "no name of the speaker before the words",
    "filler": "no filler: uh, um, er, erm, hmm",
    "phone_phrase": "the two are in one place: no phrase of a telephone call",
    "worn_phrase": "none of nine worn phrases",
    "unknown_tag": "only tags of the bank",
    "names_event": "no sound is called by two words of its label",
    # how the sounds are reacted to
    "no_reference": "a verbal or pivot sound is referred to in the utterance after it",
    "verbal_lingers": "after a verbal sound the talk resumes in the same or the next turn",
    "no_break": "a behavioral sound breaks the first sentence after it",
    "explains_sound": "a behavioral or ambient sound is not spoken of, and a break is not explained",
    "refers_to_event": "no word of its label comes up after a behavioral or ambient sound",
    "ambient_breaks": "an ambient sound breaks nothing: no stumble, no change of delivery",
    "reaction_repeated": "two sounds draw two different reactions",
    "delivery_missing": "a voice-only register has one of its tags in the first sentence",
    "delivery_at_edge": "that tag stands inside a phrase, not first or last",
    "delivery_after_end": "that tag does not follow the end of a sentence or an ellipsis",
    "delivery_repeats": "the words on both sides of that tag differ",
    # the topic
    "topic_too_short": "a topic has four words at least",
    "topic_too_long": "a topic has sixty words at most",
    "topic_enacted": "a topic says what is discussed, and is no dialogue",
}
"""Every code with the rule behind it (CARES, section 3.3, and its published code)."""


@dataclass(frozen=True)
class Finding:
    """A broken rule.

    Attributes:
        code: one of :data:`RULES`.
        message: one sentence for a person, or for a model that tries again.
        utterance: where, counting utterances from 0; None for the whole dialogue.
        item: where, counting utterances and events from 0; for items that are neither.
    """

    code: str
    message: str
    utterance: int | None = None
    item: int | None = None

    def __post_init__(self) -> None:
        if self.code not in RULES:
            raise InvalidInput("code of a finding", f"one of {sorted(RULES)}", self.code)

    def __str__(self) -> str:
        """``code at utterance 3: message``."""
        places = (("utterance", self.utterance), ("item", self.item))
        where = "".join(f" at {what} {at}" for what, at in places if at is not None)
        return f"{self.code}{where}: {self.message}"

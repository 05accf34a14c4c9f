"""Each rule with a dialogue, made by hand, that breaks it alone."""

import pytest

from sonolake.cares.checker import check
from sonolake.cares.records import Event, EventSpec, Scenario, Timeline, Utterance
from sonolake.cares.vocabulary import ABOUT_SOUND, FILLERS

LINES = (
    "I need advice about the fence by the road.",
    "What happened to it this time?",
    "The wind took two boards, and one is in the neighbour's pond.",
    "Then ask the neighbour to give it back.",
    "We have not spoken since the spring.",
    "Write a short note and leave it at the gate.",
    "That might work, I will do it tonight.",
    "Good, and tell me how it went.",
)
SOUND = "home_indoor/dish_clatter"


def scenario(*events):
    counts = [sum(e.reaction == r for e in events) for r in ("pivot", "verbal", "behavioral", "ambient")]
    return Scenario.make(
        template_id="template-0",
        number=0,
        split="train",
        composition="P{}V{}B{}A{}".format(*counts),
        location="home_indoor",
        relation="close_friends",
        roles=("friend", "friend"),
        genders="FM",
        topic="What to do about the fence that lost two boards in the storm.",
        events=tuple(events),
    )


def dialogue(lines=LINES, at=None, speakers="ABABABAB"):
    """Lines with ``{index: event id}`` before the utterance of that index."""
    items = []
    for index, line in enumerate(lines):
        if index in (at or {}):
            items.append(Event(at[index]))
        items.append(Utterance(speakers[index % len(speakers)], line))
    return Timeline(tuple(items))


def replaced(index, text):
    return (*LINES[:index], text, *LINES[index + 1 :])


def spec(reaction, register=None, band="middle", event=SOUND):
    return EventSpec(event, reaction, register, band, "core")


def codes(timeline, asked, banks, length="paper"):
    return {finding.code for finding in check(timeline, asked, banks, length)}


def test_a_plain_dialogue_passes(banks):
    assert check(dialogue(), scenario(), banks) == []


GOOD_BREAKS = {
    "loses_place": "Write a short… sorry, where was I. A short note at the gate.",
    "false_start": "Write a… write a short note and leave it at the gate.",
    "asks_to_repeat": "Sorry, say that again? You have not spoken since when?",
    "slip": "Write a short book… no, a short note for the gate.",
    "stall": "Write a short note and… leave it at the gate.",
    "raised_voice": "Write a short note [louder] and leave it at the gate.",
    "lowered_voice": "Write a short note [softly] and leave it at the gate.",
}


@pytest.mark.parametrize("register", GOOD_BREAKS)
def test_breaks_pass(register, banks):
    asked = scenario(spec("behavioral", register))
    assert check(dialogue(replaced(5, GOOD_BREAKS[register]), {5: SOUND}), asked, banks) == []


def test_verbal_and_pivot_pass(banks):
    remark = "That racket in the kitchen again. Write a short note to her."
    assert check(dialogue(replaced(5, remark), {5: SOUND}), scenario(spec("verbal", "again")), banks) == []
    talk = (*LINES[:3], "Wait, that rattling of plates.", "Somebody dropped a stack.", *LINES[5:])
    assert check(dialogue(talk, {3: SOUND}), scenario(spec("pivot", "what_is_it")), banks) == []


TURNS = {
    "forbidden_mark": "Write a short note; leave it at the gate.",
    "filler": "Write, um, a short note for the gate.",
    "phone_phrase": "Write a note and I will call you back.",
    "worn_phrase": "At the end of the day a note is enough.",
    "unknown_tag": "Write a short note [sings] and leave it at the gate.",
    "nothing_spoken": "[pause]",
    "turn_too_long": "word " * 61,
}


@pytest.mark.parametrize("code", TURNS)
def test_rules_of_one_turn(code, banks):
    found = check(dialogue(replaced(5, TURNS[code])), scenario(), banks)
    assert [(f.code, f.utterance) for f in found] == [(code, 5)]


@pytest.mark.parametrize("text", ["an em dash — here", "a star *sighs* here", "an aside (quiet) here"])
def test_all_marks_that_nobody_speaks(text, banks):
    assert codes(dialogue(replaced(5, text)), scenario(), banks) == {"forbidden_mark"}


def test_counts(banks):
    assert codes(dialogue(LINES[:7]), scenario(), banks) == {"too_few_utterances"}
    assert codes(dialogue(LINES[:7]), scenario(), banks, "short") == set()
    assert codes(dialogue(LINES * 2), scenario(), banks) == {"too_many_utterances"}
    assert codes(dialogue(speakers="ABBBABAB"), scenario(), banks) == {"three_in_a_row"}
    assert "speaker_silent" in codes(dialogue(speakers="A"), scenario(), banks)
    assert codes(dialogue(speakers="ABABABAC"), scenario(), banks) == {"speaker_unknown"}


def test_a_pivot_allows_more_utterances(banks):
    asked = scenario(spec("pivot", "worry", "early"))
    talk = dialogue((LINES * 2)[:15], {4: SOUND}, "AB")
    assert codes(talk, asked, banks) == set()
    assert codes(dialogue(LINES * 2, {4: SOUND}, "AB"), asked, banks) == {"too_many_utterances"}


def test_events_are_placed_once_each_and_between_utterances(banks):
    asked = scenario(spec("ambient"))
    assert codes(dialogue(), asked, banks) == {"event_missing"}
    assert codes(dialogue(at={4: SOUND, 6: SOUND}), asked, banks) == {"event_repeated"}
    assert codes(dialogue(at={4: SOUND, 6: "general/zip"}), asked, banks) == {"event_unknown"}
    assert "event_at_edge" in codes(dialogue(at={0: SOUND}), asked, banks)
    trailing = Timeline((*dialogue().items, Event(SOUND)))
    assert "event_at_edge" in codes(trailing, asked, banks)


def test_order_and_distance_of_two_events(banks):
    asked = scenario(spec("ambient", band="early"), spec("ambient", band="middle", event="general/zip"))
    assert codes(dialogue(at={2: SOUND, 4: "general/zip"}), asked, banks) == set()
    assert codes(dialogue(at={2: "general/zip", 4: SOUND}), asked, banks) == {"event_order"}
    items = list(dialogue(at={3: SOUND}).items)
    items.insert(4, Event("general/zip"))
    assert codes(Timeline(tuple(items)), asked, banks) == {"events_adjacent"}


@pytest.mark.parametrize(
    ("before", "band", "found"),
    [(1, "early", set()), (5, "early", {"wrong_band"}), (2, "late", {"wrong_band"})],
)
def test_bands(before, band, found, banks):
    assert codes(dialogue(at={before: SOUND}), scenario(spec("ambient", band=band)), banks) == found


def test_a_pivot_needs_room_after_it(banks):
    asked = scenario(spec("pivot", "worry", "middle"))
    assert codes(dialogue(at={5: SOUND}), asked, banks) == {"pivot_too_late"}
    late = scenario(spec("pivot", "worry", "late"))
    assert codes(dialogue(at={6: SOUND}), late, banks) == {"pivot_in_last_third", "pivot_too_late"}


def test_no_sound_is_called_by_its_label(banks):
    asked = scenario(spec("verbal", "again"))
    named = "There is that dish clatter again. Write a short note."
    assert codes(dialogue(replaced(5, named), {5: SOUND}), asked, banks) == {"names_event"}


BAD_BREAKS = {
    ("stall", "Write a short note and leave it at the gate."): {"no_break"},
    ("stall", "Write a note to her. Then leave… leave it at the gate."): {"no_break"},
    ("stall", "Write a short… sorry, that noise. A short note."): {"explains_sound"},
    ("raised_voice", "Write a short note and leave it at the gate."): {"delivery_missing"},
    ("raised_voice", "[louder] Write a short note and leave it."): {"delivery_at_edge"},
    ("raised_voice", "Write a short note and leave it. [louder]"): {"delivery_at_edge"},
    ("raised_voice", "Write a short note. [louder] Leave it there."): {"delivery_after_end"},
    ("raised_voice", "Write a short note… [louder] leave it there."): {"delivery_after_end"},
    ("raised_voice", "Write a short note [louder] note for the gate."): {"delivery_repeats"},
    ("lowered_voice", "Write a short note [louder] and leave it there."): {"delivery_missing"},
}


@pytest.mark.parametrize("case", BAD_BREAKS, ids=range(len(BAD_BREAKS)))
def test_bad_breaks(case, banks):
    register, text = case
    found = codes(dialogue(replaced(5, text), {5: SOUND}), scenario(spec("behavioral", register)), banks)
    assert found == BAD_BREAKS[case]


def test_an_ambient_sound_is_not_spoken_of(banks):
    heard = "Did you hear that? Write a short note."
    assert codes(dialogue(replaced(5, heard), {5: SOUND}), scenario(spec("ambient")), banks) == {
        "explains_sound"
    }


def test_vocabularies_leave_other_words_alone():
    assert not FILLERS.search("Her umbrella hummed.")
    assert not ABOUT_SOUND.search("The heart of the string is ringed with bangles.")

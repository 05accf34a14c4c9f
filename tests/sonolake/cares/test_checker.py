"""Where sounds may fall, and what counts as a word of sound; whole dialogues are in ``dialogues.jsonl``."""

import re
from pathlib import Path

import pytest

from sonolake.cares.checker import check
from sonolake.cares.findings import RULES, Finding
from sonolake.cares.records import Event, EventSpec, Scenario, Timeline, Utterance
from sonolake.cares.vocabulary import EXPLAINS, FILLERS, NOTICES, STUMBLE, about_sound, forms, words_of
from sonolake.errors import InvalidInput

SOUND = "home_indoor/dish_clatter"
NAMES = ("pivot", "verbal", "behavioral", "ambient")


def scenario(*events):
    counts = [sum(e.reaction == r for e in events) for r in NAMES]
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


def dialogue(utterances, at):
    """That many utterances, with events before those whose numbers are given."""
    items = []
    for index in range(utterances):
        items += [Event(at[index])] if index in at else []
        items.append(Utterance("AB"[index % 2], f"There goes sentence number {index} about the fence."))
    return Timeline(tuple(items))


def codes(timeline, asked, banks):
    return {finding.code for finding in check(timeline, asked, banks)}


@pytest.mark.parametrize(
    ("band", "allowed"),
    [("early", range(1, 6)), ("middle", range(3, 10)), ("late", range(7, 12))],
)
def test_an_event_lies_in_its_third_give_or_take_a_tenth(band, allowed, banks):
    """Of 12 utterances: early up to 5 (0.433), middle from 3 (0.233) to 9 (0.767), late from 7 (0.567)."""
    asked = scenario(EventSpec(SOUND, "ambient", None, band, "core"))
    found = {n for n in range(1, 12) if not codes(dialogue(12, {n: SOUND}), asked, banks)}
    assert found == set(allowed)


@pytest.mark.parametrize(("utterances", "last"), [(8, 4), (9, 5), (10, 6), (13, 8), (15, 9)])
def test_a_pivot_has_four_utterances_after_it_and_never_lies_in_the_last_third(utterances, last, banks):
    asked = scenario(EventSpec(SOUND, "pivot", "worry", "middle", "core"))
    wrong = {"pivot_too_late", "pivot_in_last_third"}
    for at in range(1, utterances):
        assert bool(wrong & codes(dialogue(utterances, {at: SOUND}), asked, banks)) == (at > last)


def test_one_pivot_is_enough(banks):
    """A scenario of two cannot be allocated; one that is imported is told."""
    asked = scenario(
        EventSpec(SOUND, "pivot", "worry", "early", "core"),
        EventSpec("general/zip", "pivot", "memory", "middle", "core"),
    )
    assert codes(dialogue(12, {4: SOUND, 7: "general/zip"}), asked, banks) == {"two_pivots"}


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Did you hear that?", "hear"),
        ("What a racket.", "racket"),
        ("It is too loud in here.", "loud"),
        ("That sounds good to me.", None),
        ("It rings a bell, and I heard back from them.", None),
        ("The heart of the string is ringed with bangles.", None),
        ("[sighs] The sound barrier.", "sound"),
    ],
)
def test_words_of_sound(text, word):
    assert about_sound(text) == word


@pytest.mark.parametrize(
    ("pattern", "yes", "no"),
    [
        (FILLERS, "Well, uhh, yes.", "Her umbrella hummed."),
        (STUMBLE, "Sorry, what was that last bit?", "That is where the road ends."),
        (EXPLAINS, "What was that?", "What was that last bit?"),
        (EXPLAINS, "I can't think over that.", "We have been over that."),
        (NOTICES, "There it goes.", "They went there."),
    ],
)
def test_vocabularies_leave_other_words_alone(pattern, yes, no):
    assert pattern.search(yes)
    assert not pattern.search(no)


def test_regular_forms():
    assert {"cry", "cries", "crying"} <= forms("cry")
    assert {"clap", "claps", "clapping", "clapped"} <= forms("clap")
    assert {"slide", "sliding", "slides"} <= forms("slide")
    assert words_of("Well [laughs] it's A café.") == {"well", "it", "s", "a", "café"}


def test_a_finding_says_code_place_and_reason():
    assert str(Finding("filler", "a filler: 'um'", 3)) == "filler at utterance 3: a filler: 'um'"
    assert str(Finding("bad_item", "no text", item=2)) == "bad_item at item 2: no text"
    with pytest.raises(InvalidInput, match="code of a finding"):
        Finding("boring", "a dull dialogue")


def test_the_guide_lists_every_rule():
    guide = (Path(__file__).parents[3] / "docs" / "cares-dialogues.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `(\w+)` \|", guide, re.MULTILINE)) >= set(RULES)

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.cares.banks import default_banks
from sonolake.cares.recipe import DeliverySpec, PauseSpec, TagTrace, VocalSpec
from sonolake.cares.spoken import marked, spoken_text, spoken_words
from sonolake.errors import InvalidInput


def laugh(event, word):
    return VocalSpec(word, f"take of {event}", None) if event == "vocal/laughs" else None


def test_tags_go_and_ellipses_become_commas():
    text = "Write a… no, I mean [louder] the neighbour's note, it's here."
    assert spoken_text(text) == "Write a, no, I mean the neighbour's note, it's here."
    assert " ".join(spoken_words(text)) == "Write a no I mean the neighbour's note it's here"


def test_marks_become_pauses_and_deliveries(banks):
    made = marked("Write a… no, I mean [louder] the note, it's [pause] here…", banks.tags)
    assert made.pauses == (PauseSpec(2, None), PauseSpec(8, 0.6))
    assert made.deliveries == (DeliverySpec(5, 6, 5.0),)
    assert made.tags == (
        TagTrace("louder", 5, 6, "delivery", None),
        TagTrace("pause", 8, 8, "pause", None),
    )


def test_a_delivery_lasts_to_the_end_when_nothing_stops_it(banks):
    assert marked("say it [quietly] and go", banks.tags).deliveries == (DeliverySpec(2, 3, -7.0),)


def test_a_delivery_tag_that_ends_a_turn_is_heard_in_the_phrase_before_it(banks):
    made = marked("Well, I said go home [softly]", banks.tags)
    assert made.deliveries == (DeliverySpec(1, 4, -5.0),)
    assert made.tags == (TagTrace("softly", 1, 4, "delivery", None),)


def test_two_delivery_tags_in_a_row_are_both_heard(banks):
    made = marked("so [quietly] [softly] go on, then", banks.tags)
    assert made.deliveries == (DeliverySpec(1, 2, -7.0), DeliverySpec(1, 2, -5.0))


def test_a_vocal_tag_is_a_take_where_there_is_one_and_a_pause_where_there_is_none(banks):
    made = marked("Oh [laughs] that is [sighs] sad", banks.tags, take_of=laugh)
    assert made.vocals == (VocalSpec(1, "take of vocal/laughs", None),)
    assert made.pauses == (PauseSpec(3, 1.0),)
    assert [(t.tag, t.first, t.becomes, t.take_id) for t in made.tags] == [
        ("laughs", 1, "vocal", "take of vocal/laughs"),
        ("sighs", 3, "pause", None),
    ]


def test_takes_may_begin_and_end_a_turn(banks):
    made = marked("[laughs] That is good. [laughs]", banks.tags, take_of=laugh)
    assert [vocal.word for vocal in made.vocals] == [0, 3] and made.pauses == ()


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("[sighs] Well now, I know", 2),
        ("[sighs] I know", 1),
        ("Well, I know it [sighs]", 1),
        ("I know it [sighs].", 2),
    ],
)
def test_a_silence_at_the_edge_of_a_turn_moves_to_the_nearest_break_inside(banks, text, place):
    """The gap between turns is drawn from one range and says nothing."""
    made = marked(text, banks.tags)
    assert made.pauses == (PauseSpec(place, 1.0),)
    assert made.tags == (TagTrace("sighs", place, place, "pause", None),)


def test_a_turn_of_one_word_is_lowered(banks):
    made = marked("[sighs] Yes.", banks.tags)
    assert made.pauses == () and made.deliveries == (DeliverySpec(0, 0, -4.0),)
    assert made.tags == (TagTrace("sighs", 0, 0, "delivery", None),)


def test_silences_at_one_place_add_up(banks):
    assert marked("so [pause] [sighs] go", banks.tags).pauses == (PauseSpec(1, 1.6),)
    assert marked("so… [pause] go", banks.tags).pauses == (PauseSpec(1, 1.25),)


def test_what_a_voice_performs_itself_stays_in_what_is_spoken_but_for_pauses(banks):
    text = "Oh [laughs] that is [quietly] sad, [pause] you know… [sighs]"
    made = marked(text, banks.tags, frozenset({"*"}), laugh)
    assert made.spoken == "Oh [laughs] that is [quietly] sad, you know, [sighs]"
    assert made.words == ("Oh", "that", "is", "sad", "you", "know")
    assert (made.vocals, made.deliveries, made.pauses) == ((), (), (PauseSpec(4, 0.6),))
    assert [t.becomes for t in made.tags] == ["engine", "engine", "pause", "engine"]
    some = marked(text, banks.tags, frozenset({"quietly"}), laugh)
    assert [t.becomes for t in some.tags] == ["vocal", "engine", "pause", "pause"]


def test_unknown_tags_are_refused(banks):
    with pytest.raises(InvalidInput, match="tag: expected one of"):
        marked("well [yodels] then", banks.tags)


PARTS = [
    "note",
    "it's",
    "…",
    "[louder]",
    "[softly]",
    "[pause]",
    "[laughs]",
    "[sighs]",
    ",",
    ".",
    "half-way",
]


@settings(deadline=None, max_examples=200)
@given(st.lists(st.sampled_from(PARTS), max_size=12), st.booleans())
def test_no_tag_is_left_without_a_trace(parts, takes):
    """Each tag becomes what the records of the mix hold, within the words of the turn."""
    text = " ".join(parts)
    made = marked(text, default_banks().tags, take_of=laugh if takes else lambda event, word: None)
    count = len(made.words)
    assert spoken_words(made.spoken) == made.words and "[" not in made.spoken
    assert all(0 < p.word < count and (p.seconds is None or p.seconds > 0) for p in made.pauses)
    assert all(0 <= d.first <= d.last < count for d in made.deliveries)
    assert all(0 <= v.word <= count for v in made.vocals)
    if not count:
        return
    assert [t.tag for t in made.tags] == [part[1:-1] for part in parts if part.startswith("[")]
    places = {p.word: p.seconds for p in made.pauses}
    spans = {(d.first, d.last) for d in made.deliveries}
    for trace in made.tags:
        if trace.becomes == "pause":
            assert places[trace.first] is not None
        elif trace.becomes == "delivery":
            assert (trace.first, trace.last) in spans
        else:
            assert VocalSpec(trace.first, trace.take_id, None) in made.vocals

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.cares.recipe import DeliverySpec, PauseSpec
from sonolake.cares.spoken import marks, spoken_text, spoken_words
from sonolake.errors import InvalidInput


def test_tags_go_and_ellipses_become_commas():
    text = "Write a… no, I mean [louder] the neighbour's note, it's here."
    assert spoken_text(text) == "Write a, no, I mean the neighbour's note, it's here."
    assert spoken_words(text) == (
        "Write",
        "a",
        "no",
        "I",
        "mean",
        "the",
        "neighbour's",
        "note",
        "it's",
        "here",
    )


def test_marks_become_pauses_and_deliveries(banks):
    pauses, deliveries = marks("Write a… no, I mean [louder] the note, it's [pause] here…", banks.tags)
    assert pauses == (PauseSpec(2, None), PauseSpec(8, 0.6))
    assert deliveries == (DeliverySpec(5, 6, 5.0),)


def test_a_delivery_lasts_to_the_end_when_nothing_stops_it(banks):
    assert marks("say it [quietly] and go", banks.tags)[1] == (DeliverySpec(2, 3, -7.0),)


def test_unknown_tags_are_refused(banks):
    with pytest.raises(InvalidInput, match="tag: expected one of"):
        marks("well [yodels] then", banks.tags)


words = st.lists(
    st.sampled_from(["note", "it's", "…", "[louder]", "[pause]", ",", ".", "half-way"]), max_size=12
)


@settings(deadline=None, max_examples=100)
@given(words)
def test_marks_stay_within_the_words(banks, parts):
    text = " ".join(parts)
    count = len(spoken_words(text))
    pauses, deliveries = marks(text, banks.tags)
    assert all(0 < p.word < count for p in pauses)
    assert all(0 <= d.first <= d.last < count for d in deliveries)
    assert spoken_words(spoken_text(text)) == spoken_words(text)
    assert "[" not in spoken_text(text)

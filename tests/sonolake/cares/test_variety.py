"""Figures of a few dialogues that can be counted by hand."""

import pytest

from sonolake.cares.records import Event, Timeline, Utterance
from sonolake.cares.variety import variety_of


def talk(*texts):
    items = [Utterance("AB"[i % 2], text) for i, text in enumerate(texts)]
    items.insert(1, Event("general/zip"))
    return Timeline(tuple(items))


def test_distinct_n_grams():
    """Words a b a b: 2 of 4 distinct; pairs ab ba | ab: within utterances ab, ba and none across."""
    variety = variety_of([("x", talk("Red blue red.", "Blue!"))])
    assert variety.distinct == (2 / 4, 2 / 2, 1.0)
    assert variety.words == (4.0, 0.0, 4, 4)


def test_tags_capitals_and_blanks_do_not_count():
    one = talk("We can go [softly] now. Yes.", "Good.")
    other = talk("we CAN go  now. No.", "Bad.")
    variety = variety_of([("x", one), ("y", other)])
    assert variety.sentences == 6
    assert variety.repeated_sentences == pytest.approx(2 / 6)
    assert variety.shared_most == pytest.approx(1 / 3)
    assert variety.shared_mean == pytest.approx(1 / 3)
    assert variety.pairs_over_limit == 1.0


def test_scenes_of_one_template_are_no_pair():
    same = talk("We can go now.", "Good.")
    variety = variety_of([("x", same), ("x", same), ("y", talk("No.", "Never."))])
    assert variety.shared_most == 0.0
    assert variety.shared_mean == 0.0
    assert variety.repeated_sentences == pytest.approx(4 / 6)


def test_nothing_at_all():
    assert variety_of([]).dialogues == 0

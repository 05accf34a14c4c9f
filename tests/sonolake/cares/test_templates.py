from collections import Counter

import pytest

from sonolake.cares.templates import write_templates
from sonolake.errors import InvalidInput


def test_a_thousand_are_distinct_and_the_first_stay(banks):
    thousand = write_templates(1000, banks)
    assert len({t.template_id for t in thousand}) == 1000
    assert len({(t.title, t.description) for t in thousand}) == 1000
    assert write_templates(40, banks) == thousand[:40]


def test_twelve_cover_twelve_categories(banks):
    assert len({t.category for t in write_templates(12, banks)}) == 12
    assert set(Counter(t.theme for t in write_templates(240, banks)).values()) == {10}


def test_a_matter_returns_only_after_all_others_of_its_theme(banks):
    details = [dict(t.details) for t in write_templates(288, banks)]
    assert len({(d["thing"], d["trouble"]) for d in details}) == 288


def test_more_than_the_bank_holds_is_refused(banks):
    with pytest.raises(InvalidInput, match="add situations to the bank"):
        write_templates(100_000, banks)


def test_topics_are_sentences_of_6_to_60_words(scenarios):
    words = [len(s.topic.split()) for s in scenarios]
    assert min(words) >= 6
    assert max(words) <= 60
    assert all(s.topic[0].isupper() and s.topic.endswith(".") for s in scenarios)

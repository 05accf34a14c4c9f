from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonolake.cares.persons import second_person, third_person
from sonolake.cares.records import Template
from sonolake.cares.templates import write_templates
from sonolake.cares.topic_rules import topic_findings
from sonolake.cares.topics import angle_of, reworded_topic, write_topic
from sonolake.errors import InvalidInput


def test_a_thousand_are_distinct_and_the_first_stay(banks):
    """CARES, section 4: 1,000 templates."""
    templates = write_templates(1000, banks)
    assert len({t.template_id for t in templates}) == 1000
    assert len({t.title for t in templates}) == 1000
    assert len({t.description for t in templates}) == 1000
    assert write_templates(40, banks) == templates[:40]


def test_a_template_is_a_trouble_and_two_ways_out(banks):
    """Forty-four matters with three troubles and five ways out each: 44 x 3 x 10."""
    details = [dict(t.details) for t in write_templates(1320, banks)]
    ways = Counter((d["matter"], d["trouble"]) for d in details)
    assert set(ways.values()) == {10}
    boiler = {
        (d["fix1"], d["fix2"])
        for d in details
        if (d["matter"], d["trouble"]) == ("boiler", "keeps going out")
    }
    assert boiler == set(combinations((f.do for f in banks.matters["boiler"].fixes), 2))


def test_twelve_cover_twelve_categories_and_a_round_covers_every_matter(banks):
    assert len({t.category for t in write_templates(12, banks)}) == 12
    first = write_templates(len(banks.matters), banks)
    assert {dict(t.details)["matter"] for t in first} == set(banks.matters)


def test_more_than_the_bank_holds_is_refused(banks):
    with pytest.raises(InvalidInput, match=r"0 to 1320.*add matters to the bank"):
        write_templates(1321, banks)


def test_topics_are_sentences_of_6_to_30_words(scenarios):
    words = [len(s.topic.split()) for s in scenarios]
    assert min(words) >= 6
    assert max(words) <= 30
    assert all(s.topic[0].isupper() and s.topic.endswith(".") for s in scenarios)
    assert [finding for s in scenarios for finding in topic_findings(s.topic)] == []


def test_scenarios_of_one_template_have_different_topics(templates):
    template = templates[0][0]
    topics = {write_topic(template, f"slot-{n}") for n in range(200)}
    assert len(topics) >= 20


def test_a_topic_says_which_way_wins_and_what_is_hoped_or_feared(templates):
    details = dict(templates[0][0].details)
    for n in range(20):
        angle = angle_of(details, f"slot-{n}")
        topic = write_topic(templates[0][0], f"slot-{n}")
        assert all(third_person(phrase) in topic[0].lower() + topic[1:] for phrase in angle.gist)
        assert third_person(angle.loser) not in topic


def test_a_topic_in_other_words_says_the_same(templates):
    for template, _ in templates:
        details = dict(template.details)
        for n in range(6):
            topic, reworded = write_topic(template, f"slot-{n}"), reworded_topic(template, f"slot-{n}")
            assert reworded != topic
            assert len(reworded.split()) <= 30
            assert third_person(angle_of(details, f"slot-{n}").winner) in reworded[0].lower() + reworded[1:]


def test_imported_templates_have_no_reformulation():
    template = Template.make("t", "Two people talk.", "a", "b", {"topic1": "What they talk about at home."})
    assert write_topic(template, "slot-1") == "What they talk about at home."
    assert reworded_topic(template, "slot-1") is None


def test_an_angle_takes_one_way_and_leaves_the_other(templates):
    details = dict(templates[0][0].details)
    angles = [angle_of(details, f"slot-{n}") for n in range(100)]
    assert {a.winner for a in angles} == {details["fix1"], details["fix2"]}
    assert all({a.winner, a.loser} == {details["fix1"], details["fix2"]} for a in angles)
    assert {a.hope for a in angles} == {details["hope1"], details["hope2"]}


@pytest.mark.parametrize(
    ("mine", "yours", "theirs"),
    [
        ("ask my brother", "ask your brother", "ask their brother"),
        ("I'd have to tell us both", "you'd have to tell you both", "they'd have to tell them both"),
        ("I was there and I am here", "you were there and you are here", "they were there and they are here"),
        ("we're seven, and it's ours", "you're seven, and it's yours", "they're seven, and it's theirs"),
        ("the gate drags on the ground", "the gate drags on the ground", "the gate drags on the ground"),
        ("Mine is in Us", "yours is in you", "theirs is in them"),
    ],
)
def test_whose_words_they_are(mine, yours, theirs):
    assert second_person(mine) == yours
    assert third_person(mine) == theirs


@given(st.text())
def test_no_first_person_is_left(text):
    assert second_person(second_person(text)) == second_person(text)

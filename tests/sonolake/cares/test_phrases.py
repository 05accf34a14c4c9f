"""The language of the writer's lines."""

import re
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.cares.allocator import allocate, slots
from sonolake.cares.phrases import Wording, fill, sentences, with_lists
from sonolake.cares.templates import way_of, write_templates
from sonolake.cares.variety import LIMIT, variety_of
from sonolake.cares.writer import write
from sonolake.errors import InvalidInput
from sonolake.ids import rng_of

WAYS = 5


def wordings(line, way, ways=WAYS, draws=150):
    wording = Wording(rng_of("test", str(way)), way, ways)
    return {wording.fill(line, lambda name: f"the {name}") for _ in range(draws)}


def test_choices_are_drawn_slots_filled_and_sentences_begun_with_a_capital():
    assert fill("<well|well>, it {trouble}. {thing} <too|too>?", str, rng_of("x", "y")) == (
        "Well, it trouble. Thing too?"
    )


def test_ways_share_no_wording_and_have_all_of_them_together():
    line = "<a|b|c> {thing} <d|e|f|g>."
    found = [wordings(line, way) for way in range(WAYS)]
    assert sum(map(len, found)) == len(set().union(*found)) == 12
    assert all(len(some) >= 2 for some in found)


def test_each_sentence_of_a_line_has_its_own_wordings():
    for sentence in range(2):
        found = [
            {sentences(text)[sentence] for text in wordings("<a|b|c> <d|e|f>. <g|h|i> <j|k|l>.", way)}
            for way in range(WAYS)
        ]
        assert sum(map(len, found)) == len(set().union(*found)) == 9


def test_a_sentence_with_fewer_wordings_than_ways_leaves_all_to_everyone():
    assert wordings("<a|b> {thing}.", 0) == wordings("<a|b> {thing}.", 3) == {"A the thing.", "B the thing."}


def test_a_phrase_is_not_said_again_while_there_are_others():
    wording = Wording(rng_of("test", "again"))
    line = f"so, <{'|'.join(f'phrase {n}' for n in range(20))}>."
    said = [wording.fill(line, str) for _ in range(10)]
    assert len(set(said)) >= 9


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(1, 7), min_size=1, max_size=4), st.integers(1, 40))
def test_no_two_ways_can_say_the_same(sizes, ways):
    line = " ".join(f"<{'|'.join(f'{g}x{n}' for n in range(size))}>" for g, size in enumerate(sizes))
    first, last = (wordings(line, way, ways, draws=30) for way in (0, ways - 1))
    if ways > 1 and prod(sizes) >= 2 * ways + 10:
        assert not first & last


def test_lists_are_put_in_where_they_are_named():
    lines = {"~end": ("of course", "no less"), "act": ("It is so, <I think|~end>.", "<~end>, then.")}
    assert with_lists(lines) == {
        "act": ("It is so, <I think|of course|no less>.", "<of course|no less>, then.")
    }
    with pytest.raises(InvalidInput, match="~start"):
        with_lists({"act": ("<~start> so.",)})


def test_every_sentence_about_a_matter_has_a_wording_for_each_template_of_it(banks):
    most = max(
        way_of(banks.matters[dict(t.details)["matter"]], dict(t.details))[1]
        for t in write_templates(44, banks)
    )
    assert most == 3 * 10, "three troubles with two of five ways out"
    few = [
        sentence
        for act, lines in banks.lines.items()
        if act.startswith(("owner.", "partner.", "pivot.more"))
        for line in lines
        for sentence in sentences(line)
        if prod(len(choice.split("|")) for choice in re.findall(r"<([^<>]*)>", sentence)) < 31
    ]
    assert few == []


@pytest.mark.parametrize("length", ["paper", "short"])
def test_no_two_scenes_of_different_templates_share_more_than_a_twentieth(length, banks, pool):
    """Three hundred templates, some seven of each matter: the hardest case of this size.

    Of the few sentences of a short dialogue that is none.
    """
    templates = [(template, "train") for template in write_templates(300, banks)]
    by_id = {template.template_id: template for template, _ in templates}
    scenarios = allocate(slots(templates, 300), banks, pool)
    variety = variety_of((s.template_id, write(s, by_id[s.template_id], banks, length)) for s in scenarios)
    assert variety.shared_most <= LIMIT
    assert variety.repeated_sentences < 0.005

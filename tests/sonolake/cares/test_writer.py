import re
from collections import Counter, defaultdict
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from sonolake.cares.agenda import ANSWERS, agenda
from sonolake.cares.checker import check
from sonolake.cares.phrases import sentences
from sonolake.cares.records import Event, Template
from sonolake.cares.variety import variety_of
from sonolake.cares.writer import write
from sonolake.errors import InvalidInput
from sonolake.ids import rng_of


@pytest.fixture(scope="module", params=["paper", "short"])
def written(request, scenarios, template_of, banks):
    """Three hundred scenarios of a hundred templates with their dialogues."""
    length = request.param
    return length, [(s, write(s, template_of[s.template_id], banks, length)) for s in scenarios[:300]]


def test_every_dialogue_passes_the_checker_and_all_differ(written, banks):
    length, dialogues = written
    assert [finding for s, d in dialogues for finding in check(d, s, banks, length)] == []
    assert len({d for _, d in dialogues}) == 300


def test_lengths(written):
    """In the paper 120 s; spoken with the packaged voices a word takes 0.28 s and a change of turn 0.68 s."""
    length, dialogues = written
    counts = Counter(len(d.utterances) for _, d in dialogues)
    words = variety_of((s.template_id, d) for s, d in dialogues).words
    if length == "paper":
        assert set(counts) <= set(range(8, 18))
        assert all(len(d.utterances) <= 13 for s, d in dialogues if s.composition.startswith("P0"))
        assert 375 <= words[0] <= 430
        assert 45 <= words[1] <= 75
    else:
        assert set(counts) <= {6, 7, 8}
        assert 60 <= words[0] <= 165


def test_how_long_the_turn_after_a_sound_is_does_not_tell_the_reaction(written):
    """The mean number of words is the same for all reactions, to a third, so that it moves no sound."""
    words = defaultdict(list)
    for scenario, dialogue in written[1]:
        reactions = {spec.event_id: spec.reaction for spec in scenario.events}
        for event_id, before in dialogue.before():
            words[reactions[event_id]].append(len(dialogue.utterances[before].text.split()))
    means = {reaction: np.mean(some) for reaction, some in words.items()}
    assert len(means) == 4
    assert max(means.values()) < 1.35 * min(means.values()), means


def test_no_slot_or_choice_is_left_open(written):
    for _, dialogue in written[1]:
        for utterance in dialogue.utterances:
            assert not re.search(r"[{}<>|]|  |,,|\.\.", utterance.text), utterance.text
            assert utterance.text[0].isupper() or utterance.text.startswith("[")
            assert utterance.text[-1] in ".?!…", utterance.text


def phrases_of(sound):
    return [*sound.heard, *(h.removeprefix("that ") for h in sound.heard), *sound.guesses]


def test_reacted_to_sounds_are_referred_to_and_others_are_not(written, banks):
    for scenario, dialogue in written[1]:
        before = dict(dialogue.before())
        for spec in scenario.events:
            text = dialogue.utterances[before[spec.event_id]].text.lower()
            own = phrases_of(banks.sounds[spec.event_id])
            if spec.reaction in ("pivot", "verbal"):
                assert any(phrase.lower() in text for phrase in own), (spec, text)
                continue
            for other in scenario.events:
                for phrase in phrases_of(banks.sounds[other.event_id]) if other is not spec else ():
                    text = text.replace(phrase.lower(), "-")
            assert not any(phrase.lower() in text for phrase in own), (spec, text)


def test_a_pivot_is_talked_about_for_four_utterances_at_least(written, banks):
    for scenario, dialogue in written[1]:
        before = dict(dialogue.before())
        for spec in scenario.events:
            if spec.reaction == "pivot":
                sound = banks.sounds[spec.event_id]
                phrases = [*(h.removeprefix("that ") for h in sound.heard), *sound.guesses, " it "]
                at = before[spec.event_id]
                for utterance in dialogue.utterances[at : at + 4]:
                    text = " ".join(re.sub(r"\[\w+\]|…", "", utterance.text.lower()).split())
                    assert any(p.lower() in text for p in phrases), text


def test_sentences_are_seldom_shared_between_templates(written):
    """Of two scenes of different templates: at most 5 % of the sentences; a short scene has too few to hold that."""
    length, dialogues = written
    variety = variety_of((s.template_id, d) for s, d in dialogues)
    assert variety.shared_mean < 0.001
    if length == "paper":
        assert variety.shared_most <= 0.05
        assert variety.repeated_sentences < 0.15


FOR_STATEMENTS = [
    "in all honesty",
    "mark my words",
    "for what it's worth",
    "and that's that",
    "as far as I can see",
    "if nothing else",
    "plain as day",
    "to be fair",
    "I'm sorry to say",
    "no doubt",
    "cross my heart",
    "on the whole",
    "I must say",
    "and I mean it",
    "by the way",
    "tell me",
]


def said_in(dialogues):
    return [
        sentence
        for _, dialogue in dialogues
        for utterance in dialogue.utterances
        for sentence in sentences(re.sub(r"\[\w+\] ", "", utterance.text))
    ]


def test_no_question_ends_in_what_is_hung_on_a_statement(written):
    for sentence in said_in(written[1]):
        assert not sentence.endswith(tuple(f", {aside}?" for aside in FOR_STATEMENTS)), sentence


def test_nothing_is_hung_on_a_tag_question(written):
    tag = r", (isn't it|aren't you|didn't you|wouldn't you say|don't you|is it|was it|wouldn't we),"
    for sentence in said_in(written[1]):
        assert not re.search(tag, sentence), sentence


def test_a_statement_has_no_two_asides_one_after_the_other(written):
    asides = "|".join(map(re.escape, FOR_STATEMENTS))
    for sentence in said_in(written[1]):
        assert not re.search(rf", ({asides}), ({asides})[.?!]$", sentence), sentence


def test_scenes_of_different_matters_share_next_to_nothing(written, template_of):
    length, dialogues = written
    matters = [(dict(template_of[s.template_id].details)["matter"], d) for s, d in dialogues]
    variety = variety_of(matters)
    assert variety.shared_mean < 1e-4
    if length == "paper":
        assert variety.pairs_over_limit < 1e-4


def test_the_same_scenario_is_written_the_same(scenarios, template_of, banks):
    scenario = scenarios[3]
    template = template_of[scenario.template_id]
    assert write(scenario, template, banks) == write(scenario, template, banks)
    assert write(scenario, template, banks, "short") != write(scenario, template, banks)


def test_two_events_are_apart(written):
    for _, dialogue in written[1]:
        assert not any(isinstance(a, Event) and isinstance(b, Event) for a, b in pairwise(dialogue.items))


def test_an_imported_template_needs_another_writer(scenarios, banks):
    imported = Template.make("Parking", "Two adults talk about parking.", "traffic", "city", {})
    with pytest.raises(InvalidInput, match="needs a chat model"):
        write(scenarios[0], imported, banks)


def test_spouses_do_not_speak_of_a_husband(scenarios, template_of, banks):
    """Whoever is in the talk is not spoken of as somebody else, as far as the matter leaves a choice."""
    couples = [s for s in scenarios if s.relation == "married_couple"]
    assert len(couples) > 20
    text = " ".join(
        u.text for s in couples for u in write(s, template_of[s.template_id], banks).utterances
    ).lower()
    fixed = " ".join(str(template_of[s.template_id].details) for s in couples).lower()
    for word in ("husband", "wife"):
        if word not in fixed:
            assert f"my {word}" not in text


def test_who_asks_is_answered():
    """Every question of the partner is followed by the owner's answer to it, unless a pivot comes between."""
    for seed in range(200):
        rng = rng_of(str(seed), "agenda")
        count, first = int(rng.integers(8, 14)), bool(rng.integers(2))
        at = int(rng.integers(1, count - 4))
        pivot = range(at, at + 4) if seed % 2 else range(0)
        turns = agenda(count, first, pivot, rng)
        assert [t.owner for t in turns] == [(t.index % 2 == 0) == first for t in turns]
        assert turns[0].act.endswith("open")
        assert not turns[-1].act or turns[-1].act.endswith("close")
        assert all((t.act == "") == (t.index in pivot) for t in turns)
        for turn, after in pairwise(turns):
            if turn.act in ANSWERS and after.index not in pivot and after.index < count - 1:
                assert after.act == ANSWERS[turn.act]
            assert after.returns == (turn.index in pivot and after.index not in pivot)


def test_matters_without_place_or_reason_are_written_too(scenarios, template_of, banks):
    bare = replace(
        banks,
        locations={k: replace(v, here=()) for k, v in banks.locations.items()},
        relations={k: replace(v, why={}, avoid=()) for k, v in banks.relations.items()},
    )
    for scenario in scenarios[:30]:
        write(scenario, template_of[scenario.template_id], bare)


@pytest.mark.soak
def test_ten_thousand_dialogues(templates, banks, pool, template_of):
    from sonolake.cares.allocator import allocate, slots

    dialogues = [
        (s.template_id, write(s, template_of[s.template_id], banks))
        for s in allocate(slots(templates, 10_000), banks, pool)
    ]
    assert len(set(dialogues)) == 10_000
    lengths = np.array([sum(len(u.text.split()) for u in d.utterances) for _, d in dialogues])
    assert 375 <= lengths.mean() <= 430

import re
from collections import Counter
from itertools import pairwise

import pytest

from sonolake.cares.checker import check
from sonolake.cares.phrases import sentences
from sonolake.cares.records import Event, Template
from sonolake.cares.writer import write
from sonolake.errors import InvalidInput


@pytest.fixture(scope="module", params=["paper", "short"])
def written(request, scenarios, template_of, banks):
    """Two hundred scenarios with their dialogues."""
    length = request.param
    chosen = scenarios[:200]
    return length, [(s, write(s, template_of[s.template_id], banks, length)) for s in chosen]


def test_every_dialogue_passes_the_checker_and_all_differ(written, banks):
    length, dialogues = written
    assert [finding for s, d in dialogues for finding in check(d, s, banks, length)] == []
    assert len({d for _, d in dialogues}) == 200


def test_lengths(written):
    length, dialogues = written
    counts = Counter(len(d.utterances) for _, d in dialogues)
    words = sum(len(u.text.split()) for _, d in dialogues for u in d.utterances) / 200
    if length == "paper":
        assert set(counts) == set(range(8, 14))
        assert 270 <= words <= 380
    else:
        assert set(counts) == {6, 7, 8}
        assert 60 <= words <= 130


def test_no_slot_or_choice_is_left_open(written):
    for _, dialogue in written[1]:
        for utterance in dialogue.utterances:
            assert not re.search(r"[{}<>|]|  ", utterance.text)
            assert utterance.text[0].isupper() or utterance.text.startswith("[")


def test_reacted_to_sounds_are_referred_to_and_others_are_not(written, banks):
    for scenario, dialogue in written[1]:
        before = dict(dialogue.before())
        for spec in scenario.events:
            sound = banks.sounds[spec.event_id]
            text = dialogue.utterances[before[spec.event_id]].text.lower()
            words = [*sound.heard, *(h.removeprefix("that ") for h in sound.heard), *sound.guesses]
            referred = any(phrase.lower() in text for phrase in words)
            assert referred == (spec.reaction in ("pivot", "verbal")), (spec, text)


def test_sentences_are_seldom_shared_between_templates(written):
    _, dialogues = written
    own = [
        (s.template_id, {x.lower() for u in d.utterances for x in sentences(u.text)}) for s, d in dialogues
    ]
    shares = [len(a & b) / min(len(a), len(b)) for i, (t, a) in enumerate(own) for u, b in own[:i] if t != u]
    assert sum(shares) / len(shares) < 0.01


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

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.cares.allocator import allocate, slots
from sonolake.cares.pool import Pool, speakable
from sonolake.cares.records import BANDS
from sonolake.errors import InvalidInput

DIMENSIONS = ("composition", "location", "relation", "genders")


def spread(values, of):
    counts = Counter(values)
    return max(counts[v] for v in of) - min(counts[v] for v in of)


def values_of(banks, pool):
    return {
        "location": tuple(banks.locations),
        "relation": tuple(banks.relations),
        "genders": pool.genders,
    }


def test_a_thousand_have_the_published_quotas(scenarios):
    counts = Counter(s.composition for s in scenarios)
    assert sorted(counts.values()) == [33] * 20 + [34] * 10
    assert counts["P0V1B1A0"] == 34
    assert counts["P0V2B0A0"] == 33
    events = Counter(e.reaction for s in scenarios for e in s.events)
    assert events == {"pivot": 331, "verbal": 663, "behavioral": 665, "ambient": 665}


def test_marginals_are_even_over_all_and_in_each_split(scenarios, banks, pool):
    for name, values in values_of(banks, pool).items():
        assert spread([getattr(s, name) for s in scenarios], values) <= 1
        for split in pool.events:
            assert spread([getattr(s, name) for s in scenarios if s.split == split], values) <= 1


def test_registers_are_even_and_distinct_in_a_scene(scenarios, banks):
    for reaction, bank in banks.reactions.items():
        used = [e.register for s in scenarios for e in s.events if e.reaction == reaction]
        if bank.registers:
            assert spread(used, [r.register for r in bank.registers]) <= 1
        for scenario in scenarios:
            own = [e.register for e in scenario.events if e.reaction == reaction and e.register]
            assert len(own) == len(set(own))


def test_a_third_of_each_reaction_is_set_back(scenarios):
    for reaction in ("pivot", "verbal", "behavioral", "ambient"):
        layers = Counter(e.layer for s in scenarios for e in s.events if e.reaction == reaction)
        assert layers["supporting"] / layers.total() == pytest.approx(0.35, abs=0.01)


def test_events_belong_to_the_place_and_bands_rise(scenarios, banks):
    for scenario in scenarios:
        ids = [e.event_id for e in scenario.events]
        assert len(ids) == len(set(ids))
        allowed = {*banks.pool(scenario.location), *banks.rare(scenario.location)}
        assert set(ids) <= allowed
        bands = [BANDS.index(e.band) for e in scenario.events]
        assert all(a < b for a, b in pairwise(bands))
        assert [e.reaction for e in scenario.events].count("pivot") <= 1
        assert not any(e.reaction == "pivot" and e.band == "late" for e in scenario.events)


def test_rare_sounds_are_pivots_of_one_scene_in_twenty(scenarios):
    rare = [e for s in scenarios for e in s.events if e.event_id.startswith("rare_events/")]
    assert len(rare) == 50
    assert {e.reaction for e in rare} == {"pivot"}


def test_order_does_not_encode_the_type(scenarios):
    first = Counter(s.events[0].reaction for s in scenarios if len(s.events) == 2 and "P0" in s.composition)
    assert first["verbal"] + first["behavioral"] > first["ambient"]
    mixed = [s for s in scenarios if s.composition == "P0V1B0A1"]
    assert 5 <= sum(s.events[0].reaction == "verbal" for s in mixed) <= 29


def test_extending_changes_nothing_and_stays_even(banks, pool, templates, scenarios):
    more = allocate(slots(templates, 2000, scenarios), banks, pool, scenarios)
    assert len(more) == 1000
    everything = [*scenarios, *more]
    assert len({s.scenario_id for s in everything}) == 2000
    assert len({(s.template_id, s.number) for s in everything}) == 2000
    counts = Counter(s.composition for s in everything)
    assert sorted(counts.values()) == [66] * 10 + [67] * 20
    for name, values in values_of(banks, pool).items():
        assert spread([getattr(s, name) for s in everything], values) <= 1


def test_nothing_to_add_when_all_are_there(templates, scenarios):
    assert slots(templates, 1000, scenarios) == ()


@settings(deadline=None, max_examples=15)
@given(n=st.integers(1, 90), seed=st.randoms(use_true_random=False))
def test_the_set_of_slots_decides_not_their_order(n, seed, banks, pool, templates):
    wanted = list(slots(templates, n))
    allocated = allocate(wanted, banks, pool)
    seed.shuffle(wanted)
    assert allocate(wanted, banks, pool) == allocated
    assert all(not (e.reaction == "pivot" and e.band == "late") for s in allocated for e in s.events)
    for name in DIMENSIONS[1:]:
        assert spread([getattr(s, name) for s in allocated], values_of(banks, pool)[name]) <= 1


def test_a_sound_without_a_take_is_not_allocated_in_that_split(banks, templates):
    few = frozenset(e for e in banks.sounds if not e.startswith("general/k"))
    limited = Pool({"train": frozenset(banks.sounds), "validation": few, "test": few}, speakable("fm"))
    allocated = allocate(slots(templates, 600), banks, limited)
    used = {
        split: {e.event_id for s in allocated if s.split == split for e in s.events}
        for split in limited.events
    }
    assert "general/keys_jingle" in used["train"]
    assert "general/keys_jingle" not in used["validation"] | used["test"]
    assert {s.genders for s in allocated} == {"FM", "MF"}


def test_voices_decide_the_gender_pairs():
    assert speakable("f") == ()
    assert speakable("ffm") == ("FF", "FM", "MF")
    assert speakable("ffmm") == ("FF", "FM", "MF", "MM")


def test_too_few_sounds_are_refused_with_their_place(banks, templates):
    poor = Pool({split: frozenset({"general/zip"}) for split in ("train", "validation", "test")})
    with pytest.raises(InvalidInput, match="sounds with a take for home_indoor in test"):
        allocate(slots(templates, 3), banks, poor)


def test_every_template_gets_its_share(templates):
    wanted = slots(templates, 250)
    counts = Counter(slot.template.template_id for slot in wanted)
    assert len(counts) == 100
    assert set(counts.values()) == {2, 3}

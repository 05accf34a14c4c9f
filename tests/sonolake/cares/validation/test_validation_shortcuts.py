"""Shortcuts: features that tell the reaction are found, others are not."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.cares.records import REACTIONS
from sonolake.cares.validation import facts_of, report, shortcut
from sonolake.errors import InvalidInput, NotFound


@pytest.fixture(scope="module")
def drawn():
    """Reactions of 800 sounds in 80 templates, with a generator."""
    rng = np.random.default_rng(7)
    reactions = [REACTIONS[i] for i in rng.choice(4, size=800, p=[1 / 7, 2 / 7, 2 / 7, 2 / 7])]
    return reactions, [f"template-{n % 80}" for n in range(800)], rng


def test_a_number_that_is_the_reaction_tells_it(drawn):
    reactions, groups, rng = drawn
    values = [REACTIONS.index(r) + 0.1 * rng.random() for r in reactions]
    found = shortcut(reactions, {"level": values}, groups, shuffles=40)
    assert found.tells
    assert found.accuracy > 0.8


def test_a_name_that_is_the_reaction_tells_it(drawn):
    reactions, groups, _ = drawn
    found = shortcut(reactions, {"take": [f"take of {r}" for r in reactions]}, groups, shuffles=40)
    assert found.accuracy == 1.0


def test_a_half_that_one_reaction_keeps_to(drawn):
    """Behavioral sounds alone lie above: all of them are found, and one of the other three is guessed: 2 of 4."""
    reactions, groups, rng = drawn
    values = [rng.random() + (r == "behavioral") for r in reactions]
    found = shortcut(reactions, {"overlap": values}, groups, shuffles=40)
    assert found.accuracy == pytest.approx(0.5, abs=0.06)
    assert found.tells


def test_what_two_numbers_tell_together_is_found(drawn):
    """Each alone says nothing: a pivot is where both are high or both are low."""
    reactions, groups, rng = drawn
    first = rng.random(len(reactions))
    same = np.array([r in ("pivot", "ambient") for r in reactions])
    second = np.where(same, first, 1 - first) * 0.98
    pair = {"gap": list(first), "level": list(second)}
    assert shortcut(reactions, pair, groups, shuffles=40).accuracy > 0.4
    assert not shortcut(reactions, {"gap": list(first)}, groups, shuffles=40).tells


def test_chance_is_found_to_be_chance():
    """Of forty features drawn without a look at the reaction about one lies above the middle 95 %."""
    rng = np.random.default_rng(11)
    telling = 0
    for _ in range(40):
        reactions = [REACTIONS[i] for i in rng.integers(4, size=300)]
        groups = [f"template-{n % 30}" for n in range(300)]
        telling += shortcut(reactions, {"gap": list(rng.random(300))}, groups, shuffles=60).tells
    assert telling <= 5


def test_what_is_not_known_is_a_cell_of_its_own(drawn):
    reactions, groups, _ = drawn
    values = [float("nan") if r == "ambient" else 1.0 for r in reactions]
    assert shortcut(reactions, {"lead": values}, groups, shuffles=20).accuracy == pytest.approx(0.5, abs=0.03)
    nothing = shortcut(reactions, {"lead": [float("nan")] * 800}, groups, shuffles=20)
    assert nothing.accuracy == 0.25


def test_a_template_is_in_one_fold():
    """A template that names its own reaction teaches nothing of other templates."""
    reactions = [REACTIONS[n % 4] for n in range(400)]
    groups = [f"template-{n % 40}" for n in range(400)]
    found = shortcut(reactions, {"template": groups}, groups, shuffles=20)
    assert not found.tells


@given(st.lists(st.sampled_from(REACTIONS), min_size=10, max_size=60), st.integers(0, 2**32))
@settings(max_examples=20)
def test_accuracy_is_a_share_and_the_same_each_time(reactions, seed):
    rng = np.random.default_rng(seed)
    values = list(rng.random(len(reactions)))
    groups = [str(n % 7) for n in range(len(reactions))]
    one, again = (shortcut(reactions, {"gap": values}, groups, shuffles=5) for _ in range(2))
    assert one == again
    assert 0 <= one.accuracy <= 1
    assert 0 <= one.low <= one.high <= 1


@pytest.mark.parametrize(
    ("reactions", "values", "groups"),
    [
        (["pivot"] * 10, [1.0] * 9, list("abcdefghij")),
        (["pivot"] * 10, [1.0] * 10, list("aabbccddaa")),
        (["loud"] * 10, [1.0] * 10, list("abcdefghij")),
    ],
)
def test_what_cannot_be_compared_is_refused(reactions, values, groups):
    with pytest.raises(InvalidInput):
        shortcut(reactions, {"gap": values}, groups)


def scenes():
    """Sixty scenes of 20 templates: a pivot in the first two thirds, an ambient sound in the last one."""
    rng = np.random.default_rng(3)
    made = []
    for n in range(60):
        gap = float(rng.uniform(0.5, 0.85))
        turns = [{"start_s": 10.0 * i, "end_s": 10.0 * (i + 1) - gap} for i in range(6)]
        events = [
            _event("rare_events/thunder", "pivot", 19.4, "early"),
            _event("general/zip", "ambient", 49.4, "late"),
        ]
        made.append(
            {
                "template_id": f"template-{n % 20}",
                "duration_s": 60.0,
                "turns": turns,
                "events": events,
                "before": {"rare_events/thunder": 2, "general/zip": 5},
            }
        )
    return made


def _event(event, reaction, onset, band):
    return {
        "event": event,
        "reaction": reaction,
        "band": band,
        "take": f"take of {event}",
        "voice_s": 0.25,
        "onset_s": onset,
        "offset_s": onset + 1.0,
        "distance_m": 2.0,
        "measured_level_lufs": -20.0,
    }


def test_facts_are_read_from_scenes():
    facts = facts_of(scenes())
    assert len(facts.reactions) == 120
    assert 0.5 <= min(facts.features["gap_s"]) <= max(facts.features["gap_s"]) <= 0.85
    assert set(facts.features["position"]) == {19.4 / 60, 49.4 / 60}
    assert facts.features["duration_s"] == pytest.approx([1.0] * 120)
    assert facts.features["overlap"] == pytest.approx([0.25] * 120)


def test_scenes_from_before_the_overlap_was_measured():
    made = scenes()
    for scene in made:
        for event in scene["events"]:
            event["voice_s"] = None
    assert np.isnan(facts_of(made).features["overlap"]).all()


def test_the_report_says_what_must_be_even_and_compares_within_what_the_rules_leave_free():
    every = report(facts_of(scenes()), shuffles=20)
    found = {one.features: one for one in every if not one.tied}
    must = found["gap_s", "level_lufs"]
    assert must.must
    assert not must.tells
    assert [names for names, one in found.items() if one.must] == [("gap_s", "level_lufs")]
    assert (found["position",].within, found["position",].n) == ("early and middle thirds", 60)
    assert (found["event",].within, found["event",].n) == ("sounds that are not rare", 60)
    assert found["level_lufs",].n == 120
    assert [(one.features, one.n) for one in every if one.tied] == [(("position",), 120), (("event",), 120)]


def test_scenes_without_sounds_have_no_report():
    with pytest.raises(NotFound, match="no sounds"):
        facts_of([{"events": []}])

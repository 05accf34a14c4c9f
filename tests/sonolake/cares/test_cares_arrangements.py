"""Orders and thirds against what can be counted by hand."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.cares.arrangements import arrange, arrangements
from sonolake.cares.compositions import KEYS
from sonolake.cares.records import BANDS


@pytest.mark.parametrize(
    ("composition", "number"),
    [
        ("P0V0B0A0", 1),  # nothing happens
        ("P0V1B0A0", 3),  # three thirds
        ("P1V0B0A0", 2),  # a pivot never comes last
        ("P0V1B0A1", 6),  # two orders in three pairs of thirds
        ("P0V2B0A0", 3),  # one order
        ("P1V1B0A0", 4),  # early and middle both ways; the pivot first where the other one is late
        ("P0V3B0A0", 1),
        ("P0V1B1A1", 6),
        ("P1V1B1A0", 4),  # of six orders, two end with the pivot
        ("P1V2B0A0", 2),  # of three
    ],
)
def test_arrangements_that_the_rules_allow(composition, number):
    assert len(arrangements(composition)) == number


SPLITS = ("train", "validation", "test")
WANTED = st.lists(st.tuples(st.sampled_from(SPLITS), st.sampled_from(KEYS)), max_size=150)


@settings(deadline=None, max_examples=40)
@given(WANTED, st.randoms(use_true_random=False))
def test_thirds_are_even_and_arrangements_take_turns_in_any_order(wanted, random):
    compositions = {split: {} for split in SPLITS}
    for n, (split, composition) in enumerate(wanted):
        compositions[split][f"slot-{n}"] = composition
    found = arrange(compositions, ())
    for split in SPLITS:
        bands = Counter(
            band for s, key in compositions[split].items() if key.startswith("P0") for _, band in found[s]
        )
        assert max(bands.values(), default=0) - min(bands[band] for band in BANDS) <= 1
    shuffled = list(compositions.items())
    random.shuffle(shuffled)
    turned = {split: dict(random.sample(list(some.items()), len(some))) for split, some in shuffled}
    assert arrange(turned, ()) == found


def test_arrangements_of_a_pivot_are_used_equally_often():
    found = arrange({"train": {f"slot-{n}": "P1V1B0A0" for n in range(400)}}, ())
    assert set(Counter(found.values()).values()) == {100}

"""Where events fall among the utterances."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonolake.cares.placing import place
from sonolake.cares.records import BANDS, REACTIONS, EventSpec
from sonolake.errors import InvalidInput


def events(bands, reactions):
    return [
        EventSpec(f"general/e{n}", reaction, None if reaction == "ambient" else "a", band, "core")
        for n, (band, reaction) in enumerate(zip(bands, reactions, strict=True))
    ]


BANDS_IN_ORDER = st.lists(st.sampled_from(BANDS), min_size=1, max_size=3, unique=True).map(
    lambda some: sorted(some, key=BANDS.index)
)


@given(BANDS_IN_ORDER, st.integers(0, 2**32), st.data())
def test_the_place_does_not_tell_the_reaction(bands, seed, data):
    """Two scenes with events in the same thirds and equal draws have them in the same places, whatever they are."""
    allowed = [REACTIONS if band != "late" else REACTIONS[1:] for band in bands]
    one, other = ([data.draw(st.sampled_from(some)) for some in allowed] for _ in range(2))
    found = [
        place(events(bands, reactions), range(8, 14), np.random.default_rng(seed))
        for reactions in (one, other)
    ]
    assert found[0] == found[1]


@given(BANDS_IN_ORDER, st.integers(0, 2**32))
def test_every_rule_of_the_third_is_kept(bands, seed):
    """As published: within a tenth of its third; a pivot has four utterances after it."""
    n, places = place(events(bands, ["ambient"] * len(bands)), range(8, 14), np.random.default_rng(seed))
    assert list(places) == sorted(set(places))
    for band, before in zip(bands, places, strict=True):
        third = BANDS.index(band)
        assert third / 3 - 0.1001 <= before / n <= (third + 1) / 3 + 0.1001
        assert 1 <= before < n
        if band != "late":
            assert 3 * before < 2 * n
            assert n - before >= 4


def test_a_dialogue_that_is_too_short_is_refused():
    with pytest.raises(InvalidInput, match="a length that holds these events"):
        place(events(BANDS, ["ambient"] * 3), [3], np.random.default_rng(0))

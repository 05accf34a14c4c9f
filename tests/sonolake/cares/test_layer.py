"""Loudness of what was changed, against another meter on the samples as they are then."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyebur128.pyebur128 import MeasurementMode, R128State, get_loudness_global

from sonolake.cares.layer import Layer, Meter, add_up
from sonolake.errors import InvalidInput

RATE = 44_100


def libebur128(x):
    state = R128State(1, RATE, MeasurementMode.MODE_I)
    state.add_frames(np.ascontiguousarray(x), len(x))
    return get_loudness_global(state)


changes = st.lists(
    st.tuples(st.integers(0, 3 * RATE), st.integers(1, RATE), st.floats(-40, 6)), min_size=1, max_size=4
)


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 2**32 - 1), changes, st.floats(-30, 6))
def test_loudness_after_changes_is_that_of_the_samples(seed, changed, gain_db):
    rng = np.random.default_rng(seed)
    layer = Layer(rng.standard_normal(3 * RATE) * 0.05)
    other = Layer(np.cumsum(rng.standard_normal(3 * RATE)) * 1e-4)
    meter = Meter((layer, other), RATE)
    layer.gain(gain_db)
    for number, (first, frames, level) in enumerate(changed):
        part = (layer, other)[number % 2].part(first, first + frames)
        new = part * 10 ** (level / 20) + rng.standard_normal(len(part)) * 0.01
        (layer, other)[number % 2].change(first, new)
        assert (layer, other)[number % 2].part(first, first + frames) == pytest.approx(new)
    for one in (layer, other):
        assert meter.loudness(one) == pytest.approx(libebur128(one.part(0, len(one))), abs=0.02)
    together, both = meter.loudness(layer, other), layer.part(0, len(layer)) + other.part(0, len(layer))
    assert together == pytest.approx(libebur128(both), abs=0.02)
    mix, top = add_up(layer, other)
    assert np.abs(mix - both).max() < 1e-12
    assert top == np.abs(mix).max()


def test_silence_is_not_levelled():
    layer = Layer(np.zeros(RATE))
    with pytest.raises(InvalidInput, match="silence"):
        Meter([layer], RATE).gain_db(-23.0, layer)

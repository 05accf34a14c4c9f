"""Loudness of what was changed, against another meter on the samples as they are then."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyebur128.pyebur128 import MeasurementMode, R128State, get_loudness_global

from sonolake.cares.layer import MeteredLayer

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
    layer = MeteredLayer(rng.standard_normal(3 * RATE) * 0.05, RATE)
    for first, frames, level in changed:
        part = layer.samples[first : first + frames]
        layer.change(first, part * 10 ** (level / 20) + rng.standard_normal(len(part)) * 0.01)
    layer.gain(gain_db)
    other = MeteredLayer(np.cumsum(rng.standard_normal(3 * RATE)) * 1e-4, RATE)
    layer.add(other)
    assert len(layer) == 3 * RATE
    assert layer.loudness() == pytest.approx(libebur128(layer.samples), abs=0.02)

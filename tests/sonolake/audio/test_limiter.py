import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.audio.limiter import HOLD_S, LOOKAHEAD_S, limit
from sonolake.errors import InvalidInput

CEILING = 10 ** (-1 / 20)


@settings(deadline=None, max_examples=60)
@given(
    st.integers(0, 2**32 - 1),
    st.integers(1, 6000),
    st.floats(0.01, 5.0),
    st.integers(1, 4),
    st.floats(-20, 0),
)
def test_no_sample_is_over_the_ceiling_and_shape_and_signs_stay(seed, frames, level, channels, ceiling_db):
    x = np.random.default_rng(seed).standard_normal((frames, channels)) * level
    y = limit(x, 8000, ceiling_db)
    ceiling = 10 ** (ceiling_db / 20)
    assert y.shape == x.shape
    assert np.abs(y).max() <= ceiling * (1 + 1e-12)
    assert np.all(np.abs(y) <= np.abs(x))
    assert np.all(y * x >= 0)


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 2**32 - 1), st.integers(1, 2000))
def test_under_the_ceiling_the_output_is_the_input_bit_for_bit(seed, frames):
    x = np.random.default_rng(seed).uniform(-CEILING, CEILING, frames)
    assert np.array_equal(limit(x, 44100), x)


def test_only_the_surroundings_of_an_over_change(rng):
    rate = 44100
    x = rng.uniform(-0.5, 0.5, 2 * rate)
    x[rate] = 2.0
    changed = np.flatnonzero(limit(x, rate) != x)
    assert changed[0] >= rate - LOOKAHEAD_S * rate - 1
    assert changed[-1] <= rate + (HOLD_S + LOOKAHEAD_S) * rate + 1
    assert limit(x, rate)[rate] == pytest.approx(CEILING)


def test_the_input_is_not_modified():
    x = np.full(1000, 2.0)
    limit(x, 44100)
    assert np.all(x == 2.0)


def test_overs_at_the_very_ends():
    x = np.zeros(500)
    x[0], x[-1] = 3.0, -3.0
    y = limit(x, 44100)
    assert y[0] == pytest.approx(CEILING) and y[-1] == pytest.approx(-CEILING)


def test_channels_share_one_gain():
    x = np.full((2000, 2), 0.4)
    x[1000, 0] = 1.6
    y = limit(x, 44100)
    assert y[1000, 1] / 0.4 == pytest.approx(y[1000, 0] / 1.6)


def test_the_gain_moves_without_a_step():
    """A 50 Hz tone that jumps over the ceiling: no sample-to-sample gain change larger than the ramp allows."""
    rate = 44100
    t = np.arange(rate) / rate
    x = np.sin(2 * np.pi * 50 * t) * np.where(t < 0.5, 0.5, 1.5)
    y = limit(x, rate)
    gain = y[np.abs(x) > 0.01] / x[np.abs(x) > 0.01]
    assert np.abs(np.diff(gain)).max() < 0.02


@pytest.mark.parametrize(
    ("x", "ceiling"), [([np.nan, 0.0], -1), ([np.inf], -1), ([0.1], 0.5), ([0.1], np.nan)]
)
def test_nonsense_is_refused(x, ceiling):
    with pytest.raises(InvalidInput):
        limit(np.array(x), 44100, ceiling)

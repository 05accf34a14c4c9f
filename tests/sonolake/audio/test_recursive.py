import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.signal import sosfilt

from sonolake.audio.recursive import filtered, filtered_pieces


@st.composite
def cascades(draw):
    """One to four stable sections with any zeros."""
    rows = []
    for _ in range(draw(st.integers(1, 4))):
        radius, angle = draw(st.floats(0, 0.98)), draw(st.floats(0, np.pi))
        zeros = draw(st.lists(st.floats(-2, 2), min_size=3, max_size=3))
        rows.append([*zeros, 1.0, -2 * radius * np.cos(angle), radius * radius])
    return np.array(rows)


@settings(deadline=None, max_examples=60)
@given(cascades(), st.integers(1, 5000), st.integers(1, 3000), st.integers(0, 2**32 - 1))
def test_the_same_as_one_sample_after_the_other_however_it_is_cut(sos, frames, piece, seed):
    x = np.random.default_rng(seed).standard_normal(frames)
    expected = sosfilt(sos, x)
    close = 1e-10 * max(1.0, np.abs(expected).max())
    assert np.abs(filtered(sos, x) - expected).max() < close
    pieces = list(filtered_pieces(sos, x, piece))
    assert np.abs(np.concatenate([part for _, part in pieces]) - expected).max() < close
    assert [first for first, _ in pieces] == list(range(0, frames, piece))


def test_nothing_gives_nothing():
    assert filtered(np.array([[1.0, 0.0, 0.0, 1.0, -0.5, 0.0]]), np.empty(0)).shape == (0,)


def test_long_signals_and_slow_filters():
    """Three minutes under two poles at 38 Hz, one piece after the other, and columns of many channels."""
    x = np.random.default_rng(1).standard_normal((180 * 8000, 2))
    r = 1 - 2 * np.pi * 38 / 44_100
    sos = np.array([[1.0, -2.0, 1.0, 1.0, -2 * r, r * r]])
    assert np.abs(filtered(sos, x[:, 1]) - sosfilt(sos, x[:, 1])).max() < 1e-10

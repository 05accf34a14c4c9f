import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.signal import fftconvolve

from sonolake.audio.convolve import convolve
from sonolake.errors import InvalidInput


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 2**32 - 1), st.integers(1, 3000), st.integers(1, 900))
def test_equals_scipy(seed, frames, taps):
    rng = np.random.default_rng(seed)
    x, h = rng.standard_normal(frames), rng.standard_normal(taps)
    y = convolve(x, h)
    assert y.shape == (frames + taps - 1,)
    assert y == pytest.approx(fftconvolve(x, h), abs=1e-9)


def test_equals_scipy_over_many_blocks_and_channels(rng):
    x, h = rng.standard_normal(700_001), rng.standard_normal((30_011, 4))
    expected = np.stack([fftconvolve(x, h[:, c]) for c in range(4)], axis=1)
    assert np.abs(convolve(x, h) - expected).max() < 1e-9


@pytest.mark.parametrize("k", [0, 1, 17, 4000])
def test_a_unit_impulse_shifts_by_exactly_its_place(rng, k):
    x = rng.standard_normal(250_000)
    impulse = np.zeros(4001)
    impulse[k] = 1.0
    y = convolve(x, impulse)
    assert np.abs(y[k : k + len(x)] - x).max() < 1e-12
    assert np.abs(y[:k]).max(initial=0) < 1e-12


def test_the_smallest_case_by_hand():
    assert convolve(np.array([1.0, 2.0]), np.array([3.0, 4.0])) == pytest.approx([3, 10, 8])


@pytest.mark.parametrize(
    ("x", "h"), [(np.zeros(0), np.ones(3)), (np.ones(3), np.zeros(0)), (np.ones((3, 2)), np.ones(3))]
)
def test_shapes_that_mean_nothing_are_refused(x, h):
    with pytest.raises(InvalidInput):
        convolve(x, h)

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.signal import fftconvolve

from sonolake.audio.convolve import convolve, glide
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


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 2**32 - 1), st.integers(1, 400), st.lists(st.integers(1, 60), min_size=1, max_size=5))
def test_every_sample_excites_the_response_of_its_moment(seed, frames, taps):
    rng = np.random.default_rng(seed)
    x, responses = rng.standard_normal(frames), [rng.standard_normal((length, 4)) for length in taps]
    padded = np.stack([np.pad(r, ((0, max(taps) - len(r)), (0, 0))) for r in responses])
    expected = np.zeros((frames + max(taps) - 1, 4))
    for n, sample in enumerate(x):
        place = n / max(1, frames - 1) * (len(taps) - 1)
        here = min(int(place), len(taps) - 1)
        onwards = min(here + 1, len(taps) - 1)
        share = place - here
        expected[n : n + max(taps)] += sample * ((1 - share) * padded[here] + share * padded[onwards])
    # A response is heard until its own last tap, so a lone sample ends earlier.
    y = glide(x, responses)
    single = len(taps) > 1 and frames > 1  # only a response that changes is worked out in single precision
    assert y == pytest.approx(expected[: len(y)], abs=1e-6 * np.abs(expected).max() if single else 1e-9)


def test_gliding_has_no_clicks():
    t = np.arange(24000) / 24000
    x = np.sin(2 * np.pi * 100 * t)
    gains = np.array([0.2, 1.0, 0.5])
    y = glide(x, [np.full((1, 1), gain) for gain in gains])[:, 0]
    assert y == pytest.approx(x * np.interp(np.linspace(0, 2, 24000), [0, 1, 2], gains), abs=1e-6)


def test_responses_that_do_not_fit_each_other_are_refused(rng):
    x = rng.standard_normal(100)
    for responses in ([], [np.ones(3)], [np.ones((3, 4)), np.ones((3, 2))]):
        with pytest.raises(InvalidInput, match="responses"):
            glide(x, responses)

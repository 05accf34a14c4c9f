import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.signal import fftconvolve

from sonolake.audio.rate_change import convolve_at
from sonolake.errors import InvalidInput


@pytest.mark.parametrize(
    ("rate_in", "rate_out"), [(24_000, 44_100), (48_000, 44_100), (8_000, 8_000), (22_051, 44_100)]
)
@pytest.mark.parametrize("hz", [50.0, 1000.0, 3_500.0])
def test_a_tone_is_that_tone_at_the_other_rate_shifted_by_the_response(rate_in, rate_out, hz):
    x = np.sin(2 * np.pi * hz * np.arange(6 * rate_in) / rate_in)
    response = np.zeros(3000)
    response[[0, 2999]] = 1.0, -0.5
    y = convolve_at(x, rate_in, response, rate_out)
    assert len(y) == 6 * rate_out + 2999
    n = np.arange(6 * rate_out)
    expected = np.sin(2 * np.pi * hz * n / rate_out) - 0.5 * np.sin(2 * np.pi * hz * (n - 2999) / rate_out)
    inside = slice(5000, -5000)
    assert np.abs(y[: len(n)] - expected)[inside].max() < 1e-5


@settings(deadline=None, max_examples=12)
@given(st.integers(0, 2**32 - 1), st.integers(1, 4000), st.integers(1, 500))
def test_between_rates_of_one_to_two_every_other_sample_was_there(seed, frames, taps):
    """A pulse train of twice the rate under an ideal low pass keeps what lies well under half of the lower rate."""
    rng = np.random.default_rng(seed)
    x = np.convolve(rng.standard_normal(frames), np.hanning(41) / 20)
    response = np.repeat(rng.standard_normal(taps), 2) * np.tile([1.0, 0.0], taps)
    y = convolve_at(x, 8_000, response, 16_000)
    expected = fftconvolve(x, response[::2])
    assert len(y) == 2 * len(x) + 2 * taps - 1
    assert np.abs(y[::2][: len(expected)] - expected).max() < 1e-4 * max(1.0, np.abs(expected).max())


def test_what_the_lower_rate_cannot_hold_is_gone():
    x = np.sin(2 * np.pi * 23_000 * np.arange(48_000) / 48_000)
    assert np.abs(convolve_at(x, 48_000, np.ones(1), 44_100)[2000:-2000]).max() < 2e-6


@pytest.mark.parametrize(
    ("x", "response"), [(np.zeros(0), np.ones(3)), (np.ones(3), np.zeros(0)), (np.ones((3, 2)), np.ones(3))]
)
def test_shapes_that_mean_nothing_are_refused(x, response):
    with pytest.raises(InvalidInput):
        convolve_at(x, 8_000, response, 16_000)

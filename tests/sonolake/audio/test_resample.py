import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.audio.resample import resample, resampled_length
from sonolake.errors import InvalidInput

RATES = [8000, 11025, 16000, 22050, 24000, 44100, 48000, 96000]


@settings(deadline=None, max_examples=60)
@given(st.integers(1, 3000), st.sampled_from(RATES), st.sampled_from(RATES), st.integers(1, 3))
def test_the_length_is_the_rule_for_any_length(frames, rate_in, rate_out, channels):
    y = resample(np.zeros((frames, channels)), rate_in, rate_out)
    assert y.shape == (max(1, round(frames * rate_out / rate_in)), channels)
    assert len(y) == resampled_length(frames, rate_in, rate_out)


def test_lengths_by_hand():
    assert resampled_length(44100, 44100, 48000) == 48000
    assert resampled_length(1, 48000, 8000) == 1
    assert resampled_length(0, 48000, 8000) == 0
    assert resampled_length(133632, 44100, 16000) == 48483


@pytest.mark.parametrize("rate_out", [22050, 48000])
def test_a_tone_keeps_its_level_and_place(rate_out):
    tone = lambda rate: 0.5 * np.sin(2 * np.pi * 1000 * np.arange(rate) / rate)  # noqa: E731
    y = resample(tone(44100), 44100, rate_out)
    middle = slice(2000, -2000)
    assert y[middle] == pytest.approx(tone(rate_out)[middle], abs=1e-4)


def test_equal_rates_return_the_signal_itself(rng):
    x = rng.standard_normal(10)
    assert resample(x, 44100, 44100) is x


def test_a_bad_rate_is_named():
    with pytest.raises(InvalidInput, match="rate_out"):
        resample(np.zeros(10), 44100, 0)

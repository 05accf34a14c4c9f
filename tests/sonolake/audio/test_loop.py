import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.audio.loop import loop_to
from sonolake.errors import InvalidInput


@settings(deadline=None, max_examples=80)
@given(st.integers(1, 500), st.integers(0, 4000), st.floats(0, 3), st.integers(0, 2000), st.integers(1, 4))
def test_the_length_is_exact_for_anything(n, frames, crossfade_s, start, channels):
    x = np.random.default_rng(n).standard_normal((n, channels))
    assert loop_to(x, frames, 100, crossfade_s, start).shape == (frames, channels)


def test_long_enough_is_an_excerpt_bit_for_bit(rng):
    x = rng.standard_normal(1000)
    assert np.array_equal(loop_to(x, 400, 100, start=350), x[350:750])


def test_the_loop_goes_on_to_the_very_end_at_an_even_level(rng):
    """2.9 s of noise under 120 s: every 100 ms has the level of the noise."""
    rate = 8000
    y = loop_to(rng.standard_normal(int(2.9 * rate)) * 0.1, 120 * rate, rate)
    rms = np.sqrt((y.reshape(-1, rate // 10) ** 2).mean(axis=1))
    assert rms.min() > 0.08 and rms.max() < 0.12


def test_no_click_at_the_seam():
    """A slow sine that does not close: its steps stay as small as the sine's own."""
    rate = 8000
    x = np.sin(2 * np.pi * 3.3 * np.arange(3 * rate) / rate)
    y = loop_to(x, 20 * rate, rate, 0.5, start=1234)
    assert np.abs(np.diff(y)).max() < 3 * np.abs(np.diff(x)).max()


def test_equal_arguments_give_equal_samples_and_the_start_counts(rng):
    x = rng.standard_normal(300)
    assert np.array_equal(loop_to(x, 900, 100, 0.5, 70), loop_to(x, 900, 100, 0.5, 70))
    assert not np.array_equal(loop_to(x, 900, 100, 0.5, 70), loop_to(x, 900, 100, 0.5, 71))


def test_nothing_cannot_be_looped():
    with pytest.raises(InvalidInput, match="at least one frame"):
        loop_to(np.zeros(0), 10, 100)
    with pytest.raises(InvalidInput, match=">= 0"):
        loop_to(np.zeros(5), -1, 100)

import math

import numpy as np
import pytest

from sonolake.audio.levels import (
    apply_gain,
    db_to_gain,
    fade,
    fade_curve,
    gain_to_db,
    peak_dbfs,
    rms_dbfs,
    round_db,
)
from sonolake.errors import InvalidInput


def test_decibels_of_known_ratios():
    assert db_to_gain(20.0) == pytest.approx(10.0)
    assert db_to_gain(-6.020599913) == pytest.approx(0.5)
    assert gain_to_db(2.0) == pytest.approx(6.0205999, abs=1e-6)
    assert gain_to_db(0.0) == -math.inf
    assert db_to_gain(-math.inf) == 0.0


@pytest.mark.parametrize("gain", [-0.1, math.nan, math.inf])
def test_a_ratio_that_is_none_is_refused(gain):
    with pytest.raises(InvalidInput, match="amplitude ratio"):
        gain_to_db(gain)


def test_peak_and_rms_of_a_half_scale_square_wave():
    x = np.tile([0.5, -0.5], 100)
    assert peak_dbfs(x) == pytest.approx(-6.0206, abs=1e-4)
    assert rms_dbfs(x) == pytest.approx(-6.0206, abs=1e-4)
    assert peak_dbfs(np.stack([x, -x * 2], axis=1)) == pytest.approx(0.0)
    assert peak_dbfs(np.zeros(4)) == -math.inf


def test_a_gain_of_zero_changes_no_bit(rng):
    x = rng.standard_normal(100)
    assert apply_gain(x, 0.0) is x
    assert apply_gain(x, 20.0) == pytest.approx(10 * x)


def test_gains_are_rounded_half_to_even():
    assert [round_db(v) for v in (1.234, -2.346, 0.125, 0.375)] == [1.23, -2.35, 0.12, 0.38]


def test_fades_rise_and_fall_like_a_raised_cosine():
    y = fade(np.ones(1000), 1000, 0.1, 0.2)
    assert y[50] == pytest.approx(np.sin(np.pi * 50.5 / 200) ** 2)
    assert np.all(y[100:800] == 1.0)
    assert y[0] < 1e-3 and y[-1] < 1e-3
    assert fade_curve(64) + fade_curve(64)[::-1] == pytest.approx(np.ones(64))


def test_fades_longer_than_the_signal_are_shortened():
    assert len(fade(np.ones((10, 2)), 1000, 1.0, 1.0)) == 10


def test_a_negative_fade_is_refused():
    with pytest.raises(InvalidInput, match="durations"):
        fade(np.ones(10), 1000, -0.1, 0.0)

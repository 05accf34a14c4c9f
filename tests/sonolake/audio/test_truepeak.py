import math

import numpy as np
import pyebur128
import pytest

from sonolake.audio.truepeak import true_peak_dbtp


def libebur128(x, rate):
    state = pyebur128.R128State(x.shape[1], rate, pyebur128.MeasurementMode.MODE_TRUE_PEAK)
    state.add_frames(np.ascontiguousarray(x).reshape(-1), len(x))
    return 20 * math.log10(max(pyebur128.get_true_peak(state, c) for c in range(x.shape[1])))


def test_a_peak_between_samples_is_found():
    """EBU Tech 3341, case 16: a quarter-rate sine at 45 degrees, -6 dBFS; samples reach only -9."""
    x = 0.5 * np.sin(2 * np.pi * np.arange(48000) / 4 + np.pi / 4)
    assert 20 * np.log10(np.abs(x).max()) == pytest.approx(-9.03, abs=0.01)
    assert true_peak_dbtp(x, 48000) == pytest.approx(-6.0, abs=0.2)


@pytest.mark.parametrize("rate", [24000, 44100, 96000])
def test_close_to_libebur128(rng, rate):
    x = np.cumsum(rng.standard_normal((rate, 2)), axis=0) * 0.002
    assert true_peak_dbtp(x, rate) == pytest.approx(libebur128(x, rate), abs=0.1)


def test_quiet_stretches_are_skipped_without_changing_the_answer(rng):
    loud = rng.standard_normal(3000) * 0.3
    padded = np.concatenate([rng.standard_normal(50000) * 1e-3, loud, rng.standard_normal(50000) * 1e-3])
    assert true_peak_dbtp(padded, 48000) == pytest.approx(true_peak_dbtp(loud, 48000), abs=0.05)


def test_never_under_the_sample_peak():
    x = np.zeros(2000)
    x[1000] = 1.0
    assert true_peak_dbtp(x, 48000) == pytest.approx(0.0, abs=1e-9)
    assert true_peak_dbtp(np.zeros(10), 48000) == -math.inf
    assert true_peak_dbtp(np.array([0.5]), 48000) == pytest.approx(-6.02, abs=0.01)

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.models.logmel import FIRST_SAMPLES, bands, hz_to_mel, log_mel, padded, patches


def test_a_kilohertz_is_a_thousand_mel():
    # HTK Book, equation 5.13: 2595 log10(1 + 1000/700) = 999.99
    assert hz_to_mel(1000.0) == pytest.approx(2595 * np.log10(1 + 1000 / 700), rel=2e-4)


def test_one_patch_is_975_milliseconds():
    assert FIRST_SAMPLES == 15_600


@pytest.mark.parametrize(
    ("samples", "windows"), [(1, 1), (15_600, 1), (15_601, 2), (15_600 + 7_680, 2), (160_000, 20)]
)
def test_windows_every_480_milliseconds(samples, windows):
    assert patches(np.zeros(samples, dtype=np.float32)).shape == (windows, 96, 64)


@settings(deadline=None, max_examples=50)
@given(st.integers(1, 60_000))
def test_padding_is_the_least_that_reaches_a_whole_hop(samples):
    size = padded(np.ones(samples, dtype=np.float32)).size
    assert size >= samples
    assert size == 15_600 or ((size - 15_600) % 7_680 == 0 and size - samples < 7_680)


def test_silence_is_the_logarithm_of_the_offset():
    assert np.allclose(log_mel(np.zeros(16_000, dtype=np.float32)), np.log(0.001))


def test_frames_are_whole_windows():
    assert len(log_mel(np.zeros(400 + 160 * 7 + 159, dtype=np.float32))) == 8


def test_a_tone_has_the_energy_of_its_windowed_line():
    # A tone of amplitude a on bin k of a 512-point transform of a 400-sample Hann window is a line of a/2 times the
    # window's transform: sum the band's weights over it, with the transform written out as a plain sum.
    amplitude, bin_ = 0.5, 32
    t = np.arange(400)
    tone = amplitude * np.cos(2 * np.pi * 1000.0 * t / 16_000)
    window = 0.5 * (1 - np.cos(2 * np.pi * t / 400))
    spectrum = np.array([abs(np.sum(tone * window * np.exp(-2j * np.pi * k * t / 512))) for k in range(257)])
    assert spectrum[bin_] == pytest.approx(amplitude * 200 / 2, rel=0.01)
    frame = log_mel(tone.astype(np.float32))[0]
    low, high = 1127 * np.log1p(125 / 700), 1127 * np.log1p(7500 / 700)
    edges = low + (high - low) * np.arange(66) / 65
    mel = 1127 * np.log1p(np.arange(257) * 31.25 / 700)
    for band in (0, 20, 21, 22, 40, 63):
        left, middle, right = edges[band : band + 3]
        weights = np.clip(
            np.minimum((mel - left) / (middle - left), (right - mel) / (right - middle)), 0, None
        )
        assert frame[band] == pytest.approx(np.log(weights @ spectrum + 0.001), abs=2e-3)


def test_every_band_holds_a_bin_and_none_reaches_the_ends():
    spans = [span for span, _ in bands()]
    assert len(spans) == 64
    assert spans[0].start * 31.25 > 125 and (spans[-1].stop - 1) * 31.25 < 7500
    assert all(weights.max() <= 1.0 for _, weights in bands())

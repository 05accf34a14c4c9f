import io

import numpy as np
import pytest
from PIL import Image

from sonolake.audio.spectrogram import png
from sonolake.errors import InvalidInput

RATE = 24000


def lightness(data):
    return np.asarray(Image.open(io.BytesIO(data)).convert("L")).astype(int)


def test_a_rising_tone_rises():
    t = np.arange(4 * RATE) / RATE
    picture = lightness(png(0.5 * np.sin(2 * np.pi * (200 * t + 700 * t**2)), RATE, 200, 100))
    assert picture.shape == (100, 200)
    rows = picture[:, 10:190].argmax(axis=0)
    assert np.all(np.diff(rows) <= 0) and rows[0] > rows[-1] + 40


def test_a_row_is_where_mel_puts_it():
    """1 kHz is 1000 mel of 40 Hz (60 mel) to 12 kHz (3266 mel, by 2595 log10(1 + f / 700))."""
    tone = 0.5 * np.sin(2 * np.pi * 1000 * np.arange(RATE) / RATE)
    picture = lightness(png(tone, RATE, 50, 200))
    row = 199 - picture[:, 25].argmax()
    assert row == pytest.approx((1000 - 62.2) / (3267 - 62.2) * 200, abs=3)


def test_time_goes_to_the_right():
    x = np.zeros(RATE)
    x[RATE // 2 :] = np.random.default_rng(0).standard_normal(RATE // 2) * 0.1
    picture = lightness(png(x, RATE, 100, 50))
    assert picture[:, :40].mean() < 20 < picture[:, 60:].mean()


def test_equal_samples_give_equal_bytes_and_the_picture_is_small(rng):
    x = rng.standard_normal(10 * RATE) * 0.1
    assert png(x, RATE) == png(x.copy(), RATE)
    assert len(png(x, RATE)) < 200_000


@pytest.mark.parametrize("frames", [1, 10, 3000])
def test_short_signals_have_a_picture_too(frames):
    assert lightness(png(np.full(frames, 0.1), RATE, 20, 20)).shape == (20, 20)
    assert lightness(png(np.zeros(frames), RATE, 20, 20)).shape == (20, 20)


def test_what_is_no_picture_is_refused(rng):
    with pytest.raises(InvalidInput, match="one channel"):
        png(rng.standard_normal((100, 2)), RATE)
    with pytest.raises(InvalidInput, match="8 to 8192"):
        png(rng.standard_normal(100), RATE, 4, 100)
    with pytest.raises(InvalidInput, match="at least one frame"):
        png(np.zeros(0), RATE)

"""Ratings of speech by DNSMOS, and denoising by DeepFilterNet."""

import numpy as np
import pytest

from sonolake.models.base import Denoiser, SpeechQuality
from sonolake.models.registry import get

SENTENCE = "Good morning everybody, this is a longer sentence to be rated by a network."


@pytest.fixture(scope="module")
def clean():
    voice = get("hibari:heart")
    return voice.speak(SENTENCE, 1), voice.sample_rate


@pytest.fixture(scope="module")
def noisy(clean):
    x, rate = clean
    return x + 0.02 * np.random.default_rng(0).standard_normal(len(x)), rate


def test_ratings_are_those_of_the_authors_program(clean, noisy):
    # speechmos 0.0.1.1, dnsmos.run on the same signals at 16 kHz: sig, bak, ovrl.
    rated = get("dnsmos").ratings
    assert tuple(rated(*clean)) == pytest.approx((3.598, 4.198, 3.378), abs=0.03)
    assert tuple(rated(*noisy)) == pytest.approx((3.433, 2.130, 2.153), abs=0.03)


def test_longer_sound_is_the_mean_of_what_is_heard_each_second(clean):
    x, rate = clean
    quality = get("dnsmos")
    whole = np.tile(x, 3)[: int(11.5 * rate)]
    heard = [quality.overall(whole[s * rate : int((s + 9.01) * rate) + 1], rate) for s in range(3)]
    assert quality.overall(whole, rate) == pytest.approx(np.mean(heard), abs=0.02)


def test_denoised_speech_is_rated_as_clean_and_stays_in_its_place(clean, noisy):
    (x, rate), (given, _) = clean, noisy
    found = get("deepfilternet").denoise(given, rate)
    assert found.shape == given.shape
    assert get("dnsmos").overall(found, rate) > get("dnsmos").overall(given, rate) + 0.8
    lags = np.fft.irfft(np.fft.rfft(found, 2**18) * np.conj(np.fft.rfft(x, 2**18)))
    assert min(int(np.argmax(lags)), 2**18 - int(np.argmax(lags))) <= rate // 1000
    noise = np.sum((given - x) ** 2)
    assert np.sum((found - x) ** 2) < noise / 3
    assert np.array_equal(found, get("deepfilternet").denoise(given, rate))


def test_they_keep_their_roles(clean):
    assert isinstance(get("dnsmos"), SpeechQuality) and isinstance(get("deepfilternet"), Denoiser)
    assert get("dnsmos").licence == get("deepfilternet").licence == "MIT"

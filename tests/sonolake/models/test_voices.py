from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from sonolake.errors import InvalidInput
from sonolake.models.base import Voice

TEXT = "I told you the dog was barking all night long."
FACTS = {
    "hibari:heart": (
        "f",
        24_000,
        "Apache-2.0",
        "5f70741d4e900f4e85d0037498736cc1b3e1b9a63a13546a5da1e63abf4fccd8",
    ),
    "piper:joe": ("m", 22_050, "CC0-1.0", "58afce0321b8d9c46d7cdf9c16500cc55a793b4220212dba6b70fb788b3baf06"),
}


def pitch_hz(x, rate):
    """Median over loud frames of the strongest period between 60 and 400 Hz (autocorrelation)."""
    size, found = rate // 25, []
    for start in range(0, len(x) - size, size):
        frame = x[start : start + size]
        if np.sqrt(np.mean(frame**2)) < 0.3 * np.sqrt(np.mean(x**2)):
            continue
        correlation = np.correlate(frame, frame, "full")[size - 1 :]
        low, high = rate // 400, rate // 60
        lag = low + int(correlation[low:high].argmax())
        if correlation[lag] > 0.5 * correlation[0]:
            found.append(rate / lag)
    return float(np.median(found))


def test_says_who_it_is(voice):
    gender, rate, licence, sha256 = FACTS[voice.spec]
    assert isinstance(voice, Voice)
    assert (voice.gender, voice.sample_rate, voice.licence, voice.weights_sha256) == (
        gender,
        rate,
        licence,
        sha256,
    )
    assert list(voice.assets.values()) == [sha256]


def test_speaks_mono_float64_within_full_scale(voice):
    x = voice.speak(TEXT, 1)
    assert x.dtype == np.float64 and x.ndim == 1
    assert 0.05 < np.abs(x).max() <= 1.0
    assert 1.5 < len(x) / voice.sample_rate < 5.0  # ten words at 120 to 400 a minute


def test_equal_text_and_seed_are_equal_samples(voice):
    first = voice.speak(TEXT, 7)
    voice.speak("Something else in between.", 1)
    assert np.array_equal(voice.speak(TEXT, 7), first)
    assert not np.array_equal(voice.speak(TEXT, 8), first)


def test_threads_do_not_disturb_each_other(voice):
    texts = ["Good morning.", "Where have you been?", "It is raining again.", "Come in."]
    alone = [voice.speak(text, 2) for text in texts]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda text: voice.speak(text, 2), texts))
    assert all(np.array_equal(a, b) for a, b in zip(alone, together, strict=True))


def test_two_sentences_last_longer_than_one(voice):
    one, two = voice.speak("Come in.", 1), voice.speak("Come in. Sit down over there.", 1)
    assert len(two) > 1.5 * len(one)


def test_pitch_fits_the_gender(voice):
    # Typical means: men 85-155 Hz, women 165-255 Hz (Titze, Principles of Voice Production, 1994)
    pitch = pitch_hz(voice.speak(TEXT, 1), voice.sample_rate)
    low, high = {"m": (80, 160), "f": (160, 270)}[voice.gender]
    assert low < pitch < high


@pytest.mark.parametrize("text", ["", "   ", "\n", "...", "— ?!", "日本語"])
def test_refuses_an_empty_text(voice, text):
    with pytest.raises(InvalidInput, match="text"):
        voice.speak(text, 1)


def test_refuses_a_voice_that_does_not_exist():
    from sonolake.models.hibari import HibariVoice
    from sonolake.models.piper import PiperVoice

    with pytest.raises(InvalidInput, match="joe"):
        PiperVoice("nobody")
    with pytest.raises(InvalidInput, match="heart"):
        HibariVoice("nobody")

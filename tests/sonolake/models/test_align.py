import numpy as np
import pytest

from sonolake.errors import InvalidInput, ItemRefused
from sonolake.models.base import Aligner


def test_is_an_aligner(aligner):
    assert isinstance(aligner, Aligner)
    assert len(aligner.weights_sha256) == 64


def test_words_beside_known_silences_lie_within_60_milliseconds(aligner, spaced):
    sentences, spans, x, rate = spaced
    words = aligner.align(x, rate, " ".join(sentences).split()).words
    at = 0
    for sentence, (start, end) in zip(sentences, spans, strict=True):
        count = len(sentence.split())
        assert words[at].start_s == pytest.approx(start, abs=0.06)
        assert words[at + count - 1].end_s == pytest.approx(end, abs=0.06)
        at += count


def test_words_come_back_in_order_and_inside_the_signal(aligner, spaced):
    sentences, _, x, rate = spaced
    asked = " ".join(sentences).split()
    words = aligner.align(x, rate, asked).words
    assert [word.text for word in words] == asked
    edges = [edge for word in words for edge in (word.start_s, word.end_s)]
    assert edges == sorted(edges)
    assert edges[0] >= 0.0 and edges[-1] <= len(x) / rate


def test_a_call_leaves_nothing_behind(aligner, spaced):
    sentences, _, x, rate = spaced
    asked = " ".join(sentences).split()
    first = aligner.align(x, rate, asked)
    aligner.align(x[: len(x) // 2], rate, ["told"])
    assert aligner.align(x, rate, asked) == first


def test_unknown_words_numbers_and_dashes(aligner, voice):
    text = "Xanthippe’s quokkas — all 42 — sat on the A40."
    x = voice.speak(text, 4)
    words = aligner.align(x, voice.sample_rate, text.split()).words
    assert [word.text for word in words] == text.split()
    assert all(word.end_s == word.start_s for word in words if word.text == "—")
    assert all(word.end_s - word.start_s >= 0.03 for word in words if word.text != "—")


@pytest.mark.parametrize(
    "text",
    ["Put it like this, I took Friday off for it.", "If somebody is thinking, somebody is already on it."],
)
def test_a_short_last_word_is_placed_where_the_speech_ends(aligner, joe, text):
    for seed in range(3):
        x, rate = joe.speak(text, seed), joe.sample_rate
        words = aligner.align(x, rate, text.split()).words
        level = np.convolve(x**2, np.full(rate // 100, 100 / rate), "same")
        audible_until = np.flatnonzero(level > 1e-4 * level.max())[-1] / rate
        assert words[-1].end_s == pytest.approx(audible_until, abs=0.1)
        assert words[-2].end_s <= words[-1].start_s < audible_until


def test_level_does_not_matter(aligner, spaced):
    sentences, _, x, rate = spaced
    asked = " ".join(sentences).split()
    quiet = aligner.align(x * 0.01, rate, asked)
    for a, b in zip(quiet.words, aligner.align(x, rate, asked).words, strict=True):
        assert a.start_s == pytest.approx(b.start_s, abs=0.02)


UNRELATED = [
    "The train to the coast leaves at nine tomorrow.",
    "Nobody asked me what I think about it.",
    "My sister bought two bicycles and a lamp for her kitchen.",
]


def confidence(aligner, x, rate, text):
    """Of an alignment; 0 where there is none."""
    try:
        return aligner.align(x, rate, text.split()).confidence
    except ItemRefused:
        return 0.0


def test_confidence_tells_what_was_said_from_what_was_not(aligner, voice):
    """Also where half of it was said, or more than was asked for."""
    said, rate = "I told you the dog was barking. Can you hear that noise outside?", voice.sample_rate
    half = "I told you the dog was barking. My sister bought two bicycles and a lamp."
    for seed in range(2):
        x = voice.speak(said, seed)
        assert confidence(aligner, x, rate, said) > 0.9
        assert max(confidence(aligner, x, rate, text) for text in UNRELATED) < 0.01
        assert confidence(aligner, x, rate, half) < 0.3
        assert confidence(aligner, x, rate, "I told you the dog") < 0.3


def test_a_word_that_was_not_said_is_the_least_sure(aligner, voice):
    x = voice.speak("I told you the dog was barking all night long.", 1)
    asked = "I told you the cat was barking all night long."
    found = aligner.align(x, voice.sample_rate, asked.split())
    least = min(found.words, key=lambda word: word.confidence)
    assert least.text == "cat" and least.confidence < 0.5
    assert all(0.0 <= word.confidence <= 1.0 for word in found.words)


@pytest.mark.parametrize("kind", ["noise", "silence", "too short"])
def test_sound_that_is_no_speech_carries_no_words(aligner, kind):
    x = {
        "noise": np.random.default_rng(0).normal(0, 0.1, 32_000),
        "silence": np.zeros(32_000),
        "too short": np.full(800, 0.1),
    }[kind]
    asked = "this sentence is rather too long to fit"
    assert confidence(aligner, x, 16_000, asked) < 0.01


@pytest.mark.parametrize("words", [[], ["—"], [""]])
def test_refuses_words_that_nobody_can_say(aligner, words):
    with pytest.raises(InvalidInput, match="words"):
        aligner.align(np.zeros(16_000), 16_000, words)

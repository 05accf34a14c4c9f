import numpy as np
import pytest

from sonolake.errors import InvalidInput, ItemRefused
from sonolake.models.base import Aligner


def test_is_an_aligner(aligner):
    assert isinstance(aligner, Aligner)
    assert len(aligner.weights_sha256) == 64


def test_words_beside_known_silences_lie_within_60_milliseconds(aligner, spaced):
    sentences, spans, x, rate = spaced
    words = aligner.align(x, rate, " ".join(sentences).split())
    at = 0
    for sentence, (start, end) in zip(sentences, spans, strict=True):
        count = len(sentence.split())
        assert words[at].start_s == pytest.approx(start, abs=0.06)
        assert words[at + count - 1].end_s == pytest.approx(end, abs=0.06)
        at += count


def test_words_come_back_in_order_and_inside_the_signal(aligner, spaced):
    sentences, _, x, rate = spaced
    asked = " ".join(sentences).split()
    words = aligner.align(x, rate, asked)
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
    words = aligner.align(x, voice.sample_rate, text.split())
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
        words = aligner.align(x, rate, text.split())
        level = np.convolve(x**2, np.full(rate // 100, 100 / rate), "same")
        audible_until = np.flatnonzero(level > 1e-4 * level.max())[-1] / rate
        assert words[-1].end_s == pytest.approx(audible_until, abs=0.1)
        assert words[-2].end_s <= words[-1].start_s < audible_until


def test_level_does_not_matter(aligner, spaced):
    sentences, _, x, rate = spaced
    asked = " ".join(sentences).split()
    quiet = aligner.align(x * 0.01, rate, asked)
    for a, b in zip(quiet, aligner.align(x, rate, asked), strict=True):
        assert a.start_s == pytest.approx(b.start_s, abs=0.02)


@pytest.mark.parametrize("kind", ["noise", "silence", "too short"])
def test_speech_that_cannot_carry_the_words_is_refused(aligner, kind):
    x = {
        "noise": np.random.default_rng(0).normal(0, 0.1, 32_000),
        "silence": np.zeros(32_000),
        "too short": np.full(800, 0.1),
    }[kind]
    with pytest.raises(ItemRefused, match="alignment_failed") as caught:
        aligner.align(x, 16_000, ["this", "sentence", "is", "rather", "too", "long", "to", "fit"])
    assert caught.value.reason == "alignment_failed"


@pytest.mark.parametrize("words", [[], ["—"], [""]])
def test_refuses_words_that_nobody_can_say(aligner, words):
    with pytest.raises(InvalidInput, match="words"):
        aligner.align(np.zeros(16_000), 16_000, words)

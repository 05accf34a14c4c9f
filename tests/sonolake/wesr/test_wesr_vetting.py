"""Which utterances are kept, and why others are not."""

import numpy as np
import pytest

from sonolake.errors import InvalidInput, ItemRefused
from sonolake.models.base import Transcript, Word
from sonolake.wesr.vetting import Cutting, Models, vetted

X, RATE = np.linspace(-0.5, 0.5, 32_000), 16_000


class Rater:
    spec, licence, weights_sha256 = "rater", "MIT", ""

    def overall(self, x, rate):
        return 1.0 + 4.0 * float(np.abs(x).max())


class Halver:
    spec, licence, weights_sha256 = "halver", "MIT", ""

    def denoise(self, x, rate):
        return x / 2


class Listener:
    spec, licence, weights_sha256 = "listener", "MIT", ""

    def __init__(self, text="good day", language="en"):
        words = tuple(Word(w, float(n), n + 0.5, 0.9) for n, w in enumerate(text.split()))
        self.heard = Transcript(text, words, language)

    def transcribe(self, x, rate, language=""):
        return self.heard


def reason(*given, **more):
    with pytest.raises(ItemRefused) as refused:
        vetted(X, RATE, *given, **more)
    return refused.value.reason


def test_what_is_rated_at_the_limit_is_kept_and_what_is_below_is_not():
    assert vetted(X, RATE, Cutting(least_quality=3.0), Models(Rater())).quality == 3.0
    assert reason(Cutting(least_quality=3.01), Models(Rater())) == "low_quality"


def test_noise_is_taken_away_before_the_rating_and_is_gone_from_what_is_kept():
    heard = vetted(X, RATE, Cutting(), Models(Rater(), Halver()))
    assert heard.quality == 2.0 and np.array_equal(heard.samples, X / 2)
    assert reason(Cutting(least_quality=2.5), Models(Rater(), Halver())) == "low_quality"


def test_the_recogniser_writes_down_what_nobody_has():
    heard = vetted(X, RATE, Cutting(), Models(recogniser=Listener()))
    assert (heard.transcript, heard.transcript_by, heard.language) == ("good day", "listener", "en")
    assert [w.text for w in heard.words] == ["good", "day"]
    said = vetted(X, RATE, Cutting(), Models(recogniser=Listener()), "en-GB", "Good day!")
    assert (said.transcript, said.transcript_by, said.language) == ("Good day!", "source", "en-GB")
    assert said.words == heard.words


def test_a_source_that_names_another_language_than_is_heard_is_not_believed():
    assert vetted(X, RATE, Cutting(), Models(recogniser=Listener()), "de").language == "en"


@pytest.mark.parametrize(
    ("wanted", "language", "kept"),
    [
        (("en",), "en-GB", True), (("en",), "EN", True), (("zh",), "zh-Hans-CN", True), ((), "tlh", True),
        (("en", "zh"), "de", False), (("en-GB",), "en", False), (("en",), "enm", False), (("en",), None, True),
    ],
)  # fmt: skip
def test_languages_are_filtered_as_rfc_4647_says(wanted, language, kept):
    # RFC 4647, 3.3.1: a range covers a tag that it equals or that begins with it and a hyphen.
    if kept:
        assert vetted(X, RATE, Cutting(languages=wanted), Models(), language).language == language
    else:
        assert reason(Cutting(languages=wanted), Models(), language=language) == "wrong_language"


def test_without_words_it_is_left_out_unless_it_may_have_none():
    silent = Models(recogniser=Listener(""))
    assert reason(Cutting(), silent) == "no_words"
    heard = vetted(X, RATE, Cutting(wordless=True), silent)
    assert (heard.transcript, heard.transcript_by, heard.words) == (None, None, ())


@pytest.mark.parametrize(
    "wrong",
    [{"vocal_score": 0.0}, {"least_quality": 6.0}, {"languages": ("e n",)}, {"shortest_s": 31.0}],
)
def test_settings_out_of_range_are_refused(wrong):
    with pytest.raises(InvalidInput):
        Cutting(**wrong)

"""Words heard against words to be said."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonolake.cares.validation import against_voices, hear_all, heard_words, read_transcripts
from sonolake.cares.validation.numerals import in_words, number_in_words
from sonolake.errors import InvalidInput


def test_a_rate_by_hand():
    """One word of four replaced, one of five lost, one added: 3 of 9; tags and ellipses are no words."""
    scripts = {"a": "I [softly] want that… piano.", "b": "Then sell it to him.", "c": "Nobody heard this."}
    heard = {"a": "I want the piano", "b": "then sell it, oh, him", "d": "not a scene"}
    found = heard_words(scripts, heard, resamples=200)
    assert (found.scenes, found.words) == (2, 9)
    assert (found.substitutions, found.deletions, found.insertions) == (2, 0, 0)
    assert found.rate.value == pytest.approx(2 / 9)
    assert found.rate.low <= found.rate.value <= found.rate.high


def test_lost_and_added_words():
    found = heard_words({"a": "one two three four"}, {"a": "one three four five six"}, resamples=0)
    assert (found.substitutions, found.deletions, found.insertions) == (0, 1, 2)
    assert found.rate.value == 0.75


def test_whole_scenes_are_drawn_for_the_interval():
    """One of ten scenes is lost whole: the rate is 0.1, and many a resample has none of it or two."""
    scripts = {f"s{n}": "one two three four five" for n in range(10)}
    heard = {name: text if name != "s3" else "" for name, text in scripts.items()}
    found = heard_words(scripts, heard)
    assert found.rate.value == pytest.approx(0.1)
    assert found.rate.low == 0.0
    assert found.rate.high == pytest.approx(0.3)


def test_the_mixes_against_the_bare_voices_by_hand():
    """3 errors in the mixes, 2 in the voices of the same scenes: 1.5; scenes that were heard once do not count."""
    scripts = {"a": "one two three four", "b": "five six seven", "c": "eight nine"}
    mixes = {"a": "one two", "b": "five sick seven", "c": "none of it"}
    voices = {"a": "one two three", "b": "five sick seven"}
    found = against_voices(scripts, mixes, voices)
    assert found.value == pytest.approx(1.5)
    assert (found.low, found.high) == (1.0, 2.0)
    assert against_voices(scripts, mixes, {"a": scripts["a"]}) is None


def test_nothing_heard_has_no_errors():
    assert heard_words({"a": "one"}, {}).rate.value == 0.0


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("It costs £40, or $1,250.", "it costs forty pounds, or one thousand two hundred and fifty dollars."),
        ("the 21st at 8:30, the 2nd at 10:00", "the twenty first at eight thirty, the second at ten"),
        ("50% of 3.5", "fifty percent of three point five"),
        ("since 1984, the 1990s", "since nineteen eighty four, the nineteen nineties"),
        ("twenty-six neighbours of grey colour", "twenty six neighbors of gray color"),
        ("realised, travelled, OK", "realized, traveled, okay"),
    ],
)
def test_figures_and_spellings_are_one(written, spoken):
    assert in_words(written) == spoken


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (0, "zero"),
        (19, "nineteen"),
        (20, "twenty"),
        (100, "one hundred"),
        (342, "three hundred and forty two"),
        (1_001, "one thousand and one"),
        (20_000, "twenty thousand"),
        (999_999, "nine hundred and ninety nine thousand nine hundred and ninety nine"),
    ],
)
def test_numbers_are_said(number, said):
    assert number_in_words(number) == said


@given(st.integers(0, 999_999), st.integers(0, 999_999))
def test_no_two_numbers_are_said_alike(one, other):
    assert (number_in_words(one) == number_in_words(other)) == (one == other)


@given(st.text(max_size=60))
def test_the_plain_form_is_stable_and_without_figures(text):
    plain = in_words(text)
    assert plain == " ".join(plain.split())
    assert plain == plain.lower()


def test_what_is_heard_is_kept_and_not_heard_again(tmp_path):
    kept, heard = tmp_path / "heard.jsonl", []

    def hearing(x, rate):
        heard.append((len(x), rate))
        return "What is said."

    sounds = [("a", lambda: (np.zeros(10), 16_000)), ("b", lambda: (np.zeros(20), 16_000))]
    first = hear_all(sounds[:1], hearing, kept)
    assert hear_all(sounds, hearing, kept) == {"a": "What is said.", "b": "What is said."}
    assert first == {"a": "What is said."}
    assert heard == [(10, 16_000), (20, 16_000)]
    assert read_transcripts(kept) == {"a": "What is said.", "b": "What is said."}


@pytest.mark.parametrize("line", ["no json", "[]", json.dumps({"scene_id": "a"})])
def test_another_file_is_refused_with_its_line(tmp_path, line):
    path = tmp_path / "heard.jsonl"
    path.write_text(json.dumps({"scene_id": "a", "text": "x"}) + "\n\n" + line, encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"heard\.jsonl line 3"):
        read_transcripts(path)

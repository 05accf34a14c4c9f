"""Examples against ordinary speech: sounds and vectors by hand, and what holds of any."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sonolake.wesr.ordinary import Ordinary, direction, in_speech

ROOT = 2**-0.5
RATE = 1000
VECTORS = arrays(
    np.float64, st.tuples(st.integers(1, 12), st.just(4)), elements=st.floats(0.125, 8.0, width=32)
)


def square(frames, level, period=2):
    """A square wave, whose root mean square is its level."""
    return level * np.where(np.arange(frames) % period < period / 2, 1.0, -1.0)


def test_an_example_is_laid_over_speech_at_0_6_and_12_db_in_turn():
    example = np.r_[np.zeros(300), square(200, 0.5), np.zeros(300)]
    speech = [np.full(4000, 0.1) for _ in range(4)]
    made = in_speech(example, speech, RATE)
    # Half a second of speech, 200 samples of both, half a second of speech, four times.
    assert made.shape == (4 * 1200,)
    for number, gain_db in enumerate((0.0, 6.0, 12.0, 0.0)):
        stretch = made[1200 * number : 1200 * (number + 1)]
        assert np.allclose(np.abs(stretch[:500]), 0.1) and np.allclose(np.abs(stretch[700:]), 0.1)
        alone = stretch[500:700] - 0.1
        # The speech has 0.1, so the example 0.1, 0.1995 and 0.3981.
        assert np.allclose(alone, square(200, 0.1 * 10 ** (gain_db / 20)), atol=1e-6)


def test_the_loudest_stretch_of_speech_is_taken_and_of_a_long_example_its_beginning():
    speech = np.r_[np.zeros(6000), square(4000, 0.2, 4), np.zeros(6000)]
    made = in_speech(square(5000, 0.5), [speech], RATE)
    # 2.5 s of the example and a second of speech fit into the four seconds that are spoken.
    assert made.shape == (3500,) and np.allclose(np.abs(made[:500]), 0.2)
    short = in_speech(square(200, 0.5), [square(300, 0.2, 4)], RATE)
    assert short.shape == (1200,) and np.allclose(short[700:], 0.0), (
        "what is too short is followed by silence"
    )


@pytest.mark.parametrize(("example", "speech"), [(square(9, 0.5), []), (np.zeros(9), [square(99, 0.5)])])
def test_without_speech_or_sound_an_example_is_itself(example, speech):
    assert np.array_equal(in_speech(example, speech, RATE), example)


def test_silent_speech_has_no_level_to_be_laid_over():
    made = in_speech(square(200, 0.5), [np.zeros(4000)], RATE)
    assert np.isfinite(made).all()


def test_what_sets_an_example_apart_by_hand():
    # Of unit length the windows are (1, 0) and (0, 1): mean (1/2, 1/2), covariance 1/4 and -1/4, whose trace over two
    # is 1/4. With three times that on the diagonal, (1, -1) has 1/2 + 3/4 = 5/4.
    speech = Ordinary([[2.0, 0.0], [0.0, 3.0]])
    # 0.8 (1, 0) + 0.2 (0, 1) - (1/2, 1/2) = (0.3, -0.3); over 5/4 that is (0.24, -0.24).
    assert np.allclose(speech.difference([[5.0, 0.0]], [[0.0, 1.0]]), [0.24, -0.24])


def test_half_of_what_others_make_of_speech_counts_against_it_by_hand():
    found = direction(np.array([1.0, 0.0]), [np.array([0.0, 1.0]), np.array([0.0, 0.0])])
    # (1, 0) - 1/2 (0, 1/2) = (1, -1/4), of length √17/4.
    assert np.allclose(found, [4 / 17**0.5, -1 / 17**0.5], atol=1e-7)
    assert np.allclose(direction(np.array([3.0, 4.0]), []), [0.6, 0.8], atol=1e-7)
    assert not direction(np.zeros(2), []).any()


def test_distances_are_standard_deviations_of_ordinary_windows_by_hand():
    # On (1, -1)/√2 the windows are at 1/√2 and -1/√2: mean 0, deviation 1/√2. A cosine of 1/√2 is one deviation
    # above, of 0 none, of 1 √2, of -1/√2 one below.
    speech = Ordinary([[2.0, 0.0], [0.0, 3.0]])
    found = speech.distances(np.array([ROOT, -ROOT]), [1 - ROOT, 1.0, 0.0, 1 + ROOT])
    # As 1 - z/√(1 + z²): 1 - 1/√2, 1, 1 - √(2/3), 1 + 1/√2.
    assert np.allclose(found, [1 - ROOT, 1.0, 1 - (2 / 3) ** 0.5, 1 + ROOT])


def test_an_event_in_speech_is_found_that_is_unlike_the_event_alone():
    """In speech a sound adds a little to the third place; alone it is all in the fourth, as a knock is, too."""
    rng = np.random.default_rng(7)
    speech = Ordinary(np.array([1.0, 0.0, 0.0, 0.0]) + 0.1 * rng.standard_normal((60, 4)))
    laid, alone = [[1.0, 0.1, 0.5, 0.1], [1.0, -0.1, 0.5, 0.1]], [[0.0, 0.0, 0.2, 1.0]]
    asked = direction(speech.difference(laid, alone), [])
    cosines = {
        name: float(np.array(x) @ asked / np.linalg.norm(x))
        for name, x in (("event", [1.0, 0.0, 0.5, 0.1]), ("plain", [1.0, 0.0, 0.0, 0.1]))
    }
    near = {name: float(speech.distances(asked, [1 - cosine])[0]) for name, cosine in cosines.items()}
    assert near["event"] < 0.2 * near["plain"]


@pytest.mark.parametrize("few", [np.empty((0, 2)), [[0.0, 1.0]]])
def test_without_ordinary_windows_it_is_the_cosine_to_the_example(few):
    speech = Ordinary(few)
    assert np.allclose(speech.difference([[3.0, 4.0]], [[3.0, 4.0]]), [0.6, 0.8])
    assert np.allclose(speech.distances(np.array([0.6, 0.8]), [0.0, 0.5]), [0.0, 0.5])


def test_windows_that_are_all_alike_are_no_standard():
    speech = Ordinary([[0.0, 2.0], [0.0, 1.0]])
    assert np.allclose(speech.difference([[0.0, 1.0]], [[0.0, 1.0]]), 0.0)
    assert np.isfinite(speech.difference([[1.0, 0.0]], [[1.0, 0.0]])).all()


@settings(deadline=None, max_examples=60)
@given(VECTORS, VECTORS, st.floats(0.25, 4.0), st.lists(st.floats(0.0, 2.0), min_size=2, max_size=6))
def test_lengths_of_vectors_do_not_matter_and_nearer_stays_nearer(windows, example, scale, far):
    speech, scaled = Ordinary(windows), Ordinary(scale * windows)
    found = speech.difference(example, example[:1])
    assert np.allclose(scaled.difference(scale * example, scale * example[:1]), found, rtol=1e-4, atol=1e-5)
    asked = direction(found, [])
    if asked.any():
        assert np.linalg.norm(asked) == pytest.approx(1.0, abs=1e-6)
        distances = speech.distances(asked, sorted(far))
        assert np.isfinite(distances).all() and (np.diff(distances) >= 0).all()

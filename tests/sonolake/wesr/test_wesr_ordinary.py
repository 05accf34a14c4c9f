"""Examples against ordinary speech, by hand in two dimensions, and what holds of any vectors."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sonolake.wesr.ordinary import MOST_WINDOWS, Ordinary

ROOT = 2**-0.5
VECTORS = arrays(
    np.float64, st.tuples(st.integers(1, 12), st.just(4)), elements=st.floats(0.125, 8.0, width=32)
)


def test_what_sets_an_example_apart_by_hand():
    # Of unit length the windows are (1, 0) and (0, 1), their mean (1/2, 1/2); (1, 0) less that is (1/2, -1/2).
    speech = Ordinary([[2.0, 0.0], [0.0, 3.0]])
    assert np.allclose(speech.directions([[5.0, 0.0]]), [[ROOT, -ROOT]])


def test_distances_are_standard_deviations_of_ordinary_windows_by_hand():
    # On (1, -1)/√2 the windows are at 1/√2 and -1/√2: mean 0, deviation 1/√2. A cosine of 1/√2 is one deviation
    # above, of 0 none, of 1 √2, of -1/√2 one below.
    speech = Ordinary([[2.0, 0.0], [0.0, 3.0]])
    found = speech.distances(np.array([ROOT, -ROOT]), [1 - ROOT, 1.0, 0.0, 1 + ROOT])
    # As 1 - z/√(1 + z²): 1 - 1/√2, 1, 1 - √(2/3), 1 + 1/√2.
    assert np.allclose(found, [1 - ROOT, 1.0, 1 - (2 / 3) ** 0.5, 1 + ROOT])


def test_the_windows_farthest_from_speech_are_asked_first_and_not_all():
    speech = Ordinary([[1.0, 0.0], [1.0, 0.0]])
    angles = np.linspace(0.0, np.pi / 2, 12)
    asked = speech.directions(np.stack([np.cos(angles), np.sin(angles)], axis=1))
    assert len(asked) == MOST_WINDOWS
    # (cos a, sin a) less (1, 0) points to a/2 beyond a right angle: the farthest, of a right angle, to 135 degrees.
    assert np.allclose(asked[0], [-ROOT, ROOT])
    assert np.allclose(np.arctan2(asked[:, 1], asked[:, 0]), np.pi / 2 + angles[::-1][:MOST_WINDOWS] / 2)


def test_a_window_that_is_ordinary_speech_asks_nothing():
    assert len(Ordinary([[0.0, 2.0], [0.0, 1.0]]).directions([[0.0, 7.0]])) == 0


def test_an_example_whose_mean_is_speech_still_finds_its_event():
    """Three windows of speech and one of an event: the mean is nearest to speech, the event's window is not."""
    rng = np.random.default_rng(7)
    speech = np.array([1.0, 0.0, 0.0]) + 0.05 * rng.standard_normal((50, 3))
    example = np.array([[1.0, 0.05, 0.0], [1.0, -0.05, 0.0], [1.0, 0.0, 0.05], [1.0, 0.0, 1.0]])
    event = np.array([1.0, 0.0, 0.9]) / np.linalg.norm([1.0, 0.0, 0.9])
    plain = np.array([1.0, 0.1, 0.2]) / np.linalg.norm([1.0, 0.1, 0.2])
    mean = example.mean(axis=0)
    assert plain @ mean > event @ mean
    known = Ordinary(speech)
    nearest = {
        name: min(float(known.distances(d, [1 - d @ window])[0]) for d in known.directions(example))
        for name, window in (("event", event), ("plain", plain))
    }
    assert nearest["event"] < 0.1 * nearest["plain"]


@pytest.mark.parametrize("few", [np.empty((0, 2)), [[0.0, 1.0]]])
def test_without_ordinary_windows_it_is_the_cosine(few):
    speech = Ordinary(few)
    assert np.allclose(speech.directions([[3.0, 4.0]]), [[0.6, 0.8]])
    assert np.allclose(speech.distances(np.array([0.6, 0.8]), [0.0, 0.5]), [0.0, 0.5])


@settings(deadline=None, max_examples=60)
@given(VECTORS, VECTORS, st.floats(0.25, 4.0), st.lists(st.floats(0.0, 2.0), min_size=2, max_size=6))
def test_lengths_of_vectors_do_not_matter_and_nearer_stays_nearer(windows, example, scale, far):
    speech, scaled = Ordinary(windows), Ordinary(scale * windows)
    asked = speech.directions(example)
    assert len(asked) <= min(MOST_WINDOWS, len(example))
    assert np.allclose(np.linalg.norm(asked, axis=1), 1.0)
    assert np.allclose(np.sort(scaled.directions(scale * example), axis=0), np.sort(asked, axis=0), atol=1e-5)
    for direction in asked:
        found = speech.distances(direction, sorted(far))
        assert np.isfinite(found).all() and (np.diff(found) >= 0).all()

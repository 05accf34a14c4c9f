import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sonolake.errors import InvalidInput
from sonolake.models.bridge import LabelBridge

QUERIES = {
    "cat": "a cat meowing",
    "cow": "a cow mooing",
    "dog": "a dog barking",
    "duck": "a duck quacking",
    "frog": "a frog croaking",
    "horse": "a horse neighing",
    "owl": "an owl hooting",
    "pig": "a pig grunting",
    "rooster": "a rooster crowing",
    "sheep": "a sheep bleating",
}


class Compass:
    """Six classes whose names are directions, and an encoder that knows nothing else."""

    spec, weights_sha256, licence = "compass", "0" * 64, "CC0-1.0"
    labels = ("a", "b", "c", "d", "e", "f")
    dim = 2

    def encode(self, texts):
        angles = {name: 0.1 * i for i, name in enumerate(self.labels)}
        return np.array([[np.cos(angles[t]), np.sin(angles[t])] for t in texts], dtype=np.float32)


@pytest.fixture
def small():
    return LabelBridge(Compass(), Compass())


@pytest.fixture(scope="module")
def clips(bridge, yamnet, animals):
    return {name: bridge.clip_vector(yamnet.tag(x, rate)) for name, (x, rate) in animals.items()}


def ranked(bridge, clips, query):
    vector = bridge.query_vector(query)
    return sorted(clips, key=lambda name: -float(vector @ clips[name]))


def test_a_dog_barking_is_the_dog(bridge, clips):
    assert ranked(bridge, clips, "a dog barking")[0] == "dog"


def test_most_animals_come_first_for_their_own_query(bridge, clips):
    right = sum(ranked(bridge, clips, query)[0] == name for name, query in QUERIES.items())
    assert right >= 9


def test_query_weights_fall_by_e_for_each_twentieth_of_cosine(small):
    # cosines to "a" are cos(0), cos(0.1), ...: the sixth class is left out, being the farthest
    weights = np.exp((np.cos(0.1 * np.arange(6)) - 1) / 0.05)
    weights[5] = 0
    assert np.allclose(small.query_vector("a"), weights / np.linalg.norm(weights), atol=1e-6)
    assert small.explain("a")[0] == ("a", pytest.approx(weights[0] / weights.sum(), abs=1e-6))


def test_clip_values_are_log_means_between_the_floor_and_certainty(small):
    # means 1, 0.1, 0.01, 0.001, 0.0001, 0 are 1, 2/3, 1/3, 0, 0, 0 of the way up
    scores = np.array([[1.0, 0.2, 0.01, 0.001, 0.0001, 0.0], [1.0, 0.0, 0.01, 0.001, 0.0001, 0.0]])
    expected = np.array([1, 2 / 3, 1 / 3, 0, 0, 0])
    assert np.allclose(small.clip_vector(scores), expected / np.linalg.norm(expected), atol=1e-6)


def test_a_clip_of_nothing_points_to_all_alike(small):
    assert np.allclose(small.clip_vector(np.zeros((3, 6))), 6**-0.5)


@pytest.mark.parametrize("shape", [(6,), (0, 6), (2, 5)])
def test_refuses_scores_of_another_shape(small, shape):
    with pytest.raises(InvalidInput, match="scores"):
        small.clip_vector(np.zeros(shape))


def test_refuses_a_blank_query(small):
    with pytest.raises(InvalidInput, match="query"):
        small.query_vector("  ")


@settings(deadline=None, max_examples=50)
@given(arrays(np.float32, st.tuples(st.integers(1, 4), st.just(6)), elements=st.floats(0, 1, width=32)))
def test_clip_vectors_are_unit_and_never_negative(scores):
    vector = LabelBridge(Compass(), Compass()).clip_vector(scores)
    assert np.linalg.norm(vector.astype(np.float64)) == pytest.approx(1.0, abs=1e-5)
    assert (vector >= 0).all()

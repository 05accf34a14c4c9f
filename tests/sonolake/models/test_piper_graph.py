import numpy as np
import pytest

from sonolake.models.packages import JOE
from sonolake.models.piper_graph import with_noise_inputs
from sonolake.models.sessions import session_of


@pytest.fixture(scope="module")
def path(voice):
    return JOE.file("data/en_US-joe-medium.onnx", "test")


@pytest.mark.parametrize("voice", ["piper:joe"], indirect=True)
def test_without_noise_it_is_the_graph_as_shipped(voice, path):
    # with both noise scales at 0 the shipped graph has nothing random left in it
    ids = voice.symbol_ids("həlˈoʊ ðˈɛɹ.")
    feeds = {
        "input": np.array([ids], dtype=np.int64),
        "input_lengths": np.array([len(ids)], dtype=np.int64),
        "scales": np.array([0.0, 1.0, 0.0], dtype=np.float32),
    }
    shipped = session_of(path).run(None, feeds)[0]
    noise = {
        "duration_noise": np.ones((1, 2, len(ids)), dtype=np.float32),
        "latent_noise": np.ones((1, 192, 1), dtype=np.float32),
    }
    ours = session_of(with_noise_inputs(path)).run(None, {**feeds, **noise})[0]
    assert ours.shape == shipped.shape
    assert np.allclose(ours, shipped, atol=1e-4)


@pytest.mark.parametrize("voice", ["piper:joe"], indirect=True)
def test_symbols_are_padded_as_the_voice_was_trained(voice):
    # the voice's own map: _ 0, ^ 1, $ 2, a 14, b 15; Piper writes ^ _ a _ b _ $
    assert voice.symbol_ids("ab") == [1, 0, 14, 0, 15, 0, 2]
    assert voice.symbol_ids("a☃b") == [1, 0, 14, 0, 15, 0, 2]

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.models.base import TextEncoder
from sonolake.models.packages import MINILM


@pytest.fixture(scope="module")
def tensors(minilm):
    from safetensors.numpy import load_file

    return load_file(MINILM.file("model/model.safetensors", "test"))


def reference(tensors, ids):
    """all-MiniLM-L6-v2 written out in numpy at double precision, to hold the graph against."""
    from scipy.special import erf

    w = {name: value.astype(np.float64) for name, value in tensors.items()}

    def norm(x, at):
        x = x - x.mean(-1, keepdims=True)
        return x / np.sqrt((x**2).mean(-1, keepdims=True) + 1e-12) * w[f"{at}.weight"] + w[f"{at}.bias"]

    def dense(x, at):
        return x @ w[f"{at}.weight"].T + w[f"{at}.bias"]

    x = w["embeddings.word_embeddings.weight"][ids] + w["embeddings.position_embeddings.weight"][: len(ids)]
    x = norm(x + w["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
    for i in range(6):
        at = f"encoder.layer.{i}"
        q, k, v = (dense(x, f"{at}.attention.self.{name}") for name in ("query", "key", "value"))
        heads = []
        for h in range(12):
            part = slice(32 * h, 32 * h + 32)
            scores = np.exp(q[:, part] @ k[:, part].T / np.sqrt(32))
            heads.append(scores / scores.sum(-1, keepdims=True) @ v[:, part])
        x = norm(
            x + dense(np.concatenate(heads, 1), f"{at}.attention.output.dense"),
            f"{at}.attention.output.LayerNorm",
        )
        inner = dense(x, f"{at}.intermediate.dense")
        inner = inner * 0.5 * (1 + erf(inner / np.sqrt(2)))
        x = norm(x + dense(inner, f"{at}.output.dense"), f"{at}.output.LayerNorm")
    mean = x.mean(0)
    return mean / np.linalg.norm(mean)


def test_is_a_text_encoder(minilm):
    assert isinstance(minilm, TextEncoder)
    assert (minilm.dim, minilm.licence) == (384, "Apache-2.0")


def test_agrees_with_the_published_similarities(minilm):
    # sentence-transformers' documentation prints these for all-MiniLM-L6-v2
    vectors = minilm.encode(
        ["The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."]
    )
    expected = [[1.0, 0.6660, 0.1046], [0.6660, 1.0, 0.1411], [0.1046, 0.1411, 1.0]]
    assert np.allclose(vectors @ vectors.T, expected, atol=1e-4)


def test_agrees_with_the_network_written_out_in_numpy(minilm, tensors):
    # [CLS] a dog barking [SEP] by the vocabulary's own line numbers
    words = MINILM.file("model/vocab.txt", "test").read_text("utf-8").splitlines()
    ids = [words.index(piece) for piece in ("[CLS]", "a", "dog", "barking", "[SEP]")]
    assert np.allclose(minilm.encode(["A dog barking"])[0], reference(tensors, ids), atol=1e-6)


def test_a_sentence_does_not_depend_on_its_batch(minilm):
    texts = ["a dog barking", "rain", "somebody walks through a long and empty corridor", "a dog barking"]
    together = minilm.encode(texts)
    for i, text in enumerate(texts):
        assert np.array_equal(minilm.encode([text])[0], together[i])


def test_no_texts_give_no_vectors(minilm):
    assert minilm.encode([]).shape == (0, 384)


def test_a_long_text_is_read_as_far_as_256_tokens(minilm):
    base = "dog " * 254
    assert np.array_equal(minilm.encode([base + "stocks"]), minilm.encode([base + "prices and more"]))


@settings(deadline=None, max_examples=25)
@given(st.text(max_size=60))
def test_every_text_has_a_unit_vector(minilm, text):
    vector = minilm.encode([text])[0]
    assert np.isfinite(vector).all()
    assert np.linalg.norm(vector.astype(np.float64)) == pytest.approx(1.0, abs=1e-5)

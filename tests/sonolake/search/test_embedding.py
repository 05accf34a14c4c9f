"""Rows of the vector spaces, made by models that are simple enough to predict."""

from types import SimpleNamespace

import numpy as np
import pytest

from sonolake.lake.vectors import VectorStore
from sonolake.search import sentence_of, sound_rows, text_rows

FACTS = {"kind": "take", "licence": "CC0-1.0", "event": "shared/dog_bark", "duration_s": 12.0}


def model(windows):
    vectors = np.arange(windows * 3, dtype=np.float32).reshape(windows, 3)
    scores = np.arange(windows, dtype=np.float32)[:, None] * np.ones(2, np.float32)
    return SimpleNamespace(
        spec="yamnet",
        window_s=0.96,
        hop_s=0.48,
        weights_sha256="y",
        analyse=lambda x, rate: (vectors, scores),
    )


BRIDGE = SimpleNamespace(spec="bridge", weights_sha256="b", clip_vector=lambda scores: scores.mean(axis=0))


def test_a_window_has_its_time_and_ends_with_the_sound():
    rows = sound_rows("a", np.zeros(12_000), 10_000, FACTS, model(3))["yamnet"]
    assert rows["vector_id"].to_pylist() == ["a:00000", "a:00001", "a:00002"]
    assert rows["start_s"].to_pylist() == pytest.approx([0, 0.48, 0.96])
    assert rows["end_s"].to_pylist() == pytest.approx([0.96, 1.2, 1.2])
    assert rows["licence"].to_pylist() == ["CC0-1.0"] * 3 and rows["split"].null_count == 3


def test_labels_have_a_row_a_segment_of_twenty_windows():
    rows = sound_rows("a", np.zeros(120_000), 10_000, FACTS, model(24), BRIDGE)["labels"]
    assert rows["vector"].to_pylist() == [[9.5, 9.5], [21.5, 21.5]]  # means of 0..19 and of 20..23
    assert rows["start_s"].to_pylist() == pytest.approx([0, 9.6])
    assert rows["end_s"].to_pylist() == pytest.approx([10.08, 12.0])
    assert rows["model"].to_pylist() == ["bridge"] * 2


def test_rows_go_into_the_store_and_again_change_nothing(tmp_path):
    store = VectorStore(tmp_path)
    for space, rows in sound_rows("a", np.zeros(120_000), 10_000, FACTS, model(24), BRIDGE).items():
        assert store.write(space, rows) == rows.num_rows
        assert store.write(space, rows) == 0
    assert store.spaces() == ["labels", "yamnet"]


@pytest.mark.parametrize(
    ("asset", "sentence"),
    [
        (
            {"title": "Rex", "event": "shared/dog_bark", "tags": '{"tags": "yard", "mic": "x"}'},
            "Rex. dog bark. yard",
        ),
        ({"title": "rain", "event": "rain", "tags": None}, "rain"),
        ({"title": "Bell", "location": "train_station"}, "Bell. train station"),
        ({"transcript": "Good morning.", "tags": '{"tags": ["a", "b"]}'}, "a, b. Good morning."),
        ({"title": None, "event": " "}, ""),
    ],
)
def test_what_an_asset_says(asset, sentence):
    assert sentence_of(asset) == sentence


def test_assets_without_words_have_no_text_row():
    encoder = SimpleNamespace(
        spec="fake",
        weights_sha256="t",
        encode=lambda texts: np.array([[len(t), 1] for t in texts], np.float32),
    )
    assets = [{"asset_id": "a", "title": "four"}, {"asset_id": "b"}, {"asset_id": "c", "event": "rain_drops"}]
    rows = text_rows(assets, encoder)
    assert rows["asset_id"].to_pylist() == ["a", "c"]
    assert rows["vector"].to_pylist() == [[4, 1], [10, 1]]
    assert text_rows([{"asset_id": "b"}], encoder) is None

"""Sounds of several windows against a plain double loop."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sonolake.lake.vector_rows import vector_id
from sonolake.lake.vectors import VectorStore
from sonolake.search.encoders import spread
from sonolake.search.ranking import Scope, rank_assets

ELEMENTS = st.integers(-3, 3).map(float)


def store_of(root, vectors, assets, metric):
    rows = {
        "vector_id": [vector_id(asset, n) for n, asset in enumerate(assets)],
        "asset_id": assets,
        "start_s": [n * 0.48 for n in range(len(assets))],
        "end_s": [n * 0.48 + 0.96 for n in range(len(assets))],
        "model": ["fake"] * len(assets),
        "weights_sha256": ["w"] * len(assets),
        "vector": pa.array([list(map(float, v)) for v in vectors], pa.list_(pa.float32())),
    }
    store = VectorStore(root)
    store.write("space", pa.table(rows), metric=metric)
    return store


def distance(one, other, metric):
    if metric == "dot":
        return 1 - float(one @ other)
    lengths = np.linalg.norm(one) * np.linalg.norm(other)
    return 1 - float(one @ other) / lengths if lengths else np.inf


@settings(deadline=None, max_examples=15)
@given(
    hnp.arrays(np.float32, (14, 3), elements=ELEMENTS),
    st.lists(st.sampled_from("abcde"), min_size=14, max_size=14),
    hnp.arrays(np.float32, (3, 3), elements=ELEMENTS),
    st.sampled_from(["cosine", "dot"]),
    st.sets(st.sampled_from("abcde")),
    st.booleans(),
)
def test_every_window_asks_for_its_nearest(
    tmp_path_factory, vectors, assets, queries, metric, allowed, prefilter
):
    store = store_of(tmp_path_factory.mktemp("rank"), vectors, assets, metric)
    ranked = rank_assets(store, Scope("space", allowed, prefilter, "w"), queries, 10)
    asking = [q for q in queries if metric == "dot" or q.any()]
    expected = {}
    for asset in allowed & set(assets):
        own = [v for v, name in zip(vectors, assets, strict=True) if name == asset]
        mean = np.mean([min(distance(q, v, metric) for v in own) for q in asking]) if asking else np.inf
        if np.isfinite(mean):
            expected[asset] = mean
    assert {one.asset_id: one.distance for one in ranked} == pytest.approx(expected, abs=1e-5)
    assert ranked == sorted(ranked, key=lambda one: (one.distance, one.asset_id))


def test_the_window_shown_is_the_earliest_of_the_nearest(tmp_path):
    vectors = [[1, 0], [0, 1], [0, 2], [1, 1]]
    store = store_of(tmp_path, vectors, ["a", "a", "a", "b"], "cosine")
    ranked = rank_assets(store, Scope("space", {"a", "b"}, False), np.array([[0, 1], [0, 3]], np.float32), 5)
    assert [(one.asset_id, one.start_s) for one in ranked] == [("a", 0.48), ("b", pytest.approx(1.44))]


def test_windows_of_a_long_sound_are_spread_evenly():
    windows = np.arange(31, dtype=np.float32)[:, None]
    assert spread(windows, 16)[:, 0].tolist() == list(range(0, 31, 2))
    assert spread(windows[:16], 16) is not None and len(spread(windows[:3])) == 3

"""Vector spaces: what is written is found exactly, once, and wherever the lake lies."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sonolake.errors import InvalidInput, NotFound
from sonolake.lake.vector_rows import vector_id
from sonolake.lake.vectors import VectorStore


def rows(vectors, assets=None, **columns):
    vectors = np.asarray(vectors, dtype=np.float32)
    count = len(vectors)
    assets = assets or [f"asset{n:03}" for n in range(count)]
    table = {
        "vector_id": [vector_id(asset, n) for n, asset in enumerate(assets)],
        "asset_id": assets,
        "window": list(range(count)),
        "model": ["fake"] * count,
        "weights_sha256": ["0" * 64] * count,
        "vector": pa.array([list(map(float, v)) for v in vectors], pa.list_(pa.float32())),
    }
    return pa.table({**table, **columns})


@pytest.fixture
def store(tmp_path):
    return VectorStore(tmp_path / "vectors")


SQUARE = [[1, 0], [0, 1], [1, 1], [-1, 0]]


def test_cosine_distances_are_those_of_the_unit_circle(store):
    store.write("yamnet", rows(SQUARE))
    found = store.search("yamnet", [2, 0], 4)
    assert found["asset_id"].to_pylist() == ["asset000", "asset002", "asset001", "asset003"]
    assert found["distance"].to_pylist() == pytest.approx([0, 1 - 2**-0.5, 1, 2], abs=1e-6)
    assert "vector" not in found.column_names


def test_the_space_of_labels_ranks_by_dot_product(store):
    store.write("labels", rows([[1, 0], [5, 5], [-3, 0]]))
    found = store.search("labels", [1, 0], 3)
    assert store.metric("labels") == "dot" and store.dim("labels") == 2
    assert found["asset_id"].to_pylist() == ["asset001", "asset000", "asset002"]
    assert found["distance"].to_pylist() == pytest.approx([1 - 5, 1 - 1, 1 + 3])


def test_writing_again_changes_nothing_and_a_changed_vector_replaces(store):
    assert store.write("yamnet", rows(SQUARE)) == 4
    files = sorted(path for path in store.storage.root.rglob("*") if path.is_file())
    assert store.write("yamnet", rows(SQUARE)) == 0
    assert sorted(path for path in store.storage.root.rglob("*") if path.is_file()) == files
    assert store.write("yamnet", rows([[1, 0], [0, 1], [1, 1], [0, -1]])) == 1
    assert store.write("yamnet", rows(SQUARE, event=["dog", None, None, None])) == 2
    assert store.count("yamnet") == 4
    assert store.search("yamnet", [1, 0], 1)["event"].to_pylist() == ["dog"]


def test_filters_come_before_the_search(store):
    store.write("yamnet", rows(SQUARE, licence=["CC0-1.0", "CC0-1.0", "CC-BY-4.0", "CC0-1.0"]))
    assert store.search("yamnet", [1, 1], 1, where="licence = 'CC0-1.0' AND asset_id > 'asset000'")[
        "asset_id"
    ].to_pylist() == ["asset001"]
    assert store.search("yamnet", [1, 0], 2, ids={"asset001", "asset003"})["asset_id"].to_pylist() == [
        "asset001",
        "asset003",
    ]
    assert store.search("yamnet", [1, 0], 2, where="kind = 'take'", ids={"asset001"}).num_rows == 0
    assert store.search("yamnet", [1, 0], 2, ids=set()).num_rows == 0


def test_many_ids_are_shared_out_over_several_filters(store):
    store.write("yamnet", rows(SQUARE))
    many = [f"other{n:06}" for n in range(25_000)] + ["asset003", "zebra'quote"]
    assert store.search("yamnet", [1, 0], 3, ids=many)["asset_id"].to_pylist() == ["asset003"]


def test_equally_near_rows_come_in_the_order_of_their_ids_whatever_the_order_of_writing(store, tmp_path):
    same = rows([[1, 0]] * 20)
    backwards = VectorStore(tmp_path / "other")
    store.write("yamnet", same)
    backwards.write("yamnet", same.take(list(range(19, -1, -1))))
    expected = [vector_id(f"asset{n:03}", n) for n in range(3)]
    for one in (store, backwards):
        assert one.search("yamnet", [1, 0], 3)["vector_id"].to_pylist() == expected


def test_a_moved_store_answers_the_same(store, tmp_path):
    store.write("yamnet", rows(SQUARE))
    before = store.search("yamnet", [1, 0.5], 4)
    moved = store.storage.root.rename(tmp_path / "elsewhere")
    assert VectorStore(moved).search("yamnet", [1, 0.5], 4) == before
    assert VectorStore(moved).write("yamnet", rows(SQUARE)) == 0


def test_rows_of_a_committed_asset_stay_and_orphans_go(store):
    store.write("yamnet", rows(SQUARE, ["a", "a", "b", "c"]))
    assert store.ids("yamnet") == {"a", "b", "c"}
    assert store.drop_orphans("yamnet", {"a", "never embedded"}) == 2
    assert store.ids("yamnet") == {"a"} and store.count("yamnet") == 2
    assert store.drop_orphans("yamnet", {"a"}) == 0
    assert store.delete("yamnet", {"a"}) == 2
    assert store.drop_orphans("text", set()) == 0


def test_ids_of_one_models_weights(store):
    store.write("yamnet", rows([[1, 0], [0, 1]], weights_sha256=["old", "new"]))
    assert store.ids("yamnet", "new") == {"asset001"}
    assert store.ids("yamnet", "other") == set()
    assert [store.count("yamnet", weights) for weights in (None, "new", "other")] == [2, 1, 0]
    assert store.ids("nowhere") == set() and store.count("nowhere") == 0


def test_reading_gives_the_vectors_of_an_asset(store):
    store.write("yamnet", rows(SQUARE, ["a", "b", "a", "c"]))
    assert store.read("yamnet", {"a"})["vector"].to_pylist() == [[1, 0], [1, 1]]
    assert store.read("yamnet", set()).num_rows == 0


def test_compacting_joins_what_small_writes_left(store):
    for n in range(6):
        store.write("yamnet", rows([[n + 1, 1]], [f"asset{n}"]))
    before, after = store.compact("yamnet")
    assert (before, after) == (6, 1)
    assert store.count("yamnet") == 6


def test_what_a_killed_first_write_leaves_is_no_space(store):
    (store.storage.root / "yamnet.lance" / "data").mkdir(parents=True)
    (store.storage.root / "yamnet.lance" / "_versions").mkdir()
    assert store.spaces() == [] and store.count("yamnet") == 0
    assert store.write("yamnet", rows(SQUARE)) == 4
    assert store.search("yamnet", [1, 0], 1)["asset_id"].to_pylist() == ["asset000"]


def test_a_scan_reads_named_columns_of_filtered_rows(store):
    store.write("yamnet", rows(SQUARE, ["a", "b", "a", "c"]))
    batches = list(store.scan("yamnet", ["asset_id", "vector"], "vector_id <> 'a:00000'", {"a", "c"}))
    read = pa.Table.from_batches(batches).sort_by("asset_id")
    assert read.to_pydict() == {"asset_id": ["a", "c"], "vector": [[1, 1], [-1, 0]]}
    with pytest.raises(InvalidInput, match="colour"):
        list(store.scan("yamnet", ["asset_id"], "colour = 1"))


def test_a_vector_of_zeros_is_kept_but_has_no_direction(store):
    store.write("yamnet", rows([[0, 0], [1, 0]]))
    assert store.count("yamnet") == 2
    assert store.search("yamnet", [1, 0], 5)["asset_id"].to_pylist() == ["asset001"]


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (rows([[1, float("nan")]]), "NaN"),
        (rows([[1, float("inf")]]), "infinity"),
        (rows([[1, 2, 3]]), "2 numbers.*received 3"),
        (rows([[1, 2], [3, 4]], ["a", "b"]).set_column(0, "vector_id", pa.array(["x", "x"])), "each once"),
        (rows([[1, 2]], colour=["red"]), "colour"),
        (rows([[1, 2]]).drop_columns(["model"]), "model"),
        (rows([[1, 2]], weights_sha256=pa.array([None], pa.string())), "weights_sha256"),
        (rows([[1, 2]], start_s=["soon"]), "start_s"),
        (rows([[1, 2], [3, 4]]).set_column(5, "vector", pa.array([[1.0], [1.0, 2.0]])), "one length"),
    ],
)
def test_bad_rows_are_refused_and_nothing_is_written(store, bad, message):
    store.write("yamnet", rows([[1, 0]], ["good"]))
    with pytest.raises(InvalidInput, match=message):
        store.write("yamnet", bad)
    assert store.ids("yamnet") == {"good"}


def test_a_metric_is_fixed_by_the_first_write(store):
    store.write("yamnet", rows(SQUARE), metric="dot")
    with pytest.raises(InvalidInput, match="first write"):
        store.write("yamnet", rows(SQUARE), metric="cosine")
    with pytest.raises(InvalidInput, match="cosine or dot"):
        store.write("text", rows(SQUARE), metric="l2")
    with pytest.raises(InvalidInput, match="letters"):
        store.write("a/b", rows(SQUARE))
    assert store.spaces() == ["yamnet"]


def test_queries_that_make_no_sense_are_refused(store):
    with pytest.raises(NotFound, match="none yet"):
        store.search("yamnet", [1, 0], 1)
    store.write("yamnet", rows(SQUARE))
    with pytest.raises(NotFound, match="the lake has yamnet"):
        store.search("text", [1, 0], 1)
    with pytest.raises(InvalidInput, match=r"shape \(2,\)"):
        store.search("yamnet", [1, 0, 0], 1)
    with pytest.raises(InvalidInput, match="finite"):
        store.search("yamnet", [1, float("nan")], 1)
    with pytest.raises(InvalidInput, match="from 1"):
        store.search("yamnet", [1, 0], 0)
    with pytest.raises(InvalidInput, match=r"columns vector_id.*colour"):
        store.search("yamnet", [1, 0], 1, where="colour = 'red'")


@settings(deadline=None, max_examples=15)
@given(
    hnp.arrays(np.float32, (25, 3), elements=st.integers(-4, 4).map(float)),
    hnp.arrays(np.float32, 3, elements=st.integers(-4, 4).map(float)),
    st.integers(1, 30),
    st.sets(st.integers(0, 24)),
)
def test_search_agrees_with_numpy(tmp_path_factory, vectors, query, k, chosen):
    store = VectorStore(tmp_path_factory.mktemp("exact"))
    store.write("labels", rows(vectors))
    ids = {f"asset{n:03}" for n in chosen}
    found = store.search("labels", query, k, ids=ids)
    order = sorted(chosen, key=lambda n: (1 - float(vectors[n] @ query), n))[:k]
    assert found["asset_id"].to_pylist() == [f"asset{n:03}" for n in order]
    assert found["distance"].to_pylist() == [1 - float(vectors[n] @ query) for n in order]

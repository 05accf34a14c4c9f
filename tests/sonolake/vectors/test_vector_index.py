"""Large spaces: the index finds what exact search finds, always as many as are asked for, and says how sure it is."""

import lancedb
import numpy as np
import pyarrow as pa
import pytest

from sonolake.errors import InvalidInput, NotFound
from sonolake.lake import vector_few, vector_index
from sonolake.lake.vectors import VectorStore
from sonolake.search.ranking import Scope, rank_assets

ROWS, DIM, CLUSTERS = 10_000, 32, 100


def clustered(rng, count):
    centres = np.random.default_rng(5).standard_normal((CLUSTERS, DIM))
    noisy = centres[rng.integers(CLUSTERS, size=count)] + 0.6 * rng.standard_normal((count, DIM))
    return noisy.astype(np.float32)


def table(vectors, name="v"):
    """Ten windows an asset; one row in a hundred is a ``take``."""
    count = len(vectors)
    return pa.table(
        {
            "vector_id": [f"{name}{n:06}" for n in range(count)],
            "asset_id": [f"{name}{n // 10:05}" for n in range(count)],
            "start_s": [float(n % 10) for n in range(count)],
            "end_s": [n % 10 + 1.0 for n in range(count)],
            "kind": ["speech" if n % 100 else "take" for n in range(count)],
            "model": ["fake"] * count,
            "weights_sha256": ["w"] * count,
            "vector": pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), DIM),
        }
    )


@pytest.fixture(scope="module", autouse=True)
def indexed_earlier():
    """As if an index paid from 10,000 rows on, not from 50,000."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vector_index, "INDEXED_FROM", ROWS)
        yield


@pytest.fixture(scope="module")
def vectors():
    return clustered(np.random.default_rng(6), ROWS)


@pytest.fixture(scope="module")
def store(tmp_path_factory, vectors):
    store = VectorStore(tmp_path_factory.mktemp("index"))
    store.write("clap", table(vectors))
    assert store.searched("clap").said == (
        "clap: exact over 10,000 vectors; python -m flows maintain makes an index"
    )
    store.keep_indexed("clap")
    return store


def nearest_by_numpy(vectors, query, chosen, k):
    units = vectors[chosen] / np.linalg.norm(vectors[chosen], axis=1, keepdims=True)
    order = np.argsort(-units @ (query / np.linalg.norm(query)), kind="stable")[:k]
    return {f"v{chosen[n]:06}" for n in order}


@pytest.mark.parametrize(
    ("where", "every"), [(None, 1), ("kind = 'take'", 100)], ids=["all", "one row in a hundred"]
)
def test_an_indexed_space_finds_what_comparing_everything_finds(store, vectors, where, every):
    chosen = np.arange(0, ROWS, every)
    found = wanted = 0
    for query in clustered(np.random.default_rng(7), 40):
        answer = store.search("clap", query, 10, where)
        assert answer.num_rows == 10
        distances = answer["distance"].to_pylist()
        assert distances == sorted(distances)
        found += len(
            nearest_by_numpy(vectors, query, chosen, 10).intersection(answer["vector_id"].to_pylist())
        )
        wanted += 10
    assert found / wanted >= 0.98


def test_however_little_a_filter_keeps_all_of_it_is_found(store, vectors):
    ids = ["v00001", "v00222", "v00999"]
    rows = {f"v{10 * int(one[1:]) + n:06}" for one in ids for n in range(10)}
    answer = store.search("clap", -vectors[7], 30, ids=ids)
    assert set(answer["vector_id"].to_pylist()) == rows
    assert store.search("clap", vectors[7], 10, "kind = 'nothing'").num_rows == 0


def test_a_filter_that_is_asked_again_is_compared_exactly_in_memory(store, vectors, monkeypatch):
    """From the second time on Lance is not asked, and what comes is what comparing everything gives, to the last."""
    chosen = np.arange(0, ROWS, 100)
    where = "kind = 'take' AND true"
    first = store.search("clap", vectors[77], 10, where)
    again = store.search("clap", vectors[77], 10, where)
    assert again.schema == first.schema and again["vector_id"] == first["vector_id"]
    np.testing.assert_allclose(again["distance"], first["distance"], atol=1e-5)
    with monkeypatch.context() as patch:
        patch.setattr("sonolake.lake.vectors.nearest", None)
        for query in clustered(np.random.default_rng(9), 20):
            answer = store.search("clap", query, 10, where)
            assert set(answer["vector_id"].to_pylist()) == nearest_by_numpy(vectors, query, chosen, 10)
            units = vectors[chosen] / np.linalg.norm(vectors[chosen], axis=1, keepdims=True)
            nearest = np.sort(1 - units @ (query / np.linalg.norm(query)))
            np.testing.assert_allclose(answer["distance"], nearest[:10], atol=1e-6)
        assert store.search("clap", vectors[5], 1_000, where).num_rows == 100, "all that there are"
    for _ in range(3):
        assert store.search("clap", vectors[5], 10, "kind = 'nothing'").num_rows == 0
        with pytest.raises(InvalidInput, match="where"):
            store.search("clap", vectors[5], 10, "kindness = 'take'")
    assert store.search("clap", np.zeros(DIM), 10, where).num_rows == 0


@pytest.fixture
def asked(store):
    """Asks a filter of the space; whether its rows came from memory."""
    opened = lancedb.connect(store.storage.uri).open_table("clap")
    filters = vector_few.Filters()
    return lambda n, where="kind = 'take'": filters.few("clap", opened, f"{where} AND {n} = {n}") is not None


def test_many_rows_are_not_kept_in_memory(asked, monkeypatch):
    assert [asked(1, "kind = 'speech'") for _ in range(3)] == [False, True, True]
    monkeypatch.setattr(vector_few, "FEW_ROWS", 99)
    assert [asked(1) for _ in range(3)] == [False, False, False]


def test_what_is_kept_in_memory_is_bounded_and_what_is_in_use_stays(asked, monkeypatch):
    monkeypatch.setattr(vector_few, "FEW_BYTES", 250 * DIM * 4)
    assert [asked(n) for n in (1, 1, 2, 2, 1, 3, 3, 3, 2, 1)] == [n in (1, 3, 4, 8, 9) for n in range(10)]
    monkeypatch.setattr(vector_few, "PATIENCE", 3)
    assert [asked(n) for n in (3, 3, 3, 1, 2)] == [False, False, True, True, False], "2 makes room"


def test_equally_near_rows_come_by_name_from_memory_too(tmp_path, vectors):
    twins = vectors.copy()
    twins[300:900:100] = twins[200]
    store = VectorStore(tmp_path)
    store.write("clap", table(twins))
    store.keep_indexed("clap")
    answers = [store.search("clap", twins[200], 4, "kind = 'take'") for _ in range(3)]
    assert answers[2]["vector_id"].to_pylist() == ["v000200", "v000300", "v000400", "v000500"]
    store.write("clap", table(twins[200][None], "a").set_column(4, "kind", pa.array(["take"])))
    for _ in range(3):
        assert store.search("clap", twins[200], 1, "kind = 'take'")["vector_id"].to_pylist() == ["a000000"]


def test_a_space_says_how_it_is_searched(store):
    searched = store.searched("clap")
    assert not searched.exact
    assert (searched.index.rows, searched.index.unindexed) == (ROWS, 0)
    assert searched.index.recall >= 0.98 and searched.index.filtered_recall >= 0.98
    assert searched.said.startswith(
        f"clap: index {searched.index.version[:8]} over 10,000 vectors; recall@10 "
    )


def test_an_index_that_finds_too_little_is_not_used(store, monkeypatch, vectors):
    monkeypatch.setattr(vector_index, "LEAST_RECALL", 1.01)
    assert store.searched("clap").exact
    assert "is not used" in store.searched("clap").said
    chosen = np.arange(ROWS)
    for query in clustered(np.random.default_rng(8), 3):
        answer = store.search("clap", query, 10)
        assert set(answer["vector_id"].to_pylist()) == nearest_by_numpy(vectors, query, chosen, 10)


def test_a_sound_of_several_windows_finds_itself_first_and_others_at_their_exact_distance(store, vectors):
    own = vectors[1_230:1_240]
    scope = Scope("clap", {f"v{n:05}" for n in range(ROWS // 10)}, prefilter=False)
    ranked = rank_assets(store, scope, own, 20)
    assert ranked[0].asset_id == "v00123" and ranked[0].distance == pytest.approx(0, abs=1e-5)
    assert len(ranked) == 20
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    for window in ranked[1:]:
        first = 10 * int(window.asset_id[1:])
        nearest = 1 - (units[1_230:1_240] @ units[first : first + 10].T).max(axis=1)
        assert window.distance == pytest.approx(nearest.mean(), abs=1e-5)


def test_what_is_added_after_the_index_is_found_at_once_and_taken_in_later(tmp_path, vectors):
    store = VectorStore(tmp_path)
    store.write("clap", table(vectors))
    first = store.keep_indexed("clap")
    query = clustered(np.random.default_rng(10), 1)[0]
    store.write("clap", table(query[None], "new"))
    assert store.search("clap", query, 1)["vector_id"].to_pylist() == ["new000000"]
    assert ", 1 later ones compared exactly" in store.searched("clap").said
    second = store.keep_indexed("clap")
    assert (second.rows, second.unindexed, second.measured_rows) == (ROWS + 1, 0, ROWS + 1)
    assert store.search("clap", query, 1)["vector_id"].to_pylist() == ["new000000"]
    assert store.keep_indexed("clap") == second and second.version == first.version
    assert store.write("clap", table(query[None], "new")) == 0
    assert store.delete("clap", ["new00000"]) == 1
    assert "new000000" not in store.search("clap", query, 10)["vector_id"].to_pylist()


def test_a_small_space_has_no_index(tmp_path):
    store = VectorStore(tmp_path)
    store.write("clap", table(clustered(np.random.default_rng(1), 100)))
    assert store.keep_indexed("clap") is None
    assert store.searched("clap").said == "clap: exact over 100 vectors"
    with pytest.raises(NotFound):
        store.searched("yamnet")


def test_dimensions_that_are_no_multiple_of_eight_are_indexed_too(tmp_path):
    rng = np.random.default_rng(3)
    vectors = rng.standard_normal((ROWS, 13)).astype(np.float32)
    rows = table(np.zeros((ROWS, DIM), np.float32)).drop_columns(["vector"])
    column = pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), 13)
    store = VectorStore(tmp_path)
    store.write("labels", rows.append_column("vector", column))
    assert store.keep_indexed("labels").usable
    found = store.search("labels", vectors[3], 5)
    order = np.argsort(-(vectors @ vectors[3]))[:5]
    assert found["vector_id"].to_pylist() == [f"v{n:06}" for n in order]

"""Old versions of a space: what a release was made from stays, the rest goes when its time is over."""

from datetime import datetime, timedelta

import lancedb
import numpy as np
import pyarrow as pa

from sonolake.lake.vectors import VectorStore


def rows(name):
    return pa.table(
        {
            "vector_id": [name],
            "asset_id": [name],
            "model": ["fake"],
            "weights_sha256": ["w"],
            "vector": pa.array([[1.0, 0.0]], pa.list_(pa.float32())),
        }
    )


def versions(root):
    return len(lancedb.connect(str(root)).open_table("yamnet").list_versions())


def test_a_pinned_version_answers_as_before_while_others_are_cleaned_away(tmp_path):
    store = VectorStore(tmp_path)
    for name in "abc":
        store.write("yamnet", rows(name))
    store.pin("yamnet", {"birds-1.0.0": datetime.now().astimezone()})
    for name in "defgh":
        store.write("yamnet", rows(name))
    before = versions(tmp_path)
    assert store.clean("yamnet", timedelta(days=7)) and versions(tmp_path) == before
    assert store.clean("yamnet", timedelta(0))
    assert versions(tmp_path) == 2
    assert store.ids("yamnet") == set("abcdefgh")
    pinned = lancedb.connect(str(tmp_path)).open_table("yamnet")
    pinned.checkout("birds-1.0.0")
    assert sorted(pinned.to_arrow()["asset_id"].to_pylist()) == list("abc")


def test_a_release_that_is_older_than_the_space_pins_nothing(tmp_path):
    store = VectorStore(tmp_path)
    store.write("yamnet", rows("a"))
    store.pin("yamnet", {"old-1.0.0": datetime.now().astimezone() - timedelta(days=1)})
    store.write("yamnet", rows("b"))
    assert store.clean("yamnet", timedelta(milliseconds=1)) and versions(tmp_path) == 1


def test_pinning_again_moves_nothing(tmp_path):
    store = VectorStore(tmp_path)
    store.write("yamnet", rows("a"))
    first = datetime.now().astimezone()
    store.pin("yamnet", {"birds-1.0.0": first})
    store.write("yamnet", rows("b"))
    store.pin("yamnet", {"birds-1.0.0": datetime.now().astimezone()})
    pinned = lancedb.connect(str(tmp_path)).open_table("yamnet")
    pinned.checkout("birds-1.0.0")
    assert pinned.to_arrow()["asset_id"].to_pylist() == ["a"]
    assert np.isfinite(pinned.to_arrow()["vector"].to_pylist()).all()

"""Upkeep: fewer files, and every answer as before, at every snapshot."""

from datetime import timedelta

import numpy as np
import pyarrow as pa

from sonolake.lake import Lake, vector_index
from sonolake.lake.maintenance import keep_space, keep_tables


def edge(number):
    return {"child": f"c{number:02}", "parent": "p", "role": "source", "run_id": "r"}


def test_small_files_are_joined_and_every_snapshot_answers_as_before(tmp_path):
    with Lake.create(tmp_path / "lake") as lake:
        counted = {}
        for number in range(12):
            lake.table("lineage").append([edge(number)])
            counted[lake.snapshot] = number + 1
        kept = {one.name: one for one in keep_tables(lake)}
        assert kept["lineage"].files == (12, 1) and kept["lineage"].changed
        assert not kept["assets"].changed
        assert not any(one.changed for one in keep_tables(lake))
        query = "SELECT count(*) AS n, min(child) AS first FROM lineage"
        for snapshot, count in counted.items():
            assert lake.sql(query, at=snapshot).to_pylist() == [{"n": count, "first": "c00"}]
        assert lake.rows(query) == [{"n": 12, "first": "c00"}]


def test_fragments_of_a_space_are_joined_and_what_a_release_was_made_from_is_pinned(tmp_path):
    with Lake.create(tmp_path / "lake") as lake:
        for number in range(5):
            rows = {
                "vector_id": [f"v{number}"],
                "asset_id": [f"v{number}"],
                "model": ["fake"],
                "weights_sha256": ["w"],
                "vector": pa.array([[1.0, number]], pa.list_(pa.float32())),
            }
            with lake.writing():
                lake.vectors.write("yamnet", pa.table(rows))
        lake.table("lineage").append([edge(0)])
        release = {"name": "birds", "version": "1.0.0", "snapshot": lake.snapshot, "state": "published"}
        lake.table("releases").append([{**release, "manifest_sha256": "0" * 64, "date": "2026-01-01"}])
        kept = keep_space(lake, "yamnet", timedelta(0))
        assert kept.name == "vectors/yamnet" and kept.files == (5, 1) and kept.cleaned
        assert kept.versions[0] > kept.versions[1] == 2, (
            "the newest and the one that the release was made from"
        )
        assert kept.searched.said == "yamnet: exact over 5 vectors"
        assert lake.vectors.search("yamnet", [1, 0], 1)["asset_id"].to_pylist() == ["v0"]
        again = keep_space(lake, "yamnet", timedelta(days=7))
        assert not again.changed


def test_a_large_space_gets_an_index_and_a_later_version_of_it_takes_in_what_came(tmp_path, monkeypatch):
    monkeypatch.setattr(vector_index, "INDEXED_FROM", 2_000)
    values = np.random.default_rng(4).standard_normal((2_000, 8)).astype(np.float32)

    def rows(start, end):
        ids = [f"v{number:05}" for number in range(start, end)]
        return pa.table(
            {
                "vector_id": ids,
                "asset_id": ids,
                "model": ["fake"] * len(ids),
                "weights_sha256": ["w"] * len(ids),
                "vector": pa.array(values[start:end].tolist(), pa.list_(pa.float32())),
            }
        )

    with Lake.create(tmp_path / "lake") as lake:
        with lake.writing():
            lake.vectors.write("yamnet", rows(0, 1_990))
        assert not keep_space(lake, "yamnet").indexed and lake.vectors.searched("yamnet").exact
        with lake.writing():
            lake.vectors.write("yamnet", rows(1_990, 2_000))
        kept = keep_space(lake, "yamnet")
        assert kept.indexed and not kept.searched.exact
        assert (
            kept.searched.said.startswith("yamnet: index ")
            and " over 2,000 vectors; recall" in kept.searched.said
        )
        nearest = np.argsort(-(values / np.linalg.norm(values, axis=1, keepdims=True)) @ values[7])[:5]
        found = lake.vectors.search("yamnet", values[7], 5)["vector_id"].to_pylist()
        assert found == [f"v{number:05}" for number in nearest]
        assert not keep_space(lake, "yamnet").changed

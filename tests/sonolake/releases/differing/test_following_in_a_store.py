"""A version after another in a lake in S3: what is equal is copied where it lies."""

import dataclasses

import pyarrow as pa
import pytest

from sonolake import Lake, running
from sonolake.releases import pull, verify
from sonolake.releases.finding import find_release
from sonolake.releases.publishing import publish


@pytest.fixture
def lake(bucket, store, monkeypatch, tmp_path):
    monkeypatch.setenv("SONOLAKE_CATALOG", str(tmp_path / "catalog.sqlite"))
    with Lake.create(f"{bucket}/lake") as made:
        yield made


def test_what_is_equal_is_copied_in_the_store(lake, store, make, tmp_path, monkeypatch):
    first = make({"train": 24}, version="1.0.0", rows_per_shard=4)
    cares = first.configs[0]
    rows = cares.splits["train"].to_pylist()
    rows.append(rows[0] | {"item_id": "scene-new"})
    more = dataclasses.replace(cares, splits={"train": pa.Table.from_pylist(rows, cares.schema)})
    second = dataclasses.replace(first, version="1.1.0", configs=(more, *first.configs[1:]))
    for data in store.values():
        lake.media.put(data)
    sent = []

    def put(content):
        with running(lake, "release") as run:
            return publish(run, content, lake.snapshot)

    assert put(first).built.reused_bytes == 0
    upload = type(lake.storage).staging
    monkeypatch.setattr(
        type(lake.storage), "staging", lambda self, path: sent.append(path) or upload(self, path)
    )
    made = put(second)
    whole = {f.path: f.bytes for f in find_release("demo@1.1.0", lambda: lake.place).offered.files}
    kept = {path for path in whole if path not in sent}
    assert len({path for path in kept if path.startswith("data/")}) == 9
    assert len([path for path in sent if path.startswith("data/")]) == 1
    assert made.built.reused_bytes == sum(whole[path] for path in kept)
    assert made.told().endswith(f"{made.built.reused_bytes:,} bytes from 1.0.0")

    pull(find_release("demo@1.0.0", lambda: lake.place).offered, tmp_path / "mine" / "old")
    result = pull(find_release("demo@1.1.0", lambda: lake.place).offered, tmp_path / "mine" / "new")
    assert verify(tmp_path / "mine" / "new") == []
    assert result.beside_bytes > sum(whole[path] for path in kept)

"""A version after another in a lake in S3: what is equal is copied where it lies."""

import dataclasses

import pyarrow as pa
import pytest

from sonolake import Lake, running
from sonolake.errors import Refused
from sonolake.releases import build, pull, verify
from sonolake.releases.earlier import Earlier
from sonolake.releases.finding import find_release
from sonolake.releases.offered import offered
from sonolake.releases.origins import open_origin
from sonolake.releases.publishing import publish


def contents(folder):
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


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
    with pytest.raises(Refused, match=r"1\.0\.1 cannot follow 1\.0\.0.*MINOR"):
        put(dataclasses.replace(second, version="1.0.1"))
    assert set(sent) == {"catalog.sqlite"}
    made = put(second)
    build(first, store.__getitem__, tmp_path / "1.0.0")
    earlier = Earlier(offered(open_origin(tmp_path / "1.0.0")))
    build(second, store.__getitem__, tmp_path / "apart" / "1.1.0", earlier=earlier)
    whole = contents(tmp_path / "apart" / "1.1.0")
    at = "releases/demo/1.1.0"
    assert {path: lake.storage.read(f"{at}/{path}") for path in whole} == whole
    kept = {path for path in whole if path.startswith("data/") and path not in sent}
    assert len(kept) == 9 and len([path for path in sent if path.startswith("data/")]) == 1
    assert made.built.reused_bytes == sum(len(data) for path, data in whole.items() if path not in sent)
    assert made.told().endswith(f"{made.built.reused_bytes:,} bytes from 1.0.0")

    pull(find_release("demo@1.0.0", lambda: lake.place).offered, tmp_path / "mine" / "old")
    result = pull(find_release("demo@1.1.0", lambda: lake.place).offered, tmp_path / "mine" / "new")
    assert verify(tmp_path / "mine" / "new") == [] and contents(tmp_path / "mine" / "new") == whole
    assert result.beside_bytes > sum(len(whole[path]) for path in kept)

"""What no table names is found, and deleted only when nothing may be about to name it."""

import os
import shutil
import time

import pyarrow as pa
import pytest

from sonolake import Column, Lake, TableSpec
from sonolake.errors import InvalidInput
from sonolake.ids import sha256_hex
from sonolake.lake.gc import collect, named

DAY = 24 * 3600.0
LATE = TableSpec(
    "late",
    (
        Column("late_id", "VARCHAR", "id"),
        Column("sounds", "VARCHAR[]", "asset ids"),
        Column("mixed", "VARCHAR", "id"),
    ),
    ("late_id",),
    "A table of a data set that gc has never heard of",
)


def age(path, days=3):
    then = time.time() - days * DAY
    for each in [*path.rglob("*"), path] if path.is_dir() else [path]:
        os.utime(each, (then, then))


def old_media(lake, data):
    asset_id = lake.media.put(data)
    age(lake.media.path(asset_id))
    return asset_id


@pytest.fixture
def used(lake):
    """Media that some table names, each in its own way, all old."""
    ids = {
        name: old_media(lake, name.encode())
        for name in ("asset", "refused", "copy", "in a list", "in a column")
    }
    lake.declare(LATE)
    with lake.transaction("name them") as tx:
        tx.append("assets", [{"asset_id": ids["asset"]}])
        refusal = {"item": "i", "step": "s", "attempt": "a", "reason": "corrupt", "asset_id": ids["refused"]}
        tx.append("quarantine", [refusal])
        tx.append("duplicates", [{"item": "j", "asset_id": ids["copy"], "of": ids["asset"], "how": "bytes"}])
        tx.append("late", [{"late_id": "l", "sounds": [ids["in a list"]], "mixed": ids["in a column"]}])
    return ids


def test_a_dry_run_lists_and_touches_nothing(lake, used):
    orphan = old_media(lake, b"nobody's")
    found = collect(lake)
    assert found.media == (orphan,) and found.media_bytes == len(b"nobody's") and found.anything
    assert orphan in lake.media and set(lake.media) == {*used.values(), orphan}


def test_only_what_no_table_names_is_deleted(lake, used):
    orphan = old_media(lake, b"nobody's")
    assert collect(lake, delete=True).media == (orphan,)
    assert set(lake.media) == set(used.values())
    assert not collect(lake).anything


def test_what_is_young_is_left_alone_unless_asked(lake, used):
    young = lake.media.put(b"just written")
    assert collect(lake, delete=True).media == () and young in lake.media
    assert collect(lake, 0.0, delete=True).media == (young,) and young not in lake.media


def test_bytes_put_again_are_young_again(lake, used):
    """A writer that finds its bytes there already does not write them, and must not lose them before its commit."""
    orphan = old_media(lake, b"left by a killed run")
    lake.media.put(b"left by a killed run")
    assert collect(lake, delete=True).media == () and orphan in lake.media


def test_bytes_put_again_while_gc_looks_stay(lake, used, monkeypatch):
    orphan = old_media(lake, b"left by a killed run")
    deleted = lake.media.discard

    def put_then_delete(asset_id, before):
        lake.media.put(b"left by a killed run")
        deleted(asset_id, before)

    monkeypatch.setattr(lake.media, "discard", put_then_delete)
    collect(lake, delete=True)
    assert lake.media.read(orphan) == b"left by a killed run"


def test_what_a_release_pins_stays_though_its_row_is_gone(lake, used):
    pinned = lake.snapshot
    lake.table("releases").append(
        [{"name": "demo", "version": "0.1.0", "snapshot": pinned, "state": "published"}]
    )
    with lake.transaction("a row goes") as tx:
        tx.delete("assets", [{"asset_id": used["asset"]}])
        tx.sql("DELETE FROM duplicates")
    assert collect(lake, delete=True).media == ()
    assert named(lake, {used["asset"], sha256_hex(b"never there")}) == {used["asset"]}


def test_half_written_media_and_releases_that_were_never_finished(lake):
    part = lake.root / "media" / "ab" / ".incoming-x1"
    building = lake.releases_root / "demo" / ".0.1.0.building"
    for path in (part.parent, building):
        path.mkdir(parents=True)
    part.write_bytes(b"half")
    (building / "README.md").write_text("half")
    assert collect(lake, delete=True).leftovers == () and part.exists()
    age(part), age(building)
    found = collect(lake, delete=True)
    assert found.leftovers == ("media/ab/.incoming-x1", "releases/demo/.0.1.0.building")
    assert not part.exists() and not building.exists() and building.parent.exists()


def test_table_files_that_no_snapshot_names(lake):
    lake.table("assets").append([{"asset_id": "a"}])
    first = lake.snapshot
    lake.table("assets").merge([{"asset_id": "a", "title": "new"}])
    (kept, *_) = (lake.root / "tables" / "main" / "assets").glob("*.parquet")
    orphan = kept.with_name("ducklake-of-a-killed-writer.parquet")
    orphan.write_bytes(kept.read_bytes())
    assert collect(lake, delete=True).table_files == () and orphan.exists()
    age(lake.root / "tables")
    snapshots = lake.snapshot
    assert (
        collect(lake).table_files == ("tables/main/assets/ducklake-of-a-killed-writer.parquet",)
        and orphan.exists()
    )
    assert len(collect(lake, delete=True).table_files) == 1 and not orphan.exists()
    assert lake.snapshot == snapshots, "cleaning is no change of the tables"
    assert lake.sql("SELECT title FROM assets")["title"].to_pylist() == ["new"]
    assert lake.sql("SELECT title FROM assets", at=first)["title"].to_pylist() == [None]


@pytest.mark.parametrize("name", ["a[bc]", "a?", "*"])
def test_a_path_that_reads_as_a_pattern_never_reaches_another_lake(tmp_path, new_lake, name):
    for folder in (name, "ab"):
        shutil.copytree(new_lake, tmp_path / folder)
    with Lake.open(tmp_path / "ab") as neighbour, Lake.open(tmp_path / name) as lake:
        for each in (neighbour, lake):
            each.table("assets").append([{"asset_id": "a"}])
        age(tmp_path / "ab" / "tables")
        collect(lake, delete=True)
        assert neighbour.sql("SELECT asset_id FROM assets")["asset_id"].to_pylist() == ["a"]
        assert lake.sql("SELECT asset_id FROM assets")["asset_id"].to_pylist() == ["a"]


def vectors(ids):
    values = pa.FixedSizeListArray.from_arrays(pa.array([1.0, 0.0] * len(ids), pa.float32()), 2)
    same = {
        name: ["x"] * len(ids) for name in ("model", "weights_sha256", "kind", "event", "licence", "location")
    }
    return pa.table({"vector_id": ids, "asset_id": ids, **same, "vector": values})


def test_vectors_of_what_no_table_names(lake, used):
    ids = [used["asset"], "utterance of a killed run"]
    with lake.writing():
        lake.vectors.write("text", vectors(ids))
    found = collect(lake, delete=True)
    assert found.spaces_in_use == ("text",) and not found.anything, "a writer may be about to name them"
    age(lake.root / "vectors" / "text.lance")
    assert collect(lake).vectors == {"text": 1} and lake.vectors.ids("text") == set(ids)
    assert collect(lake, delete=True).vectors == {"text": 1}
    assert lake.vectors.ids("text") == {used["asset"]}


def test_a_lake_opened_to_read_is_not_cleaned(lake):
    with Lake.open(lake.root, read_only=True) as reader, pytest.raises(InvalidInput, match="read-only"):
        collect(reader)


@pytest.mark.parametrize("seconds", [float("inf"), float("nan"), -1.0, 1e300])
def test_ages_that_are_none(lake, seconds):
    with pytest.raises(InvalidInput, match="older than"):
        collect(lake, seconds)

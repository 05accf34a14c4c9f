"""A version that follows another: its changelog, what it stores, since when its items are as they are."""

import dataclasses

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sonolake.releases import build, pull_items, verify
from sonolake.releases.earlier import Earlier
from sonolake.releases.offered import offered
from sonolake.releases.origins import open_origin


def contents(folder):
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.fixture
def wide(make, store, tmp_path):
    """A release of 18 shards, its content, and what follows it: one row edited, one added."""
    content = make({"train": 60}, version="1.0.0", rows_per_shard=4)
    folder = tmp_path / "releases" / "demo" / "1.0.0"
    build(content, store.__getitem__, folder)
    cares = content.configs[0]
    rows = cares.splits["train"].to_pylist()
    rows[7]["location"] = "office"
    rows.append(rows[8] | {"item_id": "scene-new"})
    edited = dataclasses.replace(cares, splits={"train": pa.Table.from_pylist(rows, cares.schema)})
    return folder, dataclasses.replace(
        content, version="2.0.0", date="2026-12-01", configs=(edited, *content.configs[1:])
    )


def follow(folder, content, store, dest=None):
    earlier = Earlier(offered(open_origin(folder)))
    return build(content, store.__getitem__, dest or folder.with_name(content.version), earlier=earlier)


def test_only_shards_that_changed_are_stored_and_the_rest_tells_what_changed(wide, store, tmp_path):
    folder, content = wide
    built = follow(folder, content, store)
    new = folder.with_name("2.0.0")
    shared = {
        p.relative_to(new).as_posix() for p in new.rglob("*.parquet") if p.stat().st_ino in inodes(folder)
    }
    shards = {p.relative_to(new).as_posix() for p in new.glob("data/*/*")}
    assert len(shards) == 18 and shared <= shards and len(shards - shared) == 2
    assert built.reused_bytes == sum((new / path).stat().st_size for path in shared)
    assert verify(new) == [] and verify(folder) == []

    assert (new / "CHANGELOG.md").read_text() == (
        "# Changelog of Demo\n\n## [2.0.0] - 2026-12-01\n\n"
        "### Added\n\n- 1 item of `cares` (train 1): scene-new.\n\n"
        "### Changed\n\n- 1 item of `cares` edited (location): scene-train-007.\n\n"
        "## [1.0.0] - 2026-11-01\n\n### Added\n\n"
        "- First version: 60 items of `cares`, 3 items of `rms-aqa`.\n"
    )
    assert "scene-train-007" in (new / "report.html").read_text()

    rows = pq.read_table(new / "items.parquet").to_pylist()
    since = {row["item_id"]: row["since"] for row in rows}
    assert {item for item, version in since.items() if version == "2.0.0"} == {"scene-train-007", "scene-new"}
    assert set(since.values()) == {"1.0.0", "2.0.0"}
    assert pull_items(new, tmp_path / "old", "since = '1.0.0'").items == 62


def inodes(folder):
    return {p.stat().st_ino for p in folder.rglob("*.parquet")}


def test_it_is_the_same_bytes_where_nothing_can_be_shared(wide, store, tmp_path, monkeypatch):
    folder, content = wide
    follow(folder, content, store)

    def refuse(*_):
        raise OSError("another disk")

    monkeypatch.setattr("os.link", refuse)
    assert follow(folder, content, store, tmp_path / "apart").reused_bytes == 0
    assert contents(tmp_path / "apart") == contents(folder.with_name("2.0.0"))


def test_a_damaged_shard_of_the_version_before_is_not_taken(wide, store, tmp_path):
    folder, content = wide
    follow(folder, content, store, tmp_path / "right")
    right = contents(tmp_path / "right")
    for item in pq.read_table(folder / "items.parquet").to_pylist():
        (path,) = folder.glob(f"data/{item['config']}/{item['split']}-{item['shard']:05d}-*")
        with path.open("r+b") as file:
            file.seek(item["offset"])
            file.write(b"X")
    assert follow(folder, content, store).reused_bytes == 0
    assert contents(folder.with_name("2.0.0")) == right

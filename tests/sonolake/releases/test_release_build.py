import dataclasses
import os
import signal
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sonolake.errors import Refused
from sonolake.releases import build, read_manifest, verify

LAYOUT = {
    "ATTRIBUTION.csv",
    "ATTRIBUTION.md",
    "CHANGELOG.md",
    "README.md",
    "SHA256SUMS",
    "_COMPLETE",
    "croissant.json",
    "data",
    "items.parquet",
    "lineage.parquet",
    "manifest.parquet",
    "proofs",
    "report.html",
    "views.sql",
}


def contents(folder):
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_the_layout_is_the_contracts(release):
    assert {p.name for p in release.iterdir()} == LAYOUT
    assert verify(release) == []


def test_the_mark_names_the_manifest_and_the_sums_name_every_file(release):
    sums = subprocess.run(
        ["sha256sum", "-c", "--quiet", "SHA256SUMS"], cwd=release, capture_output=True, text=True
    )
    assert (sums.returncode, sums.stdout) == (0, "")
    listed = {line.split("  ")[1] for line in (release / "SHA256SUMS").read_text().splitlines()}
    assert listed == set(contents(release)) - {"SHA256SUMS", "_COMPLETE"}
    mark = (release / "_COMPLETE").read_text()
    assert f"{mark.strip()}  manifest.parquet\n" in (release / "SHA256SUMS").read_text()


def test_two_builds_in_two_places_are_equal(make, store, tmp_path):
    first, second = tmp_path / "a", tmp_path / "elsewhere" / "b"
    build(make(), store.__getitem__, first)
    build(make(), store.__getitem__, second)
    assert contents(first) == contents(second)


def test_the_order_of_rows_does_not_matter(make, store, tmp_path):
    content = make()
    cares = content.configs[0]
    backwards = {s: t.take(list(reversed(range(t.num_rows)))) for s, t in cares.splits.items()}
    turned = make(
        configs=(dataclasses.replace(cares, splits=backwards), *content.configs[1:]),
        lineage=content.lineage.take(list(reversed(range(content.lineage.num_rows)))),
    )
    assert build(content, store.__getitem__, tmp_path / "a").manifest_sha256 == (
        build(turned, store.__getitem__, tmp_path / "b").manifest_sha256
    )


def test_nothing_says_where_or_when_it_was_made(release, tmp_path):
    names = [os.fsencode(tmp_path), os.fsencode(Path.home()), os.uname().nodename.encode()]
    for path, data in contents(release).items():
        assert not [n for n in names if len(n) > 4 and n in data], path


def test_the_same_again_changes_nothing(content, store, release):
    before = {p: p.stat().st_mtime_ns for p in release.rglob("*")}
    again = build(content, store.__getitem__, release)
    assert again.outcome == "unchanged"
    assert {p: p.stat().st_mtime_ns for p in release.rglob("*")} == before
    assert [p.name for p in release.parent.iterdir()] == ["0.1.0"]


def test_other_content_under_a_published_version_is_refused(make, store, release):
    with pytest.raises(Refused, match=r"demo 0\.1\.0 is already published"):
        build(make(summary="Made-up sounds, again."), store.__getitem__, release)
    assert verify(release) == []
    assert [p.name for p in release.parent.iterdir()] == ["0.1.0"]


def test_what_a_killed_build_left_is_removed(content, store, tmp_path):
    left = tmp_path / ".0.1.0.building"
    left.mkdir()
    (left / "half.parquet").write_bytes(b"PAR1")
    build(content, store.__getitem__, tmp_path / "0.1.0")
    assert [p.name for p in tmp_path.iterdir()] == ["0.1.0"]
    assert verify(tmp_path / "0.1.0") == []


def test_a_build_that_is_killed_shows_nothing(tmp_path):
    script = f"""
import importlib.util, os, signal, pathlib
spec = importlib.util.spec_from_file_location("made", {str(Path(__file__).with_name("conftest.py"))!r})
made = importlib.util.module_from_spec(spec); spec.loader.exec_module(made)
store = made.Store(); content = made.make_content(store); seen = []
def media(asset):
    seen.append(asset)
    if len(seen) == 9: os.kill(os.getpid(), signal.SIGKILL)
    return store[asset]
made.build(content, media, pathlib.Path({str(tmp_path)!r}) / "0.1.0")
"""
    killed = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert [p.name for p in tmp_path.iterdir()] == [".0.1.0.building"]


def test_an_edit_touches_one_shard(make, store, tmp_path):
    content = make({"train": 60}, rows_per_shard=4)
    edited = content.configs[0].splits["train"].to_pylist()
    edited[7]["location"] = "office"
    table = pa.Table.from_pylist(edited, content.configs[0].schema)
    cares = content.configs[0]
    changed = dataclasses.replace(cares, splits={"train": table})
    build(content, store.__getitem__, tmp_path / "a")
    build(make({"train": 60}, configs=(changed, *content.configs[1:])), store.__getitem__, tmp_path / "b")
    before, after = ({f.path: f.sha256 for f in read_manifest(tmp_path / n) if f.config} for n in "ab")
    assert len(before) == 16 + 2
    assert sum(before[p] != after[p] for p in before) == 1


def test_items_point_into_their_shards(release, store):
    shards = {(f.config, f.split, f.shard): f.path for f in read_manifest(release) if f.config}
    items = pq.ParquetFile(release / "items.parquet").read().to_pylist()
    assert len(items) == 13
    for item in items:
        path = release / shards[item["config"], item["split"], item["shard"]]
        row = pq.ParquetFile(path).read().slice(item["row"], 1).to_pylist()[0]
        assert row["item_id"] == item["item_id"]
        piece = path.read_bytes()[item["offset"] : item["offset"] + item["bytes"]]
        assert piece == row["audio"]["bytes"]


def test_an_empty_split_is_typed_and_counted(make, store, tmp_path):
    build(make({"train": 3, "validation": 0, "test": 0}), store.__getitem__, tmp_path / "r")
    table = pq.ParquetFile(tmp_path / "r/data/cares/test-00000-of-00001.parquet").read()
    assert table.num_rows == 0
    assert table.schema.field("channels").type == pa.int32()
    assert verify(tmp_path / "r") == []


def test_benchmark_files_are_part_of_it(make, store, tmp_path):
    build(make(benchmark={"asc/items.jsonl": b"{}\n"}), store.__getitem__, tmp_path / "r")
    assert (tmp_path / "r/benchmark/asc/items.jsonl").read_bytes() == b"{}\n"
    assert "benchmark/asc/items.jsonl" in {f.path for f in read_manifest(tmp_path / "r")}

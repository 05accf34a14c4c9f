import shutil

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sonolake.releases import verify

SHARD = "data/cares/train-00000-of-00001.parquet"


def kinds(folder):
    return {(p.kind, p.path) for p in verify(folder)}


@pytest.mark.parametrize("path", [SHARD, "README.md", "items.parquet", "proofs/files.sql", "croissant.json"])
def test_a_flipped_byte_is_found(release, path):
    data = bytearray((release / path).read_bytes())
    data[len(data) // 2] ^= 1
    (release / path).write_bytes(data)
    assert kinds(release) == {("changed", path)}


@pytest.mark.parametrize("path", [SHARD, "README.md", "lineage.parquet", "SHA256SUMS"])
def test_a_deleted_file_is_found(release, path):
    (release / path).unlink()
    assert kinds(release) == {("missing", path)}


@pytest.mark.parametrize(
    "path", ["more.txt", "data/cares/train-00001-of-00001.parquet", "_PULLED-dev", "a.part"]
)
def test_an_added_file_is_found(release, path):
    (release / path).write_bytes(b"more")
    assert kinds(release) == {("extra", path)}


def test_more_than_the_mark_says_is_found(release):
    (release / "_PULLED-test").touch()
    found = kinds(release)
    assert ("extra", SHARD) in found
    assert {kind for kind, _ in found} == {"extra"}
    assert all(path.startswith("data/") and "/test-" not in path for _, path in found)


def test_a_truncated_file_is_found(release):
    (release / SHARD).write_bytes((release / SHARD).read_bytes()[:-1])
    assert kinds(release) == {("changed", SHARD)}


def test_swapped_files_are_both_found(release):
    other = "data/cares/test-00000-of-00001.parquet"
    one, two = (release / SHARD).read_bytes(), (release / other).read_bytes()
    (release / SHARD).write_bytes(two)
    (release / other).write_bytes(one)
    assert kinds(release) == {("changed", SHARD), ("changed", other)}


def test_edited_sums_are_found(release):
    (release / "SHA256SUMS").write_text("")
    assert kinds(release) == {("changed", "SHA256SUMS")}


def test_an_edited_manifest_does_not_match_the_mark(release):
    table = pq.ParquetFile(release / "manifest.parquet").read()
    pq.write_table(table.slice(1), release / "manifest.parquet")
    assert kinds(release) == {("manifest", "manifest.parquet")}


@pytest.mark.parametrize("name", ["_COMPLETE", "manifest.parquet"])
def test_without_mark_or_manifest_it_is_not_whole(release, name):
    (release / name).unlink()
    assert [p.kind for p in verify(release)] == ["incomplete"]


def test_an_empty_folder_is_not_a_release(tmp_path):
    assert [p.kind for p in verify(tmp_path)] == ["incomplete"]


def test_a_link_in_place_of_a_file_is_found(release, tmp_path):
    copy = tmp_path / "copy.parquet"
    shutil.copy(release / SHARD, copy)
    (release / SHARD).unlink()
    (release / SHARD).symlink_to(copy)
    assert kinds(release) == {("missing", SHARD)}


def test_a_moved_release_is_as_right_as_before(release, tmp_path):
    moved = tmp_path / "other disk" / "x"
    moved.parent.mkdir()
    release.rename(moved)
    assert verify(moved) == []


def test_rows_that_items_do_not_list_are_found(release):
    """A manifest, sums and mark made right again over a shard that lost a row: only the rows tell."""
    from sonolake.releases.checksums import checksums_text
    from sonolake.releases.disk import sha256_of
    from sonolake.releases.documents import file_row
    from sonolake.releases.tables import FileRow, read_manifest, write_manifest

    table = pq.ParquetFile(release / SHARD).read()
    pq.write_table(table.slice(1), release / SHARD)
    files = [
        FileRow(f.path, now.sha256, now.bytes, f.config, f.split, f.shard)
        for f in read_manifest(release)
        for now in [file_row(release, f.path)]
    ]
    write_manifest(files, release)
    sha256 = sha256_of(release / "manifest.parquet")
    (release / "SHA256SUMS").write_text(checksums_text(files, sha256))
    (release / "_COMPLETE").write_text(f"{sha256}\n")
    assert kinds(release) == {("rows", SHARD)}


def test_a_manifest_that_is_not_parquet_is_named(release):
    (release / "manifest.parquet").write_bytes(b"PAR1 not really")
    from sonolake.releases.disk import sha256_of

    (release / "_COMPLETE").write_text(sha256_of(release / "manifest.parquet"))
    assert [(p.kind, "not a manifest" in p.detail) for p in verify(release)] == [("manifest", True)]


def test_a_manifest_of_other_columns_is_named(release):
    from sonolake.releases.disk import sha256_of

    pq.write_table(pa.table({"path": ["README.md"]}), release / "manifest.parquet")
    (release / "_COMPLETE").write_text(sha256_of(release / "manifest.parquet"))
    assert [p.kind for p in verify(release)] == ["manifest"]

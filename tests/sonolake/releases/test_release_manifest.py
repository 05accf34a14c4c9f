import re

import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.errors import Damaged, InvalidInput, NotFound
from sonolake.releases import FileRow, read_manifest
from sonolake.releases.layout import checked_name, checked_path, pulled_splits, shard_path
from sonolake.releases.tables import MANIFEST_SCHEMA, write_manifest

PARTS = st.from_regex(re.compile(r"d[a-z0-9_-]{0,8}(\.[a-z]{1,4})?", re.ASCII), fullmatch=True)
NO_TABLE, TABLES = (
    st.just((None, None, None)),
    st.tuples(
        st.sampled_from(["cares", "1e5"]), st.sampled_from(["train", "test"]), st.integers(0, 2**31 - 1)
    ),
)
ROWS = st.builds(
    lambda path, sha256, bytes, table: FileRow(path, sha256, bytes, *table),
    path=st.lists(PARTS, min_size=1, max_size=4)
    .map("/".join)
    .filter(lambda path: not path.endswith(".part")),
    sha256=st.binary(min_size=32, max_size=32).map(bytes.hex),
    bytes=st.integers(0, 2**63 - 1),
    table=NO_TABLE | TABLES,
)


@settings(deadline=None, max_examples=50)
@given(st.lists(ROWS, unique_by=lambda r: r.path.split("/")[0], max_size=20))
def test_a_manifest_reads_back_as_written_whatever_the_order(tmp_path_factory, rows):
    one, two = tmp_path_factory.mktemp("one"), tmp_path_factory.mktemp("key=2")
    write_manifest(rows, one)
    write_manifest(reversed(rows), two)
    assert read_manifest(two) == sorted(rows, key=lambda r: r.path)
    assert (one / "manifest.parquet").read_bytes() == (two / "manifest.parquet").read_bytes()


@pytest.mark.parametrize(
    "table",
    [
        ("cares", None, 0),
        ("cares", "train", None),
        ("cares", "train", -1),
        ("cares", "dev", 0),
        ("..", "train", 0),
    ],
)
def test_a_shard_says_of_what_it_is(tmp_path, table):
    write_manifest([FileRow("data/x.parquet", "0" * 64, 1, *table)], tmp_path)
    with pytest.raises((Damaged, InvalidInput), match=r"is no shard of train, validation, test|config"):
        read_manifest(tmp_path)


def test_the_schema_is_fixed(tmp_path):
    write_manifest([], tmp_path)
    assert pq.read_schema(tmp_path / "manifest.parquet").remove_metadata() == MANIFEST_SCHEMA
    assert MANIFEST_SCHEMA.names == ["path", "sha256", "bytes", "config", "split", "shard"]


@pytest.mark.parametrize(
    "path",
    [
        "../x",
        "a/../b",
        "/etc/passwd",
        "a//b",
        "",
        ".",
        "a/.",
        "C:\\x",
        "a\\b",
        "con",
        "a/NUL.txt",
        "x\0y",
        "x.",
        "~/x",
        "a/.b",
    ],
)
def test_hostile_paths_are_refused(path, tmp_path):
    with pytest.raises(InvalidInput):
        checked_path(path)
    write_manifest([FileRow(path, "0" * 64, 1)], tmp_path)
    with pytest.raises(InvalidInput, match="path in a release"):
        read_manifest(tmp_path)


@pytest.mark.parametrize(
    "path", ["README.md", "_COMPLETE", "data/rms-aqa/train-00000-of-00012.parquet", "console.md"]
)
def test_paths_of_releases_are_accepted(path):
    assert checked_path(path) == path


@pytest.mark.parametrize("name", ["", "Demo", "a/b", "..", "-x", "aux", "x" * 65])
def test_names_that_are_no_folder_are_refused(name):
    with pytest.raises(InvalidInput):
        checked_name("release", name)


def test_shards_are_named_as_hubs_expect():
    assert shard_path("cares", "train", 3, 16) == "data/cares/train-00003-of-00016.parquet"


def test_a_folder_without_manifest_is_no_release(tmp_path):
    with pytest.raises(NotFound, match="not a release"):
        read_manifest(tmp_path)
    assert pulled_splits(tmp_path) == ()

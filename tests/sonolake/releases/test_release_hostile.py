"""A release made to do harm: it ends in a clear error, and nothing outside the folder that was named is touched."""

import shutil
from contextlib import suppress
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sonolake
from sonolake.errors import SonolakeError
from sonolake.releases import pull, pull_items, read_manifest, verify
from sonolake.releases.checksums import checksums_text
from sonolake.releases.differing import compare, side_of_release
from sonolake.releases.disk import files_in, sha256_of
from sonolake.releases.finding import find_release
from sonolake.releases.layout import CHECKSUMS, COMPLETE, MANIFEST
from sonolake.releases.tables import MANIFEST_SCHEMA

SHARD = "data/cares/train-00000-of-00001.parquet"
PATHS = (
    "../outside.txt",
    "/tmp/sonolake-outside.txt",
    "data/../../outside.txt",
    "data\\..\\outside.txt",
    "C:/outside.txt",
    "con",
    "data/cares/nul.parquet",
    "~/outside.txt",
    ".hidden",
    "a/" * 300 + "deep",
    "_COMPLETE",
    "_complete",
    "_PULLED-train",
    "README.md",
    "readme.MD",
    f"{SHARD}/inside.txt",
    "manifest.parquet.part",
)
"""What a manifest lists beside a good release's files."""


def seal(folder, table):
    """Make ``table`` the manifest, with mark and sums that agree."""
    pq.write_table(table, folder / MANIFEST, compression="zstd")
    sha256 = sha256_of(folder / MANIFEST)
    (folder / COMPLETE).write_text(f"{sha256}\n")
    return sha256


def forge(folder, *more, **changed):
    """The release with more rows in its manifest, and files that are listed as they are now."""
    rows = [dict(vars(file)) for file in read_manifest(folder)]
    for row in rows:
        row |= {"sha256": sha256_of(folder / row["path"]), "bytes": (folder / row["path"]).stat().st_size}
    seal(folder, pa.Table.from_pylist([*rows, *more], MANIFEST_SCHEMA))
    with suppress(SonolakeError):
        (folder / CHECKSUMS).write_text(checksums_text(read_manifest(folder), sha256_of(folder / MANIFEST)))
    return folder


def uses(folder, good, dest):
    """Each way in which somebody uses a release."""
    return {
        "pull": lambda: pull(folder, dest / "pulled"),
        "select": lambda: pull_items(folder, dest / "chosen", "true"),
        "verify": lambda: [str(problem) for problem in verify(folder)],
        "prove": lambda: find_release(str(folder), Path).prove(),
        "load": lambda: list(sonolake.load(str(folder), config="cares", split="train")),
        "diff": lambda: compare(side(folder), side(good)),
    }


def side(folder):
    return side_of_release(find_release(str(folder), Path).offered)


def around(tmp_path):
    return sorted(path for path in files_in(tmp_path) if not path.startswith("dest/"))


@pytest.fixture
def places(release, published, tmp_path):
    """The release to be forged, a good one, and where things are pulled to."""
    good = Path(shutil.copytree(published, tmp_path / "good"))
    (tmp_path / "dest").mkdir()
    return release, good, tmp_path / "dest"


def refuse_all(places, tmp_path, among=None, says=""):
    """Every use ends in an error of ours (``verify`` in a problem), and nothing beside the destination is new."""
    before = around(tmp_path)
    for name, use in uses(*places).items():
        if among is not None and name not in among:
            continue
        if name == "verify":
            problems = use()
            assert problems and says in " ".join(problems), name
        else:
            with pytest.raises(SonolakeError, match=says or None):
                use()
    assert around(tmp_path) == before


@pytest.mark.parametrize("path", PATHS)
def test_paths_that_lead_out_or_collide(places, tmp_path, path):
    forge(places[0], {"path": path, "sha256": "0" * 64, "bytes": 1})
    refuse_all(places, tmp_path)
    assert list(places[2].iterdir()) == []
    assert not Path("/tmp/sonolake-outside.txt").exists()


def test_ten_million_rows(places, tmp_path):
    rows = 10_000_000
    zeros = pa.array(np.zeros(rows, np.int32))
    one = {"path": "data/x", "sha256": "0" * 64, "config": "cares", "split": "train"}
    columns = {name: pa.DictionaryArray.from_arrays(zeros, pa.array([text])) for name, text in one.items()}
    numbers = {"bytes": zeros.cast(pa.int64()), "shard": zeros}
    order = MANIFEST_SCHEMA.names
    seal(places[0], pa.table({name: (columns | numbers)[name] for name in order}))
    refuse_all(places, tmp_path, says="10,000,000 rows")
    assert list(places[2].iterdir()) == []


def test_a_long_text_a_million_times(places, tmp_path):
    """A page of a few bytes that would be 100 GB as text."""
    rows = 100_000
    zeros = pa.array(np.zeros(rows, np.int32))
    texts = {
        name: "x" * (1_000_000 if name == "path" else 64) for name in ("path", "sha256", "config", "split")
    }
    columns = {name: pa.DictionaryArray.from_arrays(zeros, pa.array([text])) for name, text in texts.items()}
    numbers = {"bytes": zeros.cast(pa.int64()), "shard": zeros}
    seal(places[0], pa.table({name: (columns | numbers)[name] for name in MANIFEST_SCHEMA.names}))
    refuse_all(places, tmp_path, says="a text of 1,000,000 bytes")


def test_a_shard_that_is_small_and_unpacks_to_much(places, tmp_path):
    """100 MB of zeros in a few kB: whoever reads rows is told; pull moves bytes, which are what they are said to be."""
    bomb = pa.table({"item_id": ["0" * 100_000_000]})
    pq.write_table(bomb, places[0] / SHARD, compression="zstd", use_dictionary=False, write_statistics=False)
    assert (places[0] / SHARD).stat().st_size < 100_000
    forge(places[0])
    refuse_all(places, tmp_path, {"verify", "load", "select"}, "in memory, as no table of a release does")
    refuse_all(places, tmp_path, {"prove", "diff"})
    assert pull(places[0], places[2] / "pulled").fetched > 0


@pytest.mark.parametrize("name", ["items.parquet", "lineage.parquet"])
def test_an_index_table_that_unpacks_to_much(places, tmp_path, name):
    schema = pq.read_schema(places[0] / name)
    row = {field.name: "x" if pa.types.is_string(field.type) else 0 for field in schema}
    table = pa.Table.from_pylist([row | {schema.names[0]: "0" * 100_000_000}], schema)
    pq.write_table(table, places[0] / name, compression="zstd", use_dictionary=False, write_statistics=False)
    forge(places[0])
    refuse_all(
        places,
        tmp_path,
        {"verify", "load", "select", "prove", "diff"} if name == "items.parquet" else {"prove"},
    )


def test_a_link_in_the_destination_is_not_followed(places, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (places[2] / "pulled").mkdir()
    (places[2] / "pulled" / "data").symlink_to(outside)
    with pytest.raises(SonolakeError):
        pull(places[0], places[2] / "pulled")
    assert list(outside.iterdir()) == []

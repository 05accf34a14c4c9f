"""A release made to do harm: it ends in a clear error, and nothing outside the folder that was named is touched."""

import shutil
from contextlib import suppress
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sonolake
from sonolake.errors import SonolakeError, Unwritable
from sonolake.loading.load import records_of
from sonolake.loading.sound import ENCODED
from sonolake.loading.table import readable
from sonolake.releases import pull, pull_items, read_manifest, verify
from sonolake.releases.checksums import checksums_text
from sonolake.releases.differing import compare, side_of_release
from sonolake.releases.disk import files_in, sha256_of
from sonolake.releases.exports import export, format_of
from sonolake.releases.finding import find_release
from sonolake.releases.layout import CHECKSUMS, COMPLETE, MANIFEST
from sonolake.releases.rebuilding.makers import Remade
from sonolake.releases.rebuilding.one import RebuildItem
from sonolake.releases.rebuilding.whole import Rebuild
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
        "export": lambda: export(
            readable(find_release(str(folder), Path)), format_of("files"), dest / "files"
        ),
        "rebuild": lambda: rebuilt(folder, good, dest),
    }


def rebuilt(folder, good, dest):
    """What comes of making the release again by somebody who makes what is published in the good one."""
    table = readable(find_release(str(good), Path))
    sounds = {
        (config, record["item_id"]): record["audio"]
        for config in table.configs
        for record in records_of(table, config, sorted(table.splits(config)), None, ENCODED)
    }

    def maker(config):
        return lambda row, models: Remade(sounds[config, row["item_id"]])

    makers = {config: maker(config) for config in ("cares", "rms-aqa")}
    made = Rebuild(find_release(str(folder), Path).offered, dest / "rebuilt").run(makers)
    assert made.otherwise == ()
    return made


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


def test_a_good_release_is_refused_by_nobody(places):
    for name, use in uses(*places).items():
        assert use() is not None or name == "diff", name


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
    readers = {"verify", "load", "select", "export", "rebuild"}
    refuse_all(places, tmp_path, readers, "in memory, as no table of a release does")
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
        set(uses(*places)) - {"pull"} if name == "items.parquet" else {"prove", "rebuild"},
    )


@pytest.mark.parametrize(
    ("config", "split"),
    [
        ("../../outside", "train"),
        ("/tmp/sonolake-outside", "train"),
        ("con", "train"),
        ("cares", "../../outside"),
    ],
)
def test_tables_whose_names_lead_out(places, tmp_path, config, split):
    """Exports make folders of them."""
    table = pq.read_table(places[0] / MANIFEST).to_pylist()
    for row in table:
        row |= {"config": config, "split": split} if row["config"] == "cares" else {}
    items = pq.read_table(places[0] / "items.parquet")
    rows = [
        row | ({"config": config, "split": split} if row["config"] == "cares" else {})
        for row in items.to_pylist()
    ]
    pq.write_table(pa.Table.from_pylist(rows, items.schema), places[0] / "items.parquet")
    for row in table:
        path = places[0] / row["path"]
        row |= {"sha256": sha256_of(path), "bytes": path.stat().st_size}
    seal(places[0], pa.Table.from_pylist(table, MANIFEST_SCHEMA))
    refuse_all(places, tmp_path)
    assert not Path("/tmp/sonolake-outside").exists()


@pytest.mark.parametrize("item", ["../../outside", "/tmp/sonolake-outside", "con", "x" * 400, "a\0b", ""])
def test_items_whose_names_lead_out_are_files_inside(places, tmp_path, item):
    """An item may be called as its maker likes; a file is not."""
    rename(places[0] / SHARD, item)
    rename(places[0] / "items.parquet", item)
    forge(places[0])
    before = around(tmp_path)
    uses(*places)["export"]()
    offered = find_release(str(places[0]), Path).offered
    begun = RebuildItem(offered, item or "scene-train-001")
    with suppress(Unwritable):
        begun.run({"cares": lambda *_: Remade(b"RIFF")}, places[2] / "one")
    assert around(tmp_path) == before and not Path("/tmp/sonolake-outside").exists()
    assert not (places[2] / "files/cares/train/con.flac").exists()


def rename(path, item):
    """Have the first item of the training split called otherwise."""
    table = pq.read_table(path)
    names = [item if name == "scene-train-000" else name for name in table["item_id"].to_pylist()]
    at = table.schema.get_field_index("item_id")
    pq.write_table(table.set_column(at, table.schema.field(at), pa.array(names)), path, row_group_size=100)


def without_ids(table):
    return table.drop_columns(["item_id"])


def with_text_as_sound(table):
    return table.set_column(
        table.schema.get_field_index("audio"), "audio", pa.array(["/etc/passwd"] * len(table))
    )


@pytest.mark.parametrize("change", [without_ids, with_text_as_sound])
def test_a_shard_of_another_form_is_said_to_be_one(places, tmp_path, change):
    pq.write_table(change(pq.read_table(places[0] / SHARD)), places[0] / SHARD, row_group_size=100)
    forge(places[0])
    refuse_all(places, tmp_path, {"verify", "load", "select", "export", "rebuild"}, "column")


@pytest.mark.parametrize(("column", "value"), [("row", 10**8), ("shard", 7), ("sha256", "../../outside")])
def test_items_that_point_nowhere(places, tmp_path, column, value):
    items = pq.read_table(places[0] / "items.parquet")
    rows = [row | {column: value} for row in items.to_pylist()]
    pq.write_table(pa.Table.from_pylist(rows, items.schema), places[0] / "items.parquet")
    forge(places[0])
    refuse_all(places, tmp_path, {"load", "export"} | ({"verify"} if column == "row" else set()))
    offered = find_release(str(places[0]), Path).offered
    if column != "row":
        begun = RebuildItem(offered, "scene-train-000")
        with suppress(SonolakeError):
            assert begun.run({"cares": lambda *_: Remade(b"RIFF")}).otherwise


@pytest.mark.parametrize("target", ["/dev/zero", "/etc/hostname", "nowhere"])
def test_links_among_the_files_are_not_followed_into_anything(places, tmp_path, target):
    for path in (SHARD, "README.md"):
        (places[0] / path).unlink()
        (places[0] / path).symlink_to(target)
    refuse_all(places, tmp_path, {"pull", "verify", "load", "export", "rebuild"})
    with suppress(SonolakeError):
        uses(*places)["prove"]()


def test_a_link_in_the_destination_is_not_followed(places, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (places[2] / "pulled").mkdir()
    (places[2] / "pulled" / "data").symlink_to(outside)
    with pytest.raises(SonolakeError):
        pull(places[0], places[2] / "pulled")
    assert list(outside.iterdir()) == []

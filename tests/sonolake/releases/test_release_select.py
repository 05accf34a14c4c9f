"""``pull --where``: single items by byte ranges, in a folder that everything which reads releases reads."""

import hashlib

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sonolake.errors import Damaged, InvalidInput, NotFound, Refused
from sonolake.releases import build, prove, pull, pull_items, verify
from sonolake.releases.offered import offered
from sonolake.releases.origins import FolderOrigin

THREE = "item_id IN ('scene-train-001', 'scene-train-004', 'clip-train-000')"
SHARD = "data/cares/train-00000-of-00001.parquet"


def contents(folder):
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def rows(folder):
    """Every row of every shard, by item."""
    tables = [pq.ParquetFile(path).read() for path in sorted(folder.glob("data/*/*.parquet"))]
    return {row["item_id"]: row for table in tables for row in table.to_pylist()}


class Counting(FolderOrigin):
    """Counts the bytes that are read, file by file."""

    def __init__(self, folder, read=None):
        super().__init__(folder)
        self.read = {} if read is None else read

    def stream(self, path, start=0, end=None):
        for block in super().stream(path, start, end):
            self.read[path] = self.read.get(path, 0) + len(block)
            yield block


def test_the_chosen_rows_are_the_releases_rows(release, tmp_path):
    result = pull_items(release, tmp_path / "mine", THREE)
    every = rows(release)
    assert rows(tmp_path / "mine") == {
        name: every[name] for name in ("scene-train-001", "scene-train-004", "clip-train-000")
    }
    assert (result.items, result.fetched, result.already) == (3, 2, 0)
    assert verify(tmp_path / "mine") == []
    assert not (tmp_path / "mine" / "_COMPLETE").exists()


def test_shards_keep_schema_features_and_layout(release, tmp_path):
    pull_items(release, tmp_path / "mine", THREE)
    one, other = (pq.ParquetFile(folder / SHARD) for folder in (release, tmp_path / "mine"))
    assert one.schema_arrow.equals(other.schema_arrow, check_metadata=True)
    column = other.metadata.row_group(0).column(1)
    assert (column.path_in_schema, column.compression) == ("audio.bytes", "UNCOMPRESSED")


def test_only_the_bytes_of_what_is_chosen_are_fetched(make, store, tmp_path):
    """40 sounds of 300 kB in one shard: two of them cost little more than two of them."""
    content = make({"train": 40})
    table = content.configs[0].splits["train"]
    sounds = [hashlib.sha256(str(n).encode()).digest() * 10_000 for n in range(40)]
    splits = {"train": table.set_column(1, "audio_asset", pa.array([store.put(s) for s in sounds]))}
    config = type(content.configs[0])("cares", "C", "C.", splits, content.configs[0].meanings)
    build(make(configs=(config,)), store.__getitem__, tmp_path / "big")
    origin = Counting(tmp_path / "big")
    pull_items(offered(origin), tmp_path / "mine", "item_id IN ('scene-train-007', 'scene-train-031')")
    (fetched,) = (size for path, size in origin.read.items() if path.startswith("data/"))
    assert 2 * 320_000 < fetched < 2 * 320_000 + 200_000
    assert [row["audio"]["bytes"] for row in rows(tmp_path / "mine").values()] == [sounds[7], sounds[31]]


def test_neighbours_are_asked_for_together(release, tmp_path):
    asked = []

    class Asking(FolderOrigin):
        def stream(self, path, start=0, end=None):
            asked.append((path, start, end))
            return super().stream(path, start, end)

    pull_items(offered(Asking(release)), tmp_path / "mine", "config = 'cares' AND split = 'train'")
    items = pq.read_table(
        release / "items.parquet", filters=[("config", "=", "cares"), ("split", "=", "train")]
    )
    first, end = items["offset"][0].as_py(), items["offset"][-1].as_py() + items["bytes"][-1].as_py()
    assert (SHARD, first, end) in asked
    assert rows(tmp_path / "mine") == {n: r for n, r in rows(release).items() if n.startswith("scene-train")}


def test_conditions_and_splits_go_together(release, tmp_path):
    pull_items(release, tmp_path / "mine", "channels = 1 AND row < 1", ["test", "validation"])
    assert set(rows(tmp_path / "mine")) == {"scene-test-000", "scene-validation-000"}
    assert verify(tmp_path / "mine") == []


def test_a_condition_may_read_a_list(release, tmp_path):
    (tmp_path / "mine.csv").write_text("item_id\nscene-train-003\nscene-train-999\n")
    pull_items(release, tmp_path / "mine", f"item_id IN (SELECT item_id FROM '{tmp_path}/mine.csv') -- mine")
    assert set(rows(tmp_path / "mine")) == {"scene-train-003"}


@pytest.mark.parametrize("where", ["loudness > 3", "1 = 1) OR (", "", "item_id = ", "sum(row) > 3"])
def test_what_is_no_condition_is_refused_before_anything_is_made(release, tmp_path, where):
    with pytest.raises(InvalidInput, match="where: expected a condition on item_id, config"):
        pull_items(release, tmp_path / "mine", where)
    assert not (tmp_path / "mine").exists()


def test_what_chooses_nothing_is_said_and_makes_nothing(release, tmp_path):
    with pytest.raises(NotFound, match=r"no item of demo@0\.1\.0 fits: duration_s > 100"):
        pull_items(release, tmp_path / "mine", "duration_s > 100")
    with pytest.raises(InvalidInput, match="dev"):
        pull_items(release, tmp_path / "mine", THREE, ["dev"])
    assert not (tmp_path / "mine").exists()


def test_again_it_is_already_there(release, tmp_path):
    pull_items(release, tmp_path / "mine", THREE)
    before = {p: p.stat().st_mtime_ns for p in (tmp_path / "mine").rglob("*")}
    again = pull_items(release, tmp_path / "mine", THREE)
    assert (again.items, again.fetched, again.already) == (3, 0, 2)
    assert {p: p.stat().st_mtime_ns for p in (tmp_path / "mine").rglob("*") if p.is_file()} == {
        p: t for p, t in before.items() if p.is_file()
    }


def test_what_stopped_goes_on_with_the_shards_that_are_missing(release, tmp_path):
    mine = tmp_path / "mine"
    pull_items(release, mine, THREE)
    whole = contents(mine)
    (mine / "_SELECTION.json").rename(mine / "_SELECTING.json")
    (mine / SHARD).write_bytes((mine / SHARD).read_bytes()[:500])
    (mine / "SHA256SUMS").unlink()
    (mine / "README.md").unlink()
    assert [p.kind for p in verify(mine)] == ["incomplete"]
    result = pull_items(release, mine, THREE)
    assert (result.fetched, result.already) == (1, 1)
    assert contents(mine) == whole


DAMAGE = {
    "a byte of a shard": (SHARD, "changed"),
    "a document": ("README.md", "changed"),
    "the list of items": ("items.parquet", "changed"),
    "the manifest": ("manifest.parquet", "manifest"),
}


@pytest.mark.parametrize(("path", "kind"), DAMAGE.values(), ids=DAMAGE)
def test_damage_is_found_and_repaired(release, tmp_path, path, kind):
    mine = tmp_path / "mine"
    pull_items(release, mine, THREE)
    whole = contents(mine)
    data = bytearray(whole[path])
    data[len(data) // 2] ^= 1
    (mine / path).write_bytes(data)
    assert {(p.kind, p.path) for p in verify(mine)} == {(kind, path)}
    if kind != "manifest":
        pull_items(release, mine, THREE)
        assert contents(mine) == whole


def test_what_is_missing_or_added_is_found(release, tmp_path):
    mine = tmp_path / "mine"
    pull_items(release, mine, THREE)
    (mine / SHARD).unlink()
    (mine / "more.txt").write_text("x")
    assert {(p.kind, p.path) for p in verify(mine)} == {("missing", SHARD), ("extra", "more.txt")}


def test_another_sound_in_a_shard_is_found_even_when_the_sums_agree(release, tmp_path):
    mine = tmp_path / "mine"
    pull_items(release, mine, THREE)
    table = pq.ParquetFile(mine / SHARD).read()
    audio = table["audio"].to_pylist()
    audio[0]["bytes"] = b"fLaC another"
    position = table.column_names.index("audio")
    pq.write_table(table.set_column(position, "audio", pa.array(audio, table["audio"].type)), mine / SHARD)
    sums = (mine / "SHA256SUMS").read_text().splitlines()
    digest = hashlib.sha256((mine / SHARD).read_bytes()).hexdigest()
    lines = [f"{digest}  {SHARD}" if line.endswith(SHARD) else line for line in sums]
    (mine / "SHA256SUMS").write_text("\n".join(lines) + "\n")
    (problem,) = verify(mine)
    assert problem.kind == "rows" and "scene-train-001" in problem.detail


def test_a_source_with_another_sound_is_refused(release, tmp_path):
    item = pq.read_table(
        release / "items.parquet", filters=[("item_id", "=", "scene-train-004")]
    ).to_pylist()[0]
    with (release / SHARD).open("r+b") as file:
        file.seek(item["offset"] + 100)
        file.write(b"?")
    with pytest.raises(Damaged, match="the sound of scene-train-004 has another SHA-256"):
        pull_items(release, tmp_path / "mine", THREE)
    assert [p.kind for p in verify(tmp_path / "mine")] == ["incomplete"]


def test_a_release_and_what_is_chosen_of_it_do_not_mix(release, tmp_path):
    whole, part, chosen = tmp_path / "whole", tmp_path / "part", tmp_path / "chosen"
    pull(release, whole)
    pull(release, part, ["test"])
    pull_items(release, chosen, THREE)
    before = [contents(folder) for folder in (whole, part, chosen)]
    for folder in (whole, part):
        with pytest.raises(Refused, match="holds a release, or splits of it: pull beside it"):
            pull_items(release, folder, THREE)
    for other in (
        lambda: pull(release, chosen),
        lambda: pull_items(release, chosen, "row < 1"),
        lambda: pull_items(release, chosen, THREE, ["train"]),
    ):
        with pytest.raises(Refused, match="holds items chosen otherwise"):
            other()
    assert [contents(folder) for folder in (whole, part, chosen)] == before


def test_chosen_items_are_no_release(release, tmp_path):
    pull_items(release, tmp_path / "mine", THREE)
    with pytest.raises(Refused, match="proofs are about a release"):
        prove(tmp_path / "mine")
    with pytest.raises(NotFound, match="not a whole release"):
        pull(tmp_path / "mine", tmp_path / "other")
    assert "incomplete" in {p.kind for p in verify(tmp_path / "mine", hashlib.sha256(b"").hexdigest())}


def test_the_views_read_what_was_chosen(release, tmp_path, monkeypatch):
    pull_items(release, tmp_path / "mine", THREE)
    monkeypatch.chdir(tmp_path / "mine")
    with duckdb.connect() as link:
        link.execute((tmp_path / "mine/views.sql").read_text())
        assert link.execute('SELECT split, count(*) FROM "cares" GROUP BY ALL').fetchall() == [("train", 2)]


def test_a_table_without_sound_is_chosen_from(make, store, tmp_path):
    table = pa.table({"item_id": ["a", "b"], "licence": ["CC0-1.0", "CC0-1.0"]})
    config = type(make().configs[0])(
        "notes", "N", "N.", {"train": table}, {"item_id": "id", "licence": "SPDX"}
    )
    build(make(configs=(config,), charts=()), store.__getitem__, tmp_path / "r")
    pull_items(tmp_path / "r", tmp_path / "mine", "item_id = 'b'")
    assert rows(tmp_path / "mine") == {"b": {"item_id": "b", "licence": "CC0-1.0"}}
    assert verify(tmp_path / "mine") == []

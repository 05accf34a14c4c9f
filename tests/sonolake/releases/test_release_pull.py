import pyarrow.parquet as pq
import pytest

from sonolake.errors import Damaged, InvalidInput, NotFound, Refused
from sonolake.releases import build, not_pulled, prove, pull, read_manifest, verify

SHARD = "data/cares/train-00000-of-00001.parquet"


def contents(folder):
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_a_pulled_release_is_the_release(release, tmp_path):
    result = pull(release, tmp_path / "mine")
    assert contents(tmp_path / "mine") == contents(release)
    assert (result.fetched, result.already, result.left_out) == (len(read_manifest(release)), 0, ())
    assert verify(tmp_path / "mine") == []


def test_a_second_pull_does_nothing(release, tmp_path):
    pull(release, tmp_path / "mine")
    before = {p: p.stat().st_mtime_ns for p in (tmp_path / "mine").rglob("*")}
    again = pull(release, tmp_path / "mine")
    assert (again.fetched, again.fetched_bytes) == (0, 0)
    assert {p: p.stat().st_mtime_ns for p in (tmp_path / "mine").rglob("*")} == before


def test_some_splits_verify_and_say_what_is_not_there(release, tmp_path):
    mine = tmp_path / "mine"
    result = pull(release, mine, ["validation"])
    assert result.left_out == ("test", "train")
    assert verify(mine) == []
    assert {f.split for f in not_pulled(mine)} == {"train", "test"}
    assert not_pulled(release) == []
    assert {p.name for p in (mine / "data/cares").iterdir()} == {"validation-00000-of-00001.parquet"}
    outcomes = {r.proof.id: r.outcome for r in prove(mine)}
    assert {proof for proof, outcome in outcomes.items() if outcome != "holds"} == {"values-cares"}
    assert outcomes["values-cares"] == "not run"


def test_a_damaged_part_of_a_release_is_found(release, tmp_path):
    pull(release, tmp_path / "mine", ["train"])
    (tmp_path / "mine" / SHARD).unlink()
    assert [(p.kind, p.path) for p in verify(tmp_path / "mine")] == [("missing", SHARD)]


def test_splits_add_up_to_the_whole(release, tmp_path):
    mine = tmp_path / "mine"
    pull(release, mine, ["train"])
    assert pull(release, mine, ["test"]).left_out == ("validation",)
    assert verify(mine) == []
    last = pull(release, mine)
    assert {f.split for f in not_pulled(mine)} == set()
    assert last.fetched == 2
    assert contents(mine) == contents(release)


def test_a_split_of_a_whole_release_changes_nothing(release, tmp_path):
    pull(release, tmp_path / "mine")
    assert pull(release, tmp_path / "mine", ["train"]).left_out == ()
    assert contents(tmp_path / "mine") == contents(release)


@pytest.mark.parametrize("kept", [0, 1, 100, 20_000])
def test_an_interrupted_file_goes_on(release, tmp_path, kept):
    mine = tmp_path / "mine"
    pull(release, mine)
    whole = (mine / SHARD).read_bytes()
    assert len(whole) > 20_000 or kept < 20_000 or len(whole) < kept
    (mine / SHARD).unlink()
    (mine / "_COMPLETE").unlink()
    (mine / f"{SHARD}.part").write_bytes(whole[:kept])
    result = pull(release, mine)
    assert result.fetched == 1
    assert contents(mine) == contents(release)


@pytest.mark.parametrize("rubbish", [b"rubbish", b"\0" * 10_000_000], ids=["short", "long"])
def test_a_wrong_part_is_started_again(release, tmp_path, rubbish):
    mine = tmp_path / "mine"
    pull(release, mine)
    (mine / SHARD).unlink()
    (mine / f"{SHARD}.part").write_bytes(rubbish)
    pull(release, mine)
    assert contents(mine) == contents(release)


def test_a_pull_that_stopped_at_once_goes_on(release, tmp_path):
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "_PULLED-train").touch()
    (mine / "manifest.parquet.part").write_bytes((release / "manifest.parquet").read_bytes()[:40])
    assert pull(release, mine, ["train"]).left_out == ("test", "validation")
    assert verify(mine) == []


def test_damage_is_repaired_by_fetching_just_that(release, tmp_path):
    mine = tmp_path / "mine"
    pull(release, mine)
    (mine / SHARD).write_bytes(b"?" * (mine / SHARD).stat().st_size)
    assert pull(release, mine).fetched == 1
    assert contents(mine) == contents(release)


def test_another_release_is_not_written_over(make, store, release, tmp_path):
    other = tmp_path / "other"
    build(make(version="0.2.0"), store.__getitem__, other)
    before = contents(other)
    with pytest.raises(Refused, match="another release"):
        pull(release, other)
    assert contents(other) == before


def test_a_folder_of_other_things_is_not_written_into(release, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years of work")
    with pytest.raises(Refused, match="not a release"):
        pull(release, tmp_path / "mine")
    assert contents(tmp_path / "mine") == {"thesis.txt": b"years of work"}


def test_a_damaged_source_is_named_and_leaves_no_whole_release(release, tmp_path):
    data = bytearray((release / SHARD).read_bytes())
    data[50] ^= 1
    (release / SHARD).write_bytes(data)
    with pytest.raises(Damaged, match="train-00000-of-00001"):
        pull(release, tmp_path / "mine")
    assert [p.kind for p in verify(tmp_path / "mine")] == ["incomplete"]
    assert not (tmp_path / "mine" / SHARD).exists()


def test_an_unfinished_source_is_refused(release, tmp_path):
    (release / "_COMPLETE").unlink()
    with pytest.raises(NotFound, match="not a whole release"):
        pull(release, tmp_path / "mine")
    assert not (tmp_path / "mine").exists()


def test_a_split_that_is_not_there_is_refused(release, tmp_path):
    with pytest.raises(InvalidInput, match="dev"):
        pull(release, tmp_path / "mine", ["dev"])
    pull(release, tmp_path / "part", ["train"])
    with pytest.raises(NotFound, match="without \\['test'\\]"):
        pull(tmp_path / "part", tmp_path / "mine", ["test"])


def test_a_link_out_of_the_folder_is_not_followed(release, tmp_path):
    mine, outside = tmp_path / "mine", tmp_path / "outside"
    pull(release, mine, ["test"])
    outside.mkdir()
    for path in (mine / "data/cares").iterdir():
        path.unlink()
    (mine / "data/cares").rmdir()
    (mine / "data/cares").symlink_to(outside)
    with pytest.raises(Refused, match="behind a link"):
        pull(release, mine)
    assert list(outside.iterdir()) == []


def test_views_of_a_part_read_what_is_there(release, tmp_path, monkeypatch):
    import duckdb

    pull(release, tmp_path / "mine", ["train"])
    monkeypatch.chdir(tmp_path / "mine")
    with duckdb.connect() as link:
        link.execute((tmp_path / "mine/views.sql").read_text())
        assert link.execute('SELECT split, count(*) FROM "rms-aqa" GROUP BY split').fetchall() == [
            ("train", 2)
        ]
        assert link.execute("SELECT count(*) FROM items").fetchone() == (13,)
    assert pq.read_metadata(tmp_path / "mine/items.parquet").num_rows == 13

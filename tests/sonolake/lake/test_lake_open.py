"""Creating, opening and moving a lake, and what is refused."""

import shutil
import sqlite3
import subprocess
from contextlib import closing

import duckdb
import pytest

from sonolake import Lake
from sonolake.errors import Damaged, InvalidInput, LakeTooNew, LakeTooOld, NotFound, Refused
from sonolake.ids import sha256_hex
from sonolake.lake.migrating import migrate
from sonolake.lake.restoring import restore
from sonolake.lake.tables import OWN_TABLES
from sonolake.releases.takedown import Target
from sonolake.releases.takedown.target import tombstones_of
from sonolake.search.current import in_use

JUDGEMENT = {"item": "a", "question": "dog?", "answer": "yes", "rater": "ann"}


def rewrite(lake, old, new):
    lake.close()
    file = lake.root / "lake.toml"
    file.write_text(file.read_text().replace(old, new))
    return lake.root


def test_a_new_lake_has_its_rooms_and_tables(tmp_path):
    with Lake.create(tmp_path / "far" / "lake") as lake:
        rooms = {p.name for p in lake.root.iterdir()}
        assert {"lake.toml", "catalog.sqlite", "tables", "media", "vectors", "releases"} <= rooms
        tables = lake.rows("SELECT table_name FROM duckdb_tables() WHERE database_name = 'lake'")
    assert {r["table_name"] for r in tables} == {spec.name for spec in OWN_TABLES}


def test_creating_it_again_opens_it(lake):
    lake.table("judgements").append([JUDGEMENT])
    with Lake.create(lake.root) as again:
        assert again.lake_id == lake.lake_id
        assert again.snapshot == lake.snapshot
        assert again.table("judgements").scan().num_rows == 1


def test_a_folder_with_something_else_is_refused(tmp_path):
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(Refused, match="neither empty nor a lake"):
        Lake.create(tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["thesis.txt"], "nothing is left in it"
    with pytest.raises(Refused, match="neither empty nor a lake"):
        Lake.create(tmp_path / "thesis.txt")


def test_a_folder_of_recordings_is_not_taken_for_a_lake_that_was_begun(tmp_path):
    (tmp_path / "media").mkdir()
    (tmp_path / "media" / "holiday.wav").write_bytes(b"mine")
    with pytest.raises(Refused, match="neither empty nor a lake"):
        Lake.create(tmp_path)


def test_no_lake_says_how_to_make_one(tmp_path):
    with pytest.raises(NotFound, match="sonolake init"):
        Lake.open(tmp_path / "nowhere")
    assert not (tmp_path / "nowhere").exists()


def test_a_moved_lake_answers_the_same(lake, tmp_path, monkeypatch):
    lake.table("judgements").append([JUDGEMENT])
    asset_id = lake.media.put(b"some bytes")
    before = lake.sql("SELECT * FROM judgements").to_pylist(), lake.snapshots().to_pylist()
    lake.close()
    moved = tmp_path / "elsewhere" / "it's a lake"
    moved.parent.mkdir()
    shutil.move(lake.root, moved)
    monkeypatch.chdir(moved.parent)
    with Lake.open("it's a lake") as there:
        monkeypatch.chdir(tmp_path)
        assert (there.sql("SELECT * FROM judgements").to_pylist(), there.snapshots().to_pylist()) == before
        assert there.media.read(asset_id) == b"some bytes"
        there.table("judgements").append([JUDGEMENT])
        assert there.sql("SELECT count(*) AS n FROM judgements", at=there.snapshot)["n"].to_pylist() == [2]
    assert list(moved.rglob("*.parquet")) and not lake.root.exists()
    assert not list(tmp_path.glob("*.parquet")) and not list(moved.parent.glob("*.parquet"))


def test_a_copy_is_a_lake_of_its_own(lake, tmp_path):
    lake.table("judgements").append([JUDGEMENT])
    lake.close()
    shutil.copytree(lake.root, tmp_path / "copy")
    with Lake.open(tmp_path / "copy") as copy, Lake.open(lake.root) as original:
        copy.table("judgements").append([JUDGEMENT])
        assert (copy.table("judgements").scan().num_rows, original.table("judgements").scan().num_rows) == (
            2,
            1,
        )


def test_a_later_format_is_refused_with_the_version(lake):
    root = rewrite(lake, "format = 2", "format = 99")
    with pytest.raises(LakeTooNew, match="format 99, this sonolake knows up to 2"):
        Lake.open(root)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("format = 2", "format = = 2", "expected TOML"),
        ("format = 2", "format = '2'", "whole number"),
        ("format = 2", "format = true", "whole number"),
        ("format = 2", "format = 0", "whole number from 1"),
        ("format = 2\n", "", "whole number"),
        ("catalog =", "catalogue =", "catalogue"),
        ('"catalog.sqlite"', '"../other/catalog.sqlite"', "relative to the lake"),
        ('"catalog.sqlite"', '"/tmp/catalog.sqlite"', "relative to the lake"),
        ('"catalog.sqlite"', "7", "relative to the lake"),
    ],
)
def test_a_lake_toml_that_is_not_one_is_refused(lake, old, new, said):
    root = rewrite(lake, old, new)
    with pytest.raises(InvalidInput, match=said):
        Lake.open(root)


def test_a_lake_toml_of_bytes_is_refused(lake):
    lake.close()
    (lake.root / "lake.toml").write_bytes(b"\xff\xfe\x00junk")
    with pytest.raises(InvalidInput, match="edited or cut"):
        Lake.open(lake.root)


@pytest.mark.parametrize("read_only", [True, False])
def test_a_catalog_that_is_no_database_is_damage(lake, read_only):
    lake.close()
    (lake.root / "catalog.sqlite").write_bytes(b"not a database " * 400)
    with pytest.raises(Damaged, match="cannot be read"):
        Lake.open(lake.root, read_only=read_only)


@pytest.mark.parametrize("read_only", [True, False])
@pytest.mark.parametrize("statement", [None, "CREATE TABLE notes (text VARCHAR)"], ids=["emptied", "foreign"])
def test_an_emptied_or_foreign_catalog_over_tables_is_damage_not_a_new_lake(lake, read_only, statement):
    lake.table("judgements").append([JUDGEMENT])
    lake.close()
    catalog = lake.root / "catalog.sqlite"
    for file in lake.root.glob("catalog.sqlite*"):
        file.unlink()
    with closing(sqlite3.connect(catalog)) as connection:
        connection.execute(statement or "PRAGMA user_version")
    for open_lake in (lambda: Lake.open(lake.root, read_only=read_only), lambda: Lake.create(lake.root)):
        with pytest.raises(Damaged, match="empty or another program's"):
            open_lake()
    with closing(sqlite3.connect(catalog)) as connection:
        assert (
            connection.execute("SELECT sql FROM sqlite_master").fetchall()
            == [(statement,)][: bool(statement)]
        )


@pytest.mark.parametrize("read_only", [True, False])
def test_a_lost_catalog_is_never_replaced_by_an_empty_one(lake, read_only):
    lake.close()
    (lake.root / "catalog.sqlite").unlink()
    with pytest.raises(NotFound, match="catalog"):
        Lake.open(lake.root, read_only=read_only)
    assert not (lake.root / "catalog.sqlite").exists()


def test_a_lost_table_file_is_damage_not_an_empty_answer(lake):
    lake.table("judgements").append([JUDGEMENT])
    for file in (lake.root / "tables").rglob("*.parquet"):
        file.unlink()
    with pytest.raises(Damaged, match="cannot be read"):
        lake.sql("SELECT * FROM judgements")


def test_a_lake_opened_read_only_refuses_every_write(lake):
    lake.close()
    before = sorted(p.name for p in lake.root.rglob("*.parquet"))
    with Lake.open(lake.root, read_only=True) as reader:
        assert reader.table("judgements").scan().num_rows == 0
        with pytest.raises(InvalidInput, match="opened read-only"):
            reader.table("judgements").append([JUDGEMENT])
        with pytest.raises(InvalidInput, match="opened read-only"), reader.writing():
            pass
        with pytest.raises(InvalidInput, match="only reads"):
            reader.sql("DELETE FROM judgements")
    assert sorted(p.name for p in lake.root.rglob("*.parquet")) == before


def test_a_reader_sees_what_is_committed_after_it_opened(lake):
    with Lake.open(lake.root, read_only=True) as reader:
        lake.table("judgements").append([JUDGEMENT])
        assert reader.table("judgements").scan().num_rows == 1


def test_media_are_whole_checked_and_apart(lake):
    data = b"RIFF" + bytes(100)
    asset_id = lake.media.put(data)
    assert asset_id == sha256_hex(data) and asset_id in lake.media
    assert lake.media.path(asset_id).relative_to(lake.root).as_posix() == f"media/{asset_id[:2]}/{asset_id}"
    inode = lake.media.path(asset_id).stat().st_ino
    lake.media.put(data)
    assert lake.media.path(asset_id).stat().st_ino == inode, "bytes that are there are not written again"
    lake.media.path(asset_id).write_bytes(data[:-1])
    with pytest.raises(Damaged, match=asset_id):
        lake.media.read(asset_id)
    lake.media.put(data)
    assert lake.media.read(asset_id) == data and list(lake.media) == [asset_id]
    with pytest.raises(NotFound, match="is not in"):
        lake.media.read("0" * 64)
    with pytest.raises(InvalidInput, match="64 hexadecimal digits"):
        lake.media.path("../../etc/passwd")


def test_half_written_media_are_leftovers_not_media(lake):
    folder = lake.root / "media" / "ab"
    folder.mkdir()
    (folder / ".incoming-x").write_bytes(b"half")
    assert list(lake.media) == [] and [left.path for left in lake.media.leftovers()] == ["ab/.incoming-x"]


def test_the_catalog_is_in_sqlite_with_a_write_ahead_log(lake):
    lake.close()
    with sqlite3.connect(lake.root / "catalog.sqlite") as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()


def test_creating_a_lake_anew_over_tables_without_a_catalog_is_refused(lake):
    lake.table("judgements").append([JUDGEMENT])
    lake.close()
    (lake.root / "catalog.sqlite").unlink()
    with pytest.raises(NotFound, match="sonolake restore"):
        Lake.create(lake.root)


@pytest.mark.parametrize("files", [(), ("lake.toml",)], ids=["before the catalog", "before lake.toml"])
def test_a_creation_that_was_cut_short_is_finished_by_the_next(tmp_path, files):
    from sonolake.lake.root import create_root

    create_root(tmp_path / "lake")
    for name in files:
        (tmp_path / "lake" / name).rename(tmp_path / "lake" / f".{name}.part")
    with Lake.create(tmp_path / "lake") as lake:
        assert lake.table("assets").scan().num_rows == 0


def test_the_signatures_of_the_extensions_are_checked_once_a_process(monkeypatch):
    from sonolake.lake import catalog

    def unsigned():
        with catalog.connect() as con:
            return con.execute("SELECT current_setting('allow_unsigned_extensions')").fetchone()[0]

    monkeypatch.setattr(catalog, "_verified", set())
    assert [unsigned(), unsigned()] == [False, True]


@pytest.mark.parametrize(("said", "threads"), [("3", 3), ("1,2", 1), (" 2 ", 2), ("0", 1)])
def test_duckdb_computes_with_as_many_threads_as_the_environment_allows(monkeypatch, lake, said, threads):
    monkeypatch.setenv("OMP_NUM_THREADS", said)
    with Lake.open(lake.root, read_only=True) as reader:
        assert reader.rows("SELECT current_setting('threads') AS n") == [{"n": threads}]


@pytest.mark.parametrize("said", [None, "", "many", "-1"])
def test_where_the_environment_says_nothing_duckdb_takes_what_there_is(monkeypatch, said):
    from sonolake.lake import catalog

    monkeypatch.delenv("OMP_NUM_THREADS")
    if said is not None:
        monkeypatch.setenv("OMP_NUM_THREADS", said)
    with catalog.connect() as con, duckdb.connect() as plain:
        asked = "SELECT current_setting('threads')"
        assert con.execute(asked).fetchone() == plain.execute(asked).fetchone()


def contents(root):
    """Every file and folder with its time and bytes."""
    return {
        p: (p.stat().st_mtime_ns, p.read_bytes() if p.is_file() else None) for p in [root, *root.rglob("*")]
    }


def read_all(root):
    with Lake.open(root, read_only=True) as reader:
        reader.vectors.spaces()
        list(reader.media)
        return reader.table("judgements").scan().num_rows, reader.sql("FROM judgements", at=1).num_rows


def test_reading_leaves_no_trace(lake):
    lake.table("judgements").append([JUDGEMENT])
    lake.close()
    before = contents(lake.root)
    assert read_all(lake.root) == (1, 0)
    after = contents(lake.root)
    before.pop(lake.root), after.pop(lake.root)
    assert after == before


@pytest.fixture
def unwritable(lake, tmp_path):
    """Another view of the lake's folder, through which nothing can be written."""
    view = tmp_path / "view"
    view.mkdir()
    for command in (["--bind", lake.root, view], ["-o", "remount,bind,ro", view]):
        if subprocess.run(["mount", *command], capture_output=True).returncode:
            pytest.skip("mounting a folder read-only needs root")
    yield view
    subprocess.run(["umount", view], check=True)


def test_a_lake_on_read_only_storage_is_read(lake, unwritable):
    lake.table("judgements").append([JUDGEMENT])
    lake.close()
    assert not list(lake.root.glob("catalog.sqlite-*"))
    before = contents(lake.root)
    assert read_all(unwritable) == (1, 0)
    assert contents(lake.root) == before


def test_a_lake_on_read_only_storage_with_the_log_of_a_killed_writer_is_read(lake, unwritable):
    lake.table("judgements").append([JUDGEMENT])
    kept = {p: p.read_bytes() for p in lake.root.glob("catalog.sqlite*") if not p.name.endswith("-shm")}
    lake.close()
    for path, data in kept.items():
        path.write_bytes(data)
    before = contents(lake.root)
    assert read_all(unwritable) == (1, 0)
    assert contents(lake.root) == before


def test_a_reader_of_read_only_storage_keeps_what_it_opened_while_another_host_writes(lake, unwritable):
    lake.table("judgements").append([JUDGEMENT])
    with Lake.open(unwritable, read_only=True) as reader:
        lake.table("judgements").append([JUDGEMENT])
        assert reader.table("judgements").scan().num_rows == 1
        assert read_all(unwritable) == (2, 0)


def test_an_unwritable_lake_says_so_to_a_writer(lake, unwritable):
    lake.close()
    with pytest.raises(Refused, match="cannot be written to"):
        Lake.open(unwritable)


@pytest.fixture
def older(lake):
    """A lake of format 1: its commits left no copies of the catalog."""
    lake.table("judgements").append([JUDGEMENT])
    (lake.root / "tables" / "catalog-copy.sqlite").unlink()
    return rewrite(lake, "format = 2", "format = 1")


def test_an_older_lake_is_read_and_migrated_before_it_is_written_to(older):
    with pytest.raises(LakeTooOld, match=r"format 1, this sonolake writes 2.*migrate"):
        Lake.open(older)
    with pytest.raises(LakeTooOld, match="migrate"):
        Lake.create(older)
    assert read_all(older) == (1, 0)
    assert migrate(older) == (1, 2) and migrate(older) == (2, 2)
    (older / "catalog.sqlite").unlink()
    restore(older)
    with Lake.open(older) as lake:
        lake.table("judgements").append([JUDGEMENT])
        assert lake.table("judgements").scan().num_rows == 2


@pytest.mark.parametrize("emptied", [True, False])
def test_a_lake_without_its_catalog_is_not_migrated(older, emptied):
    (older / "catalog.sqlite").unlink()
    if emptied:
        (older / "catalog.sqlite").touch()
    with pytest.raises((NotFound, Damaged), match="catalog"):
        migrate(older)
    assert "format = 1" in (older / "lake.toml").read_text()
    assert not (older / "tables" / "catalog-copy.sqlite").exists()


def test_a_lake_of_an_earlier_version_is_read_as_it_is_and_gets_what_it_lacks_when_opened_for_writing(lake):
    columns, place = lake.columns(), lake.root
    with lake.transaction("as an earlier version had it") as tx:
        for one in ("TABLE encoders", "TABLE tombstones", "TABLE source_checks"):
            tx.sql(f"DROP {one}")
        tx.sql("ALTER TABLE releases DROP COLUMN queries")
    snapshot = lake.snapshot
    lake.close()
    with Lake.open(place, read_only=True) as old:
        assert in_use(old) == {} and tombstones_of(old, Target("speaker", "ann")) == []
        assert old.snapshot == snapshot
    with Lake.open(place) as new:
        assert new.columns() == columns
        assert new.snapshot == snapshot + 1
    with Lake.open(place) as again:
        assert again.snapshot == snapshot + 1, "nothing was lacking"

"""The copy of the catalog that each commit leaves, and lakes made whole from it."""

import random
import shutil
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import duckdb
import pytest

from sonolake import Lake
from sonolake.errors import Damaged, NotFound, Refused
from sonolake.lake import catalog
from sonolake.lake.gc import collect
from sonolake.lake.restoring import restore

DRIVER = Path(__file__).parent / "drivers" / "append_pairs.py"
COPY = "tables/catalog-copy.sqlite"


def append(lake, *names):
    with lake.transaction("two tables") as tx:
        tx.append("assets", [{"asset_id": name} for name in names])
        tx.append("judgements", [{"item": name} for name in names])


def kept(lake):
    """The rows of both tables, which are equal."""
    ids, items = (
        sorted(lake.sql(f"SELECT {column} AS x FROM {table}")["x"].to_pylist())
        for table, column in (("assets", "asset_id"), ("judgements", "item"))
    )
    assert ids == items
    return ids


def in_copy(root):
    """The assets that any DuckDB finds by the copy."""
    with catalog.connect() as con:
        tables = f"DATA_PATH '{root}/tables/', OVERRIDE_DATA_PATH true"
        con.execute(f"ATTACH 'ducklake:sqlite:{root / COPY}' AS lake (READ_ONLY, {tables})")
        return sorted(row[0] for row in con.execute("SELECT asset_id FROM lake.assets").fetchall())


def lose(root, ends=("", "-wal", "-shm")):
    for end in ends:
        (root / f"catalog.sqlite{end}").unlink(missing_ok=True)


def test_each_commit_leaves_a_copy_that_any_duckdb_reads(lake):
    for number in range(3):
        append(lake, f"a{number}")
        assert in_copy(lake.root) == [f"a{n}" for n in range(number + 1)]
    assert {p.name for p in (lake.root / "tables").iterdir()} == {"main", "catalog-copy.sqlite"}


def test_a_commit_beside_a_reader_leaves_a_whole_copy(lake):
    """A reader keeps SQLite from moving the log into the catalog: the copy holds what only the log has."""
    append(lake, "a")
    script = (
        "import sqlite3, sys; con = sqlite3.connect(sys.argv[1]); con.execute('BEGIN')\n"
        "print(con.execute('SELECT count(*) FROM ducklake_snapshot').fetchone(), flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", script, lake.root / "catalog.sqlite"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as reader:
        reader.stdout.readline()
        append(lake, "b")
        assert (lake.root / "catalog.sqlite-wal").stat().st_size
        assert in_copy(lake.root) == ["a", "b"]
        reader.stdin.close()


@pytest.mark.parametrize("whole", [True, False], ids=["gone", "emptied"])
def test_a_lake_whose_catalog_is_gone_comes_back(lake, whole):
    append(lake, "a", "b")
    snapshots = lake.snapshots()
    lake.close()
    lose(lake.root)
    if not whole:
        (lake.root / "catalog.sqlite").touch()
    with pytest.raises((NotFound, Damaged), match="sonolake restore"):
        Lake.open(lake.root)
    restored = restore(lake.root)
    assert (
        restored.snapshot == snapshots["snapshot_id"][-1].as_py()
        and restored.lost_files == restored.aside == ()
    )
    with Lake.open(lake.root) as again:
        assert kept(again) == ["a", "b"] and again.snapshots() == snapshots
        append(again, "c")
        assert kept(again) == in_copy(again.root) == ["a", "b", "c"]


def test_a_catalog_with_damaged_pages_comes_back_and_is_kept_aside(lake):
    append(lake, "a")
    lake.close()
    file = lake.root / "catalog.sqlite"
    damaged = file.read_bytes()[:8192] + bytes(len(file.read_bytes()) - 8192)
    file.write_bytes(damaged)
    (lake.root / "catalog.sqlite-wal").write_bytes(b"another file's log")
    restored = restore(lake.root)
    assert restored.aside == ("catalog.sqlite.lost-1",)
    assert (lake.root / "catalog.sqlite.lost-1").read_bytes() == damaged
    with Lake.open(lake.root) as again:
        assert kept(again) == ["a"]


def test_an_older_catalog_that_was_put_back_is_replaced_by_the_newer_copy(lake):
    append(lake, "a")
    lake.close()
    shutil.copy(lake.root / "catalog.sqlite", lake.root / "backup")
    with Lake.open(lake.root) as later:
        append(later, "b")
    shutil.move(lake.root / "backup", lake.root / "catalog.sqlite")
    assert restore(lake.root).aside == ("catalog.sqlite.lost-1",)
    with Lake.open(lake.root) as again:
        assert kept(again) == ["a", "b"]


def test_a_catalog_in_order_is_left_alone(lake):
    append(lake, "a")
    before = (lake.root / "catalog.sqlite").read_bytes()
    with pytest.raises(Refused, match="nothing to restore"):
        restore(lake.root)
    assert (lake.root / "catalog.sqlite").read_bytes() == before


def test_a_copy_that_is_missing_or_damaged_replaces_nothing(lake):
    append(lake, "a")
    lake.close()
    lose(lake.root)
    copy = lake.root / COPY
    copy.write_bytes(copy.read_bytes()[:8192])
    with pytest.raises(Damaged, match="catalog-copy"):
        restore(lake.root)
    copy.unlink()
    with pytest.raises(NotFound, match="nothing to restore it from"):
        restore(lake.root)
    assert not (lake.root / "catalog.sqlite").exists()


def test_files_that_are_lost_as_well_are_named(lake):
    append(lake, "a")
    lake.close()
    lose(lake.root)
    (file,) = (lake.root / "tables" / "main" / "assets").glob("*.parquet")
    file.unlink()
    assert restore(lake.root).lost_files == (file.relative_to(lake.root).as_posix(),)


def test_the_copy_is_no_garbage(lake):
    append(lake, "a")
    assert not collect(lake, 0.0, delete=True).table_files and in_copy(lake.root) == ["a"]


def lose_schema(address, schema):
    """Drop the catalog from PostgreSQL, again when a writer was in the way.

    A writer reads by several connections in one transaction. One that waits behind the drop, which waits for another of
    the same writer, is a deadlock that PostgreSQL cannot see: the drop gives up its place.
    """
    there = f"SELECT 1 AS one FROM pg_namespace WHERE nspname = '{schema}'"
    drop = f"SET LOCAL lock_timeout = '200ms'; DROP SCHEMA {schema} CASCADE"
    with catalog.connect("postgres_scanner") as con:
        con.execute(f"ATTACH '{address}' AS pg (TYPE postgres)")
        while con.execute(f"FROM postgres_query('pg', {catalog.quoted(there)})").fetchall():
            with suppress(duckdb.Error):
                con.execute(f"CALL postgres_execute('pg', {catalog.quoted(drop)})")


def lose_under_a_writer(place, name, rng, loss):
    """Take the catalog away from a writer at a random moment; returns how many commits were acknowledged."""
    command = [sys.executable, DRIVER, place, name, "10000"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as writer:
        lines = [writer.stdout.readline() for _ in range(1 + rng.randrange(3))]
        time.sleep(rng.uniform(0, 0.3))
        loss()
        said, error = writer.communicate(timeout=120)
    assert writer.returncode, f"a writer without a catalog ends: {error}"
    return len(lines) - 1 + len(said.splitlines())


def lose_often(place, losses, rng, loss):
    """After each loss of the catalog under a writer the lake comes back with all that was acknowledged, ever."""
    everything = []
    for number in range(losses):
        name = f"w{number}"
        acknowledged = lose_under_a_writer(place, name, rng, loss)
        assert restore(place).lost_files == ()
        with Lake.open(place) as again:
            rows = kept(again)
        mine = {int(row.removeprefix(f"{name}-")) for row in rows if row.startswith(f"{name}-")}
        assert mine == set(range(len(mine))) and len(mine) >= acknowledged
        assert [row for row in rows if not row.startswith(f"{name}-")] == sorted(everything)
        everything = rows


@pytest.mark.parametrize(
    "losses", [3, pytest.param(20, marks=pytest.mark.soak)], ids=["three losses", "twenty losses"]
)
def test_no_acknowledged_commit_is_lost_with_the_catalog(lake, losses):
    rng = random.Random(f"losses {losses}")
    lake.close()
    files = [("", "-wal", "-shm"), ("",), ("-wal", "")]
    lose_often(lake.root, losses, rng, lambda: lose(lake.root, rng.choice(files)))


@pytest.mark.parametrize(
    "losses", [1, pytest.param(20, marks=pytest.mark.soak)], ids=["one loss", "twenty losses"]
)
def test_no_acknowledged_commit_is_lost_with_the_schema_in_postgres(team_place, postgres, losses):
    with Lake.create(team_place) as lake:
        schema = catalog.schema_of(lake.lake_id)
    lose_often(team_place, losses, random.Random(losses), lambda: lose_schema(postgres, schema))

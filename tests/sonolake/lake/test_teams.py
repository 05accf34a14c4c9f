"""Lakes of a team: files in S3, the catalog in PostgreSQL or a file elsewhere, readers with nothing but the bucket."""

import random
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import boto3
import pyarrow as pa
import pytest

from sonolake import Lake
from sonolake.errors import Damaged, InvalidInput, LakeBusy, NotFound, Refused, Unreachable
from sonolake.lake import catalog
from sonolake.lake.doctor import examine
from sonolake.lake.gc import collect
from sonolake.lake.postgres_catalog import without_password
from sonolake.lake.restoring import restore
from sonolake.lake.root import create_root, is_lake
from sonolake.lake.s3_storage import S3Storage

DRIVER = Path(__file__).parent / "drivers" / "append_pairs.py"
A, B = "a" * 64, "b" * 64


@pytest.fixture
def lake(team_place):
    with Lake.create(team_place) as made:
        yield made


def titles(lake, at=None):
    return lake.sql("SELECT title FROM assets ORDER BY title", at=at)["title"].to_pylist()


def keys(lake):
    """Every object of the lake."""
    return {entry.path for entry in lake.storage.entries()}


def vectors(*ids):
    values = pa.FixedSizeListArray.from_arrays(pa.array([1.0, 0.0] * len(ids), pa.float32()), 2)
    same = {name: ["x"] * len(ids) for name in ("model", "weights_sha256", "kind")}
    return pa.table({"vector_id": ids, "asset_id": ids, **same, "vector": values})


def test_commits_snapshots_media_and_vectors(lake, team_place):
    lake.table("assets").append([{"asset_id": A, "title": "old"}])
    first = lake.snapshot
    with lake.transaction("two tables", author="ann", run_id="run-1") as tx:
        tx.merge("assets", [{"asset_id": A, "title": "new"}])
        tx.append("judgements", [{"item": A}])
    assert titles(lake) == ["new"] and titles(lake, first) == ["old"]
    assert lake.snapshots().to_pylist()[-1]["author"] == "ann"
    with pytest.raises(InvalidInput, match=A):
        lake.table("assets").append([{"asset_id": A}])
    with pytest.raises(NotFound, match="no snapshot 99"):
        titles(lake, 99)
    asset_id = lake.media.put(b"sound")
    with lake.writing():
        lake.vectors.write("text", vectors(A))
    with Lake.open(team_place) as again:
        assert again.media.read(asset_id) == b"sound" and list(again.media) == [asset_id]
        assert again.vectors.search("text", [1.0, 0.0], 1)["asset_id"].to_pylist() == [A]
    tops = {key.partition("/")[0] for key in keys(lake)}
    assert tops == {"lake.toml", "catalog.sqlite", "tables", "media", "vectors"}


def test_a_reader_with_nothing_but_the_bucket_reads_the_copy(lake, team_place, monkeypatch):
    lake.table("assets").append([{"asset_id": A, "title": "Dog"}])
    first = lake.snapshot
    lake.table("assets").append([{"asset_id": B, "title": "Cat"}])
    monkeypatch.delenv("SONOLAKE_CATALOG")
    before = keys(lake)
    with Lake.open(team_place, read_only=True) as reader:
        assert titles(reader) == ["Cat", "Dog"] and titles(reader, first) == ["Dog"]
        with pytest.raises(InvalidInput, match="read-only"):
            reader.table("assets").append([{"asset_id": "c" * 64}])
        lake.table("assets").append([{"asset_id": "c" * 64, "title": "later"}])
        assert titles(reader) == ["Cat", "Dog"], "it shows the lake as it was when it was opened"
    assert {key for key in keys(lake) - before if not key.startswith("tables/")} == set()


def test_a_folder_copied_to_a_bucket_answers_the_same_and_can_be_written_to(
    bucket, postgres, tmp_path, monkeypatch
):
    with Lake.create(tmp_path / "lake") as lake:
        lake.table("assets").append([{"asset_id": A, "title": "Dog"}])
        first = lake.snapshot
        lake.table("assets").merge([{"asset_id": A, "title": "Hound"}])
        with lake.writing():
            lake.vectors.write("text", vectors(A))
    client, name = boto3.session.Session().client("s3"), bucket.removeprefix("s3://")
    for path in (tmp_path / "lake").rglob("*"):
        if path.is_file():
            client.upload_file(str(path), name, f"copied/{path.relative_to(tmp_path / 'lake').as_posix()}")
    with Lake.open(f"{bucket}/copied", read_only=True) as copied:
        assert titles(copied) == ["Hound"] and titles(copied, first) == ["Dog"]
        assert copied.vectors.search("text", [1.0, 0.0], 1)["asset_id"].to_pylist() == [A]
    with pytest.raises(NotFound, match="set SONOLAKE_CATALOG"):
        Lake.open(f"{bucket}/copied")
    monkeypatch.setenv("SONOLAKE_CATALOG", postgres)
    restore(f"{bucket}/copied")
    with Lake.open(f"{bucket}/copied") as copied:
        copied.table("assets").append([{"asset_id": B, "title": "Cat"}])
    monkeypatch.delenv("SONOLAKE_CATALOG")
    with Lake.open(f"{bucket}/copied", read_only=True) as copied:
        assert titles(copied) == ["Cat", "Hound"] and titles(copied, first) == ["Dog"]


def test_a_lake_in_s3_with_a_catalog_on_this_machine(bucket, tmp_path, monkeypatch):
    with pytest.raises(InvalidInput, match="SONOLAKE_CATALOG"):
        Lake.create(f"{bucket}/lake")
    monkeypatch.setenv("SONOLAKE_CATALOG", str(tmp_path / "live.sqlite"))
    with Lake.create(f"{bucket}/lake") as lake:
        lake.table("assets").append([{"asset_id": A, "title": "Dog"}])
    for make in (
        lambda: Lake.create(f"{bucket}/other"),
        lambda: Lake.open(f"{bucket}/other", read_only=True),
    ):
        with pytest.raises(Refused, match=f"is the catalog of the lake {lake.lake_id}"):
            make()
    (tmp_path / "live.sqlite").unlink()
    with pytest.raises(NotFound, match="restore"):
        Lake.open(f"{bucket}/lake")
    restore(f"{bucket}/lake")
    with Lake.open(f"{bucket}/lake") as lake:
        assert titles(lake) == ["Dog"]


def test_a_folder_with_its_catalog_in_postgres(postgres, tmp_path, monkeypatch):
    monkeypatch.setenv("SONOLAKE_CATALOG", postgres)
    with Lake.create(tmp_path / "lake") as lake:
        lake.table("assets").append([{"asset_id": A, "title": "Dog"}])
    monkeypatch.delenv("SONOLAKE_CATALOG")
    (tmp_path / "lake").rename(tmp_path / "moved")
    with Lake.open(tmp_path / "moved") as lake, Lake.open(tmp_path / "moved", read_only=True) as reader:
        lake.table("assets").append([{"asset_id": B, "title": "Cat"}])
        assert titles(reader) == ["Cat", "Dog"]
    with catalog.connect() as con:
        copy, tables = tmp_path / "moved" / "catalog.sqlite", tmp_path / "moved" / "tables"
        con.execute(
            f"ATTACH 'ducklake:sqlite:{copy}' AS lake (READ_ONLY, DATA_PATH '{tables}/', OVERRIDE_DATA_PATH)"
        )
        assert con.execute("SELECT count(*) FROM lake.assets").fetchone() == (2,)


def test_the_lines_that_a_lake_prints_attach_it(postgres, tmp_path, monkeypatch):
    monkeypatch.setenv("SONOLAKE_CATALOG", postgres)
    with Lake.create(tmp_path / "lake") as lake:
        lake.table("assets").append([{"asset_id": A, "title": "Dog"}])
        install, attach = lake.plain_lines()
    assert install == "INSTALL ducklake; INSTALL postgres;"
    with catalog.connect("postgres_scanner") as con:
        con.execute(attach)
        assert con.execute("SELECT title FROM lake.assets").fetchall() == [("Dog",)]


def test_two_lakes_share_a_database_and_nothing_else(bucket, postgres, monkeypatch):
    monkeypatch.setenv("SONOLAKE_CATALOG", postgres)
    with Lake.create(f"{bucket}/one") as one, Lake.create(f"{bucket}/two") as two:
        one.table("assets").append([{"asset_id": A, "title": "one"}])
        two.table("assets").append([{"asset_id": A, "title": "two"}])
        assert (titles(one), titles(two)) == (["one"], ["two"])
        with one.transaction("long") as tx:
            two.table("assets").append([{"asset_id": B, "title": "not kept waiting"}])
            tx.append("assets", [{"asset_id": B}])


def test_another_writer_is_waited_for_and_in_the_end_named(lake, team_place):
    with Lake.open(team_place) as other:
        other._catalog.lock.timeout = 0.3
        with lake.transaction("long") as tx:
            with pytest.raises(LakeBusy, match=r"another writer has held the lock lake_\w+ for over 0\.3 s"):
                other.table("assets").append([{"asset_id": A}])
            tx.append("assets", [{"asset_id": B, "title": "first"}])
        with lake.writing(), pytest.raises(LakeBusy), other.writing():
            pass
        other.table("assets").append([{"asset_id": A, "title": "second"}])
    assert titles(lake) == ["first", "second"]
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda n: lake.table("judgements").append([{"item": str(n)}]), range(3)))
    assert lake.table("judgements").scan().num_rows == 3


def test_a_writer_that_lost_its_lock_commits_nothing(lake, postgres):
    with catalog.connect("postgres_scanner") as con:
        con.execute(f"ATTACH '{postgres}' AS pg (TYPE postgres)")
        with pytest.raises(LakeBusy, match="was lost"), lake.transaction("cut off") as tx:
            tx.append("assets", [{"asset_id": A}])
            ended = "SELECT pg_terminate_backend(pid)::text FROM pg_locks WHERE locktype = ''advisory''"
            con.execute(f"FROM postgres_query('pg', '{ended}')").fetchall()
    assert titles(lake) == []
    lake.table("assets").append([{"asset_id": A, "title": "Dog"}])
    assert titles(lake) == ["Dog"]


def lose_catalog(lake, postgres, keep=False):
    with catalog.connect("postgres_scanner") as con:
        con.execute(f"ATTACH '{postgres}' AS pg (TYPE postgres)")
        schema = lake._catalog.schema
        sql = f"DELETE FROM {schema}.ducklake_snapshot" if keep else f"DROP SCHEMA {schema} CASCADE"
        con.execute(f"CALL postgres_execute('pg', '{sql}')")


@pytest.mark.parametrize(
    "keep", [pytest.param(False, marks=pytest.mark.soak), True], ids=["dropped", "emptied"]
)
def test_a_catalog_that_is_gone_from_postgres_comes_back(lake, team_place, postgres, keep):
    lake.table("assets").append([{"asset_id": A, "title": "Dog"}])
    first = lake.snapshot
    lake.table("assets").append([{"asset_id": B, "title": "Cat"}])
    with pytest.raises(Refused, match="nothing to restore"):
        restore(team_place)
    lose_catalog(lake, postgres, keep)
    lake.close()
    with pytest.raises(Damaged):
        Lake.open(team_place)
    restored = restore(team_place)
    assert restored.lost_files == () and bool(restored.aside) == keep
    with Lake.open(team_place) as again:
        assert titles(again) == ["Cat", "Dog"] and titles(again, first) == ["Dog"]
        again.table("assets").append([{"asset_id": "c" * 64, "title": "Eel"}])
        assert titles(again) == ["Cat", "Dog", "Eel"]


def writer(place, name, count, cwd):
    """A writer of its own folder, as on a host of its own."""
    command = [sys.executable, DRIVER, place, name, str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=cwd)


def test_writers_that_share_no_disk_lose_nothing(lake, team_place, tmp_path):
    names = ["ann", "ben"]
    folders = [tmp_path / name for name in names]
    for folder in folders:
        folder.mkdir()
    processes = [writer(team_place, name, 6, folder) for name, folder in zip(names, folders, strict=True)]
    seen = [0]
    while any(process.poll() is None for process in processes):
        (row,) = lake.rows(
            "SELECT (SELECT count(*) FROM assets) AS a, (SELECT count(*) FROM judgements) AS j"
        )
        assert row["a"] == row["j"] >= seen[-1]
        seen.append(row["a"])
        time.sleep(0.1)
    for process in processes:
        process.communicate()
        assert process.returncode == 0
    rows = lake.sql("SELECT asset_id FROM assets ORDER BY asset_id")["asset_id"].to_pylist()
    assert rows == sorted(f"{name}-{n}" for name in names for n in range(6))
    assert all(not list(folder.iterdir()) for folder in folders), "no lock file is left anywhere"


@pytest.mark.parametrize(
    "kills", [2, pytest.param(20, marks=pytest.mark.soak)], ids=["two kills", "twenty kills"]
)
def test_killed_writers_leave_what_was_acknowledged_and_no_lock(lake, team_place, tmp_path, kills):
    rng = random.Random(f"team {kills}")
    lake._catalog.lock.timeout = 30
    for kill in range(kills):
        name = f"w{kill}"
        process = writer(team_place, name, 10_000, tmp_path)
        lines = [process.stdout.readline() for _ in range(2)]
        time.sleep(rng.uniform(0, 0.8))
        process.kill()
        lines += process.communicate()[0].splitlines()
        ids, items = (
            sorted(r["x"] for r in lake.rows(f"SELECT {column} AS x FROM {table}"))
            for table, column in (("assets", "asset_id"), ("judgements", "item"))
        )
        assert ids == items
        mine = {int(row.removeprefix(f"{name}-")) for row in ids if row.startswith(f"{name}-")}
        assert mine == set(range(len(mine))) and len(mine) - (len(lines) - 1) in (0, 1)
        lake.table("quarantine").append([{"item": name, "step": "s", "asset_id": "", "attempt": ""}])


def test_garbage_in_a_bucket(lake):
    kept, orphan = lake.media.put(b"kept"), lake.media.put(b"nobody's")
    lake.table("assets").append([{"asset_id": kept}])
    with lake.writing():
        lake.vectors.write("text", vectors(kept, "nobody"))
    stray = "tables/main/assets/ducklake-of-a-killed-writer.parquet"
    lake.storage.write(stray, b"half")
    begun = "releases/demo/0.1.0/data/notes/train-00000-of-00001.parquet"
    for path in (begun, "releases/demo/0.2.0/_COMPLETE", "releases/demo/0.3.0/README.md"):
        lake.storage.write(path, b"a release")
    lake.table("releases").append([{"name": "demo", "version": "0.3.0", "state": "published"}])
    assert not collect(lake, delete=True).anything, "all of it is young"
    found = collect(lake, 0.0)
    assert found.leftovers == (begun,), "neither whole nor on record"
    assert found.media == (orphan,) and found.vectors == {"text": 1} and found.table_files == (stray,)
    assert stray in keys(lake) and orphan in lake.media
    assert collect(lake, 0.0, delete=True) == found
    assert not {stray, begun} & keys(lake) and "releases/demo/0.3.0/README.md" in keys(lake)
    assert list(lake.media) == [kept] and lake.vectors.ids("text") == {kept}
    assert titles(lake) == [None]


def test_the_doctor_examines_a_bucket(lake, team_place, monkeypatch):
    asset_id = lake.media.put(b"a sound")
    lake.table("assets").append([{"asset_id": asset_id}])
    found = {check.check: check for check in examine(team_place)}
    needed = ("lake", "catalog", "clock", "tables", "media", "vectors", "storage")
    assert {name: found[name].verdict for name in needed} == dict.fromkeys(needed, "ok")
    assert "disk" not in found
    lake.storage.write(f"media/{asset_id[:2]}/{asset_id}", b"another")
    write = S3Storage.write
    monkeypatch.setattr(
        S3Storage, "write", lambda self, path, data, new=False: write(self, path, data) or True
    )
    found = {check.check: check for check in examine(team_place)}
    assert found["media"].verdict == found["storage"].verdict == "fails"
    assert "If-None-Match" in found["storage"].detail, (
        "a server that lets a second writer overwrite is found out"
    )


def test_a_catalog_that_does_not_answer_leaves_no_lake_and_its_password_in_no_message(
    bucket, tmp_path, monkeypatch
):
    monkeypatch.setenv("SONOLAKE_CATALOG", "postgresql://ann:s3cr%25t@127.0.0.1:1/lakes?password=s3cr%25t")
    root = create_root(f"{bucket}/made", "postgresql://ann@127.0.0.1:1/lakes")
    for work in (
        lambda: Lake.create(f"{bucket}/lake"),
        lambda: Lake.create(tmp_path / "lake"),
        lambda: Lake.open(root.place, read_only=True),
        lambda: Lake.open(root.place),
        lambda: restore(root.place),
    ):
        with pytest.raises((Unreachable, NotFound)) as raised:
            work()
        assert "s3cr" not in str(raised.value) and "%25t" not in str(raised.value)
    assert not is_lake(f"{bucket}/lake") and not (tmp_path / "lake").exists()


def test_a_catalog_of_another_kind_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("SONOLAKE_CATALOG", "mysql://ann:s3cret@db/lakes")
    with pytest.raises(InvalidInput, match=r"postgresql://… or a file.*received 'mysql://…'"):
        Lake.create(tmp_path / "lake")
    assert not (tmp_path / "lake").exists()


def test_lake_toml_keeps_no_password():
    told = "postgresql://ann:s3cr%25t@db.example.org:5433/lakes?sslmode=require&password=s3cr%25t"
    assert without_password(told) == "postgresql://ann@db.example.org:5433/lakes?sslmode=require"
    assert without_password("postgres://db/lakes") == "postgres://db/lakes"


def test_places_that_are_none(bucket, monkeypatch, tmp_path):
    monkeypatch.setenv("SONOLAKE_CATALOG", str(tmp_path / "live.sqlite"))
    for wrong in ("s3://", "s3://UPPER/x", f"{bucket}/../x", f"{bucket}/a//x"):
        with pytest.raises(InvalidInput, match="s3://bucket/prefix"):
            Lake.open(wrong)
    with pytest.raises(NotFound, match="sonolake init"):
        Lake.open(f"{bucket}/nothing")
    with pytest.raises(NotFound, match="NoSuchBucket"):
        Lake.create("s3://no-such-bucket-anywhere/lake")
    boto3.session.Session().client("s3").put_object(Bucket=bucket[5:], Key="mine/thesis.txt", Body=b"mine")
    with pytest.raises(Refused, match="neither empty nor a lake"):
        Lake.create(f"{bucket}/mine")
    assert not is_lake(f"{bucket}/mine") and not is_lake(Path(f"{bucket}/mine"))


def test_a_lake_made_by_two_at_once_is_one(bucket, postgres, monkeypatch):
    monkeypatch.setenv("SONOLAKE_CATALOG", postgres)
    roots = [create_root(f"{bucket}/lake", "postgresql://x/y") for _ in range(2)]
    assert roots[0].lake_id == roots[1].lake_id


def test_no_credentials_say_where_they_are_looked_for(bucket, monkeypatch):
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    with pytest.raises(Refused, match=r"~/\.aws"):
        Lake.open(f"{bucket}/lake")

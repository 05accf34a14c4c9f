"""Two lakes built apart give one release, and a lake that is moved, or copied into a bucket, answers as before."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from flows import demonstration
from sonolake import Lake
from sonolake.errors import NotFound
from sonolake.releases import verify
from sonolake.releases.finding import find_release
from sonolake.search import search

QUERIES = (
    "SELECT kind, count(*) AS n, sum(frames) AS frames FROM assets GROUP BY kind ORDER BY kind",
    "SELECT * FROM scenes ORDER BY scene_id",
    "SELECT * FROM clip_events ORDER BY clip_id, number",
    "SELECT * FROM candidates ORDER BY tag, rank",
    "SELECT name, version, manifest_sha256, state FROM releases",
)


def manifest(lake):
    return (lake / "releases" / "tiny" / "0.1.0" / "_COMPLETE").read_text()


def test_flows_and_plain_functions_give_the_same_release(flowed, plain_lake):
    """One lake by the flows in this process; the other by a process of its own: other batches, order and workers."""
    assert manifest(flowed.folder) == manifest(plain_lake)
    for path in (plain_lake / "releases" / "tiny" / "0.1.0").rglob("*"):
        if path.is_file():
            other = flowed.folder / path.relative_to(plain_lake)
            assert other.read_bytes() == path.read_bytes(), path.name


def test_flows_and_plain_functions_give_the_same_rows(flowed, plain_lake):
    tables = (
        "assets",
        "partitions",
        "splits",
        "scenarios",
        "scenes",
        "scene_events",
        "clips",
        "questions",
        "candidates",
    )
    with Lake.open(flowed.folder, read_only=True) as one, Lake.open(plain_lake, read_only=True) as other:
        for table in tables:
            query = (
                f"SELECT * EXCLUDE (batch) FROM {table} ORDER BY ALL"
                if table in ("splits", "partitions")
                else (f"SELECT * FROM {table} ORDER BY ALL")
            )
            assert one.sql(query) == other.sql(query), table


def answers(place):
    """What a lake answers: SQL, a search by words, a search by a sound, and what verification finds."""
    with Lake.open(place) as lake:
        (sound,) = lake.rows("SELECT asset_id FROM assets WHERE source_id = 'procedural:phone_ring:1'")
        return {
            "sql": [lake.sql(query) for query in QUERIES],
            "words": search(lake, "a telephone rings", k=5),
            "sound": search(lake, like=lake.media.read(sound["asset_id"]), where="kind = 'take'", k=5),
            "at": lake.sql("SELECT count(*) AS n FROM assets", at=lake.snapshot),
            "problems": find_release("tiny@0.1.0", lambda: place).verify(),
        }


@pytest.fixture
def moved(own_lake, tmp_path):
    """A lake's answers, and where it is after it was moved into a folder with blanks."""
    before = answers(own_lake)
    target = tmp_path / "another place" / "a lake"
    target.parent.mkdir()
    shutil.move(own_lake, target)
    return before, target


def test_a_moved_lake_gives_the_same_answers(moved):
    before, target = moved
    assert before["problems"] == []
    assert answers(target) == before


def test_a_moved_lake_goes_on(moved):
    _, target = moved
    with Lake.open(target) as lake:
        lake.table("judgements").append([{"item": "x", "question": "?", "answer": "y", "rater": "r"}])
        assert len(lake.rows("SELECT * FROM judgements")) == 1
    assert not list(target.parent.parent.glob("own-lake*"))


def test_nothing_in_a_lake_or_a_release_knows_where_it_is(plain_lake):
    here = str(plain_lake.parent).encode()
    for path in (plain_lake / "releases").rglob("*"):
        if path.is_file():
            assert here not in path.read_bytes(), path
    assert here not in (plain_lake / "lake.toml").read_bytes()


def test_a_lake_copied_into_a_bucket_gives_the_same_answers(plain_lake, copied_lake):
    with Lake.open(plain_lake, read_only=True) as here, Lake.open(copied_lake, read_only=True) as there:
        for query in QUERIES:
            assert there.sql(query) == here.sql(query), query
        pinned = here.rows("SELECT snapshot FROM releases")[0]["snapshot"]
        for query in QUERIES[:-1]:
            assert there.sql(query, at=pinned) == here.sql(query, at=pinned), query
        assert search(there, "a telephone rings", k=5) == search(here, "a telephone rings", k=5)
    program = Path(sys.executable).with_name("sonolake")
    command = [program, "--lake", copied_lake, "verify", "tiny@0.1.0"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "every byte as published" in done.stdout, done.stderr


def test_the_demonstration_checks_and_pulls_a_release_in_a_bucket(copied_lake, tmp_path, monkeypatch):
    monkeypatch.setattr(demonstration, "NAME", "tiny")
    demonstration._check(copied_lake, str(tmp_path / "pulled"))
    assert verify(tmp_path / "pulled") == []


def move(place, target):
    """Move a lake to another prefix of its bucket."""
    import boto3

    bucket = boto3.session.Session().resource("s3").Bucket(place.split("/")[2])
    old, new = (one.split("/", 3)[3] for one in (place, target))
    for one in list(bucket.objects.filter(Prefix=f"{old}/")):
        bucket.Object(one.key.replace(old, new, 1)).copy({"Bucket": bucket.name, "Key": one.key})
        one.delete()


@pytest.mark.soak
def test_a_lake_of_a_team_that_is_moved_in_its_bucket_gives_the_same_answers_and_goes_on(
    plain_lake, team_lake, bucket, monkeypatch
):
    before, target = answers(plain_lake), f"{bucket}/another/place"
    assert before["problems"] == []
    move(team_lake, target)
    assert answers(target) == before
    with Lake.open(target) as lake:
        lake.table("judgements").append([{"item": "x", "question": "?", "answer": "y", "rater": "r"}])
    monkeypatch.delenv("SONOLAKE_CATALOG")
    with Lake.open(target, read_only=True) as copy:
        assert len(copy.rows("FROM judgements")) == 1
    with pytest.raises(NotFound, match="no lake at"):
        Lake.open(team_lake, read_only=True)


@pytest.mark.soak
def test_two_hosts_build_one_lake_of_a_team_with_the_same_release(
    reduced_sources, plain_lake, team_place, tmp_path
):
    driver = Path(__file__).parent / "drivers" / "build_lake.py"
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    hosts = []
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        command = [sys.executable, driver, reduced_sources, team_place]
        hosts.append(
            subprocess.Popen(
                command,
                cwd=tmp_path / name,
                env=env,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
        )
    for host in hosts:
        said, _ = host.communicate(timeout=1800)
        assert host.returncode == 0, said
    with Lake.open(team_place, read_only=True) as lake, Lake.open(plain_lake, read_only=True) as plain:
        query = "SELECT name, version, manifest_sha256, state FROM releases"
        assert lake.sql(query) == plain.sql(query)
        for table in ("assets", "scenes", "clips", "questions", "candidates"):
            assert lake.sql(f"FROM {table} ORDER BY ALL") == plain.sql(f"FROM {table} ORDER BY ALL"), table
        sums = lake.rows(
            "SELECT sum(taken) AS t, sum(done + already + quarantined + duplicates) AS s FROM step_counts"
        )
        assert sums[0]["t"] == sums[0]["s"]
    assert not [path for path in tmp_path.rglob("*") if path.is_file()], "no lock file is left"

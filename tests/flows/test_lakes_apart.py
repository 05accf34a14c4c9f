"""Two lakes built apart give one release, and a lake that is moved answers as before."""

import shutil

import pytest

import sonolake.releases as releases
from sonolake import Lake
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


def answers(folder):
    """What a lake answers: SQL, a search by words, a search by a sound, and what verification finds."""
    with Lake.open(folder) as lake:
        (sound,) = lake.rows("SELECT asset_id FROM assets WHERE source_id = 'procedural:phone_ring:1'")
        return {
            "sql": [lake.sql(query) for query in QUERIES],
            "words": search(lake, "a telephone rings", k=5),
            "sound": search(lake, like=lake.media.read(sound["asset_id"]), where="kind = 'take'", k=5),
            "at": lake.sql("SELECT count(*) AS n FROM assets", at=lake.snapshot),
            "problems": releases.verify(folder / "releases" / "tiny" / "0.1.0"),
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

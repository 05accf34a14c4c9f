"""A whole lake copied to S3 as it is answers as the folder does: SQL, snapshots, search, sounds, releases."""

import boto3
import pytest

from sonolake import Lake
from sonolake.releases import prove, verify
from sonolake.releases.finding import find_release
from sonolake.search import search

RELEASE = "tiny@0.1.0"


@pytest.fixture
def copied(plain_lake, bucket):
    """The address of the copy."""
    client = boto3.session.Session().client("s3")
    for path in plain_lake.rglob("*"):
        if path.is_file():
            key = f"team/lake/{path.relative_to(plain_lake).as_posix()}"
            client.upload_file(str(path), bucket.removeprefix("s3://"), key)
    client.close()
    return f"{bucket}/team/lake"


def answers(lake):
    """Every row of every table, now and half-way; what searches find; what the lake has on record."""
    names = [row["table_name"] for row in lake.rows("SELECT table_name FROM duckdb_tables()")]
    query = 'SELECT * FROM "{}" ORDER BY ALL'
    said = {name: lake.sql(query.format(name)).to_pylist() for name in names}
    said["assets, earlier"] = lake.sql(query.format("assets"), at=lake.snapshot // 2).to_pylist()
    said["snapshots"] = lake.snapshots().to_pylist()
    said["spaces"] = [(space, lake.vectors.count(space)) for space in lake.vectors.spaces()]
    take = lake.rows("SELECT asset_id FROM assets WHERE kind = 'take' ORDER BY asset_id LIMIT 1")[0][
        "asset_id"
    ]
    said["sound"] = lake.media.read(take)
    for name, asked in {
        "words": {"text": "a dog barking"},
        "both": {"text": "laughing", "like": lake.media.read(take), "where": "duration_s < 30", "k": 5},
    }.items():
        found = search(lake, **asked)
        said[name] = (found.to_pylist(), found.schema.metadata)
    return said


def test_a_lake_copied_to_s3_answers_the_same_sql_search_and_verify(plain_lake, copied):
    with Lake.open(plain_lake, read_only=True) as here, Lake.open(copied, read_only=True) as there:
        wanted, got = answers(here), answers(there)
    assert wanted["words"][0] and wanted["both"][0] and wanted["spaces"] and len(wanted["assets"]) > 20
    for name in wanted:
        assert got[name] == wanted[name], name
    found = find_release(RELEASE, lambda: copied)
    assert found.verify() == verify(plain_lake / "releases" / "tiny" / "0.1.0") == []
    results = {r.proof.id: (r.outcome, r.rows) for r in found.prove()}
    folder = prove(plain_lake / "releases" / "tiny" / "0.1.0")
    assert results == {r.proof.id: (r.outcome, r.rows) for r in folder}
    assert {outcome for outcome, _ in results.values()} == {"holds"}

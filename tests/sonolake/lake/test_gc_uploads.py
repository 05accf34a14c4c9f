"""Uploads to S3 that killed writers began and never finished are found by their age, and given up."""

import boto3
import pytest
from botocore.exceptions import ClientError
from typer.testing import CliRunner

from sonolake import Lake
from sonolake.cli.app import app
from sonolake.lake.gc import collect

MIB = 1024 * 1024
SHARD = "releases/demo/0.1.0/data/notes/train-00000-of-00001.parquet"


@pytest.fixture
def client(bucket):
    made = boto3.client("s3")
    yield made
    made.close()


@pytest.fixture
def lake(bucket, monkeypatch, tmp_path):
    monkeypatch.setenv("SONOLAKE_CATALOG", str(tmp_path / "catalog.sqlite"))
    with Lake.create(f"{bucket}/team/lake") as made:
        yield made


@pytest.fixture
def begin(client, bucket):
    """Begins an upload and leaves it after some parts, as a process does that is killed."""
    name = bucket.removeprefix("s3://")

    def put(key, parts=1):
        upload = client.create_multipart_upload(Bucket=name, Key=key)["UploadId"]
        for number in range(1, parts + 1):
            client.upload_part(
                Bucket=name, Key=key, UploadId=upload, PartNumber=number, Body=b"x" * (5 * MIB)
            )
        return upload

    return put


def going_on(client, bucket):
    found = client.list_multipart_uploads(Bucket=bucket.removeprefix("s3://"))
    return {one["Key"] for one in found.get("Uploads", ())}


def test_what_a_killed_upload_left_goes_when_it_is_old(lake, bucket, client, begin):
    begin(f"team/lake/{SHARD}", parts=2)
    for other in ("team/lake-of-others/x.parquet", "team/other", "x"):
        begin(other)
    assert not collect(lake, delete=True).anything, "its last part came a moment ago"
    found = collect(lake, 0.0)
    assert (found.uploads, found.uploads_bytes) == ((SHARD,), 10 * MIB) and found.anything
    assert len(going_on(client, bucket)) == 4, "nothing was deleted"
    assert collect(lake, 0.0, delete=True).uploads == (SHARD,)
    assert going_on(client, bucket) == {"team/lake-of-others/x.parquet", "team/other", "x"}
    assert not collect(lake, 0.0).anything


def test_the_command_line_tells_of_it(lake, begin):
    begin(f"team/lake/{SHARD}")
    asked = ["--lake", lake.place, "gc", "--older-than", "0"]
    said = CliRunner().invoke(app, asked)
    assert "found 1 unfinished uploads (5.2 MB)" in said.output and "nothing was deleted" in said.output
    assert "deleted 1 unfinished uploads" in CliRunner().invoke(app, [*asked, "--delete"]).output
    assert "unfinished" not in CliRunner().invoke(app, asked).output


def test_credentials_that_may_not_list_uploads_keep_nothing_else_from_being_found(lake, monkeypatch):
    orphan = lake.media.put(b"nobody's")

    def denied(operation):
        raise ClientError({"Error": {"Code": "AccessDenied"}}, operation)

    real = lake.storage.client.get_paginator
    monkeypatch.setattr(
        lake.storage.client,
        "get_paginator",
        lambda name: denied(name) if name == "list_multipart_uploads" else real(name),
    )
    found = collect(lake, 0.0, delete=True)
    assert found.media == (orphan,) and "AccessDenied" in found.uploads_unseen

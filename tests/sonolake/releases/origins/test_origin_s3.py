"""Reading from S3, as moto's server speaks it."""

import re

import pytest

from sonolake.errors import Damaged, InvalidInput, NotFound, Refused, Unreachable
from sonolake.releases import pull, verify
from sonolake.releases.offered import offered
from sonolake.releases.origins import open_origin, release_at
from sonolake.releases.origins.base import Patience
from sonolake.releases.origins.s3 import S3Origin

SHARD = "data/cares/train-00000-of-00001.parquet"


def contents(folder):
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_a_release_is_pulled_from_a_bucket(s3, release, tmp_path):
    pull(s3.demo, tmp_path / "mine")
    assert contents(tmp_path / "mine") == contents(release)
    assert pull(f"{s3.demo}/", tmp_path / "mine").fetched == 0


def test_any_range_is_the_bytes_of_that_range(s3, release):
    data = (release / SHARD).read_bytes()
    size = len(data)
    for start, end in [(0, None), (5, 5), (100, 4000), (size - 1, size), (size, None), (size + 9, None)]:
        assert b"".join(open_origin(s3.demo).stream(SHARD, start, end)) == data[start:end], (start, end)


def test_a_pull_that_stopped_goes_on(s3, release, tmp_path):
    mine, data = tmp_path / "mine", (release / SHARD).read_bytes()
    pull(s3.demo, mine)
    (mine / SHARD).unlink()
    (mine / "_COMPLETE").unlink()
    (mine / f"{SHARD}.part").write_bytes(data[:9000])
    assert pull(s3.demo, mine).fetched == 1
    assert verify(mine) == []


class Breaking:
    """A client whose bodies end early, with the error that botocore gives then."""

    def __init__(self, client, after, times):
        self.client, self.after, self.times = client, after, times
        self.ranges = []

    def get_object(self, **asked):
        from botocore.exceptions import ResponseStreamingError

        self.ranges.append(asked.get("Range"))
        answer = self.client.get_object(**asked)
        if self.times == 0:
            return answer
        self.times -= 1
        whole = answer["Body"].read()

        class Body:
            def __enter__(self):
                return self

            def __exit__(self, *_):
                return None

            def iter_chunks(body, size):
                yield whole[: self.after]
                raise ResponseStreamingError(error="cut")

        return {"Body": Body()}


def test_a_body_that_is_cut_goes_on_where_it_was(s3, release):
    data = (release / SHARD).read_bytes()
    client = Breaking(s3.client, after=4000, times=3)
    origin = S3Origin(s3.demo, Patience(2, 0.001), client)
    assert b"".join(origin.stream(SHARD)) == data
    assert client.ranges == [None, "bytes=4000-", "bytes=8000-", "bytes=12000-"]
    client = Breaking(s3.client, after=0, times=9)
    with pytest.raises(Unreachable, match="the connection broke"):
        b"".join(S3Origin(s3.demo, Patience(3, 0.001), client).stream(SHARD))
    assert len(client.ranges) == 3


def test_what_is_not_there_is_said(s3, tmp_path):
    for address in (f"{s3.at}/other", "s3://no-such-bucket/releases"):
        with pytest.raises(NotFound, match="not a whole release"):
            pull(address, tmp_path / "mine")
    assert release_at(open_origin(s3.at), "demo", "0.1.0").name == s3.demo
    with pytest.raises(
        NotFound, match=re.escape(f"looked in {s3.at}/demo/0.3.0, {s3.at}/releases/demo/0.3.0")
    ):
        release_at(open_origin(s3.at), "demo", "0.3.0")
    assert not (tmp_path / "mine").exists()


def test_other_bytes_are_damage(s3, release, tmp_path):
    s3.client.put_object(Bucket=s3.name, Key=f"releases/demo/0.1.0/{SHARD}", Body=b"something else")
    with pytest.raises(Damaged, match=re.escape(f"{s3.demo}/{SHARD} is not what its manifest says")):
        pull(s3.demo, tmp_path / "mine")


def test_without_credentials_it_says_where_they_are_looked_for(s3, monkeypatch):
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    with pytest.raises(Refused, match="boto3 looks in AWS_"):
        offered(open_origin(s3.demo))


def test_a_bucket_that_may_not_be_read_is_said(s3):
    from botocore.exceptions import ClientError

    class Denying:
        def get_object(self, **_):
            answer = {"Error": {"Code": "AccessDenied"}, "ResponseMetadata": {"HTTPStatusCode": 403}}
            raise ClientError(answer, "GetObject")

    with pytest.raises(Refused, match=r"_COMPLETE: S3 answered AccessDenied"):
        offered(S3Origin(s3.demo, client=Denying()))


@pytest.mark.parametrize("address", ["s3://", "s3:///key"])
def test_what_is_no_address_is_refused(address):
    with pytest.raises(InvalidInput, match="s3://bucket/prefix"):
        S3Origin(address, client=object())

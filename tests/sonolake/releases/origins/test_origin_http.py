"""Reading over HTTP from a server that fails in every way that servers do."""

import hashlib
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.errors import Damaged, InvalidInput, NotFound, Refused, Unreachable
from sonolake.releases import pull, verify
from sonolake.releases.offered import offered
from sonolake.releases.origins import open_origin, read_whole, release_at
from sonolake.releases.origins.base import MOST_IN_MEMORY

SHARD = "data/cares/train-00000-of-00001.parquet"
AT = "demo/0.1.0"


def contents(folder):
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def get(site, path, start=0, end=None):
    return b"".join(site.origin(AT).stream(path, start, end))


def pulled(site, dest, **options):
    return pull(offered(site.origin(AT)), dest, **options)


@pytest.fixture
def data(release):
    return (release / SHARD).read_bytes()


def test_a_release_is_pulled_by_its_address(site, release, tmp_path):
    result = pull(f"{site.address}/{AT}/", tmp_path / "mine")
    assert contents(tmp_path / "mine") == contents(release)
    assert result.left_out == () and verify(tmp_path / "mine") == []
    assert pull(f"{site.address}/{AT}", tmp_path / "mine").fetched == 0


def test_some_splits_are_pulled(site, tmp_path):
    assert pulled(site, tmp_path / "mine", splits=["test"]).left_out == ("train", "validation")
    assert verify(tmp_path / "mine") == []
    assert not [path for path, _ in site.asked if "/train-" in path or "/validation-" in path]


def test_any_range_is_the_bytes_of_that_range(site, data):
    size = len(data)
    for start, end in [
        (0, None),
        (0, 1),
        (5, 5),
        (7, 3),
        (100, 4000),
        (size - 1, size),
        (size, None),
        (size + 9, None),
    ]:
        assert get(site, SHARD, start, end) == data[start:end], (start, end)


@pytest.mark.parametrize(
    "faults",
    [
        [("cut", 1000), ("cut", 1), ("cut", 5000)],
        [("status", 500), ("status", 503), ("cut", 0)],
        [("status", 429, ("Retry-After", "0")), ("cut", 10), ("status", 429)],
        [("no ranges",)],
        [("cut", 4000), ("no ranges",)],
        [("cut", 4000), ("wrong range",)],
        [("cut", 100)] * 12,
    ],
    ids=lambda faults: "-".join(str(f[0]) for f in faults[:3]),
)
def test_what_breaks_goes_on_where_it_broke(site, data, faults):
    site.faults[f"{AT}/{SHARD}"] = list(faults)
    assert get(site, SHARD) == data
    assert site.faults[f"{AT}/{SHARD}"] == []


def test_no_byte_that_came_is_asked_for_again(site, data):
    site.faults[f"{AT}/{SHARD}"] = [("cut", 1000), ("cut", 2000)]
    assert get(site, SHARD, 100, 9000) == data[100:9000]
    assert [asked for _, asked in site.asked] == ["bytes=100-8999", "bytes=1100-8999", "bytes=3100-8999"]


@settings(deadline=None, max_examples=25)
@given(
    cuts=st.lists(st.one_of(st.integers(1, 3000), st.just("no ranges"), st.just(500)), max_size=3),
    start=st.integers(0, 30_000),
    length=st.one_of(st.none(), st.integers(0, 30_000)),
)
def test_whatever_breaks_the_bytes_are_right(shared_site, cuts, start, length):
    data = (shared_site.folder / "noise").read_bytes()
    end = None if length is None else start + length
    shared_site.faults["noise"] = [
        ("cut", c) if isinstance(c, int) and c != 500 else ("status", 500) if c == 500 else (c,) for c in cuts
    ]
    assert b"".join(shared_site.origin().stream("noise", start, end)) == data[start:end]


def test_patience_ends(site):
    site.faults[f"{AT}/{SHARD}"] = [("status", 503)] * 9
    with pytest.raises(
        Unreachable,
        match=re.escape("train-00000-of-00001.parquet: the server answered 503, 4 times in a row"),
    ):
        get(site, SHARD)
    assert len(site.asked) == 4


def test_a_server_that_asks_for_an_hour_is_not_waited_for(site):
    site.faults[f"{AT}/{SHARD}"] = [("status", 429, ("Retry-After", "3600"))]
    with pytest.raises(Unreachable, match="the server answered 429, 1 times"):
        get(site, SHARD)


@pytest.mark.parametrize(
    ("status", "kind", "said"),
    [
        (404, NotFound, "is not there"),
        (403, Refused, "may not be read"),
        (401, Refused, "credentials"),
        (400, Unreachable, "answered 400"),
    ],
)
def test_a_refusal_is_not_tried_again(site, status, kind, said):
    site.faults[f"{AT}/{SHARD}"] = [("status", status)]
    with pytest.raises(kind, match=said):
        get(site, SHARD)
    assert len(site.asked) == 1


def test_no_server_is_said(tmp_path):
    with pytest.raises(Unreachable, match=r"http://127.0.0.1:9/demo/_COMPLETE: the connection broke"):
        from sonolake.releases.origins import Patience
        from sonolake.releases.origins.http import HttpOrigin

        offered(HttpOrigin("http://127.0.0.1:9/demo", Patience(2, 0.001)))


def test_a_pull_from_a_failing_server_ends_with_the_same_release(site, release, tmp_path):
    for number, path in enumerate(sorted(set(contents(release)) - {"SHA256SUMS"})):
        site.faults[f"{AT}/{path}"] = [[("cut", 7)], [("status", 500)], [("status", 429)], [("no ranges",)]][
            number % 4
        ]
    result = pulled(site, tmp_path / "mine")
    assert contents(tmp_path / "mine") == contents(release)
    assert result.already == 0 and not any(site.faults.values())


def test_a_pull_that_a_server_ended_goes_on_with_the_byte_after_the_last(site, release, data, tmp_path):
    site.faults[f"{AT}/{SHARD}"] = [("cut", 9000), *[("status", 500)] * 4]
    with pytest.raises(Unreachable):
        pulled(site, tmp_path / "mine")
    assert [p.kind for p in verify(tmp_path / "mine")] == ["incomplete"]
    site.asked.clear()
    site.faults.clear()
    pulled(site, tmp_path / "mine")
    assert (f"{AT}/{SHARD}", f"bytes=9000-{len(data) - 1}") in site.asked
    assert contents(tmp_path / "mine") == contents(release)


@pytest.mark.parametrize("kept", [0, 100])
def test_a_file_of_another_length_is_damage(site, tmp_path, kept):
    site.faults[f"{AT}/{SHARD}"] = [("short", kept)] * 9
    with pytest.raises(
        Damaged, match=re.escape("train-00000-of-00001.parquet is not what its manifest says")
    ):
        pulled(site, tmp_path / "mine")
    assert not (tmp_path / "mine" / SHARD).exists()
    assert not (tmp_path / "mine" / f"{SHARD}.part").exists()


def test_other_bytes_are_damage(site, release, tmp_path):
    (release / SHARD).write_bytes((release / SHARD).read_bytes()[:-1] + b"?")
    with pytest.raises(Damaged, match="is not what its manifest says"):
        pulled(site, tmp_path / "mine")


def test_a_file_that_is_listed_and_gone_is_damage(site, release, tmp_path):
    (release / SHARD).unlink()
    with pytest.raises(Damaged, match="is in the manifest and not there"):
        pulled(site, tmp_path / "mine")


def test_what_is_no_release_makes_no_folder(site, release, tmp_path):
    (release / "_COMPLETE").unlink()
    with pytest.raises(NotFound, match="not a whole release: it lacks _COMPLETE"):
        pulled(site, tmp_path / "mine")
    (release / "_COMPLETE").write_text("<html>Welcome</html>")
    with pytest.raises(Damaged, match="does not name a manifest"):
        pulled(site, tmp_path / "mine")
    (release / "_COMPLETE").write_text("0" * 64)
    with pytest.raises(Damaged, match="the one there is"):
        pulled(site, tmp_path / "mine")
    assert not (tmp_path / "mine").exists()


def test_an_endless_file_is_not_taken_into_memory(site, release):
    with (release / "_COMPLETE").open("r+b") as file:
        file.truncate(MOST_IN_MEMORY + 10)
    with pytest.raises(Damaged, match="larger than"):
        read_whole(site.origin(AT), "_COMPLETE")


def test_a_hostile_manifest_writes_nothing_outside(site, release, tmp_path):
    from sonolake.releases.tables import FileRow, write_manifest

    write_manifest([FileRow("../../evil", "0" * 64, 1)], release)
    (release / "_COMPLETE").write_text(
        hashlib.sha256((release / "manifest.parquet").read_bytes()).hexdigest()
    )
    with pytest.raises(InvalidInput, match=r"\.\./\.\./evil"):
        pulled(site, tmp_path / "mine")
    assert not (tmp_path / "mine").exists()


def test_a_release_is_found_below_a_folder_of_releases(site):
    for below in ("", AT):
        found = release_at(site.origin(below), "demo", "0.1.0")
        assert found.name == f"{site.address}/{AT}"
        offered(found).require("demo", "0.1.0")
    with pytest.raises(NotFound, match="looked in http"):
        release_at(site.origin(), "demo", "0.2.0")
    with pytest.raises(NotFound, match=re.escape("that is demo@0.1.0")):
        offered(release_at(site.origin(AT), "other", "0.1.0")).require("other", "0.1.0")


def test_a_token_in_the_address_goes_along_and_is_not_said(site, tmp_path):
    address = f"{site.address}/{AT}?sig=s3cr3t".replace("http://", "http://ann:passw0rd@")
    origin = open_origin(address)
    assert pull(offered(origin), tmp_path / "mine").fetched > 5
    assert site.queries == {"sig=s3cr3t"}
    with pytest.raises(NotFound) as missing:
        read_whole(origin, "nothing")
    for words in (origin.name, str(missing.value)):
        assert "s3cr3t" not in words and "passw0rd" not in words and AT in words


@pytest.mark.parametrize("address", ["ftp://example.org/demo", "file:///tmp", "gs://bucket/demo"])
def test_other_kinds_of_address_are_refused(address):
    with pytest.raises(InvalidInput, match="place of a release"):
        open_origin(address)

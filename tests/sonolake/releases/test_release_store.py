"""Releases of a lake that lies in S3: published whole or not, verified, pulled, loaded, repaired."""

import threading

import pytest

import sonolake
from sonolake import Lake, running
from sonolake.errors import NotFound, Refused
from sonolake.releases import pull, verify
from sonolake.releases.finding import find_release
from sonolake.releases.publishing import publish

AT = "releases/demo/0.1.0"
SHARD = "data/cares/train-00000-of-00001.parquet"


@pytest.fixture
def lake(bucket, store, monkeypatch, tmp_path):
    """A lake in S3 with its catalog in a file; its media are those of the small release."""
    monkeypatch.setenv("SONOLAKE_CATALOG", str(tmp_path / "catalogs" / "catalog.sqlite"))
    (tmp_path / "catalogs").mkdir()
    with Lake.create(f"{bucket}/lake") as made:
        yield made


@pytest.fixture
def publishing(lake, store):
    """Publish content in the lake."""

    def put(content):
        for data in store.values():
            lake.media.put(data)
        with running(lake, "release") as run:
            return publish(run, content, lake.snapshot)

    return put


def files(lake):
    return {entry.path.removeprefix(f"{AT}/") for entry in lake.storage.entries(AT)}


def problems(lake):
    return {(p.kind, p.path) for p in find_release("demo@0.1.0", lambda: lake.place).verify()}


def test_a_release_is_published_pulled_and_loaded(lake, publishing, content, published, tmp_path):
    made = publishing(content)
    assert (made.counts.done, made.built.outcome) == (1, "published")
    assert made.place == f"{lake.place}/{AT}"
    assert files(lake) == {p.relative_to(published).as_posix() for p in published.rglob("*") if p.is_file()}
    assert problems(lake) == set()
    pull(find_release("demo@0.1.0", lambda: lake.place).offered, tmp_path / "mine")
    assert verify(tmp_path / "mine") == []
    assert (tmp_path / "mine" / "_COMPLETE").read_bytes() == (published / "_COMPLETE").read_bytes()
    assert len(sonolake.load("demo@0.1.0", "test", "cares", source=lake.place)) == 2


def test_again_it_is_already_there_and_other_content_is_refused(lake, publishing, content, make):
    publishing(content)
    before = {entry.path: entry.modified for entry in lake.storage.entries(AT)}
    again = publishing(content)
    assert (again.counts.already, again.built.outcome) == (1, "unchanged")
    with pytest.raises(Refused, match=r"already published with other content"):
        publishing(make({"train": 5, "test": 1}))
    assert {entry.path: entry.modified for entry in lake.storage.entries(AT)} == before
    assert problems(lake) == set()


def flip(lake, path):
    data = bytearray(lake.storage.read(f"{AT}/{path}"))
    data[len(data) // 2] ^= 1
    lake.storage.write(f"{AT}/{path}", bytes(data))


DAMAGE = {
    "a changed byte": (lambda lake: flip(lake, SHARD), {("changed", SHARD)}),
    "a file cut": (lambda lake: lake.storage.write(f"{AT}/{SHARD}", b"PAR1"), {("changed", SHARD)}),
    "a file gone": (lambda lake: lake.storage.delete(f"{AT}/README.md"), {("missing", "README.md")}),
    "no sums": (lambda lake: lake.storage.delete(f"{AT}/SHA256SUMS"), {("missing", "SHA256SUMS")}),
    "one file more": (lambda lake: lake.storage.write(f"{AT}/more.txt", b"x"), {("extra", "more.txt")}),
    "a mark of a part": (
        lambda lake: lake.storage.write(f"{AT}/_PULLED-test", b""),
        {("extra", "_PULLED-test")},
    ),
    "another manifest": (lambda lake: flip(lake, "manifest.parquet"), {("manifest", "manifest.parquet")}),
    "no mark": (lambda lake: lake.storage.delete(f"{AT}/_COMPLETE"), {("incomplete", "manifest.parquet")}),
}


def test_damage_is_found_and_made_whole_by_publishing_again(lake, publishing, content):
    publishing(content)
    before = {path: lake.storage.read(f"{AT}/{path}") for path in files(lake)}
    for name, (damage, found) in DAMAGE.items():
        damage(lake)
        assert problems(lake) == found, name
        for path in {path for _, path in found} | {"_COMPLETE"}:
            if path in before:
                lake.storage.write(f"{AT}/{path}", before[path])
            else:
                lake.storage.delete(f"{AT}/{path}")
    for several in (("a changed byte", "a file gone"), ("a file cut", "one file more", "no mark")):
        for name in several:
            DAMAGE[name][0](lake)
        again = publishing(content)
        assert (again.built.outcome, again.counts.done) == ("repaired", 1)
        assert "made anew; what else lay in it is gone" in again.told()
        assert {path: lake.storage.read(f"{AT}/{path}") for path in files(lake)} == before
    assert lake.rows("SELECT count(*) AS n FROM releases") == [{"n": 1}]


def test_what_a_killed_publish_left_is_no_release_and_is_finished(lake, publishing, content, monkeypatch):
    """The mark is the last thing written: until then nobody takes it for a release."""
    real = type(lake.storage).staging
    written = []
    lock = threading.Lock()

    def dying(self, path):
        with lock:
            written.append(path)
            if len(written) > 9:
                raise KeyboardInterrupt
        return real(self, path)

    with monkeypatch.context() as patched:
        patched.setattr(type(lake.storage), "staging", lambda self, path: dying(self, path))
        with pytest.raises(KeyboardInterrupt):
            publishing(content)
    assert 0 < len(files(lake)) < 20 and "_COMPLETE" not in files(lake)
    with pytest.raises(NotFound, match=r"no release demo@0\.1\.0"):
        problems(lake)
    assert publishing(content).counts.done == 1
    assert problems(lake) == set()


def test_the_command_line_knows_it(lake, publishing, content, tmp_path, monkeypatch):
    from typer.testing import CliRunner

    from sonolake.cli.app import app

    publishing(content)
    monkeypatch.delenv("SONOLAKE_CATALOG")

    def said(*arguments, status=0):
        result = CliRunner().invoke(app, ["--lake", lake.place, *map(str, arguments)])
        assert result.exit_code == status, result.output
        return result.output

    assert "demo@0.1.0" in said("releases")
    assert "every byte as published" in said("verify", "demo@0.1.0")
    assert "files fetched" in said("pull", "demo@0.1.0", tmp_path / "mine")
    proven = said("prove", "demo@0.1.0")
    assert "split-take" in proven and "fails" not in proven and "not run" not in proven
    assert "release:demo@0.1.0" in said("lineage", "demo@0.1.0")
    lake.storage.delete(f"{AT}/{SHARD}")
    assert SHARD in said("verify", "demo@0.1.0", status=1)

"""Releases of folders put into a bucket: whole or not at all, and checked, proven and pulled from there."""

import pytest
from typer.testing import CliRunner

from sonolake.cli.app import app
from sonolake.errors import InvalidInput, NotFound, Refused
from sonolake.lake.s3_storage import S3Storage
from sonolake.lake.storages import storage_at
from sonolake.releases import build, pull, verify
from sonolake.releases.copying import copy_to
from sonolake.releases.earlier import Earlier
from sonolake.releases.finding import find_release
from sonolake.releases.notice import Notice
from sonolake.releases.offered import offered
from sonolake.releases.origins import FolderOrigin


def found_at(place):
    return find_release(str(place), lambda: "")


@pytest.fixture
def place(bucket):
    return f"{bucket}/shared/releases"


@pytest.fixture
def there(place):
    """The storage of the copy."""
    return storage_at(f"{place}/demo/0.1.0")


def contents(storage):
    return {entry.path: storage.read(entry.path) for entry in storage.entries()}


def files_in(folder):
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_a_copy_is_the_release_and_can_be_verified_proven_and_pulled(published, place, there, tmp_path):
    made = copy_to(found_at(published), place)
    assert (made.place, made.outcome) == (f"{place}/demo/0.1.0", "published")
    assert contents(there) == files_in(published) and made.files == len(files_in(published))
    copy = found_at(made.place)
    assert copy.verify() == []
    assert {r.outcome for r in copy.prove() if r.proof.policy == "must"} == {"holds"}
    pull(find_release("demo@0.1.0", lambda: "", place).offered, tmp_path / "mine")
    assert verify(tmp_path / "mine") == []
    before = {entry.path: entry.modified for entry in there.entries()}
    assert copy_to(found_at(published), place).outcome == "unchanged"
    assert {entry.path: entry.modified for entry in there.entries()} == before
    there.write("README.md", b"damaged")
    assert copy_to(found_at(published), place).outcome == "repaired" and copy.verify() == []


def test_what_a_killed_copy_left_is_no_release_and_is_finished(published, place, there, monkeypatch):
    real, written = S3Storage.staging, []

    def dying(self, path):
        written.append(path)
        if len(written) > 9:
            raise KeyboardInterrupt
        return real(self, path)

    with monkeypatch.context() as patched:
        patched.setattr(S3Storage, "staging", dying)
        with pytest.raises(KeyboardInterrupt):
            copy_to(found_at(published), place)
    assert contents(there) and "_COMPLETE" not in contents(there)
    with pytest.raises(NotFound):
        find_release("demo@0.1.0", lambda: "", place)
    copy_to(found_at(published), place)
    assert contents(there) == files_in(published)


def test_the_next_version_sends_only_what_the_one_before_has_not(store, make, published, place, tmp_path):
    copy_to(found_at(published), place)
    second, before = tmp_path / "0.1.1", Earlier(offered(FolderOrigin(published)))
    build(make(version="0.1.1", tags=("audio", "more")), store.__getitem__, second, earlier=before)
    made = copy_to(found_at(second), place)
    shards = sum(path.stat().st_size for path in (published / "data").rglob("*.parquet"))
    assert made.reused_bytes >= shards
    assert contents(storage_at(f"{place}/demo/0.1.1")) == files_in(second)


def test_nothing_of_others_is_written_over(published, store, make, place, there, tmp_path):
    with pytest.raises(InvalidInput, match="s3://bucket/prefix"):
        copy_to(found_at(published), "https://example.org/releases")
    there.write("notes.txt", b"mine")
    with pytest.raises(Refused, match=r"holds notes\.txt, which is no file of this release"):
        copy_to(found_at(published), place)
    assert contents(there) == {"notes.txt": b"mine"}
    there.delete("notes.txt")
    other = tmp_path / "other" / "0.1.0"
    build(make(tags=("other",)), store.__getitem__, other)
    copy_to(found_at(published), place)
    with pytest.raises(Refused, match="already published with other content"):
        copy_to(found_at(other), place)
    notice = Notice("demo@0.1.0", (), ("scene-train-000",), (), None)
    there.write("_RETRACTED.json", notice.text().encode())
    with pytest.raises(Refused, match=r"demo@0\.1\.0 was retracted"):
        copy_to(found_at(published), place)
    assert contents(there).keys() >= files_in(published).keys()


def test_the_command_says_where_it_is(published, place):
    result = CliRunner().invoke(app, ["push", str(published), place])
    assert result.exit_code == 0, result.output
    assert f"{place}/demo/0.1.0: {len(files_in(published))} files" in result.output

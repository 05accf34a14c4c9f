"""A published folder that was damaged since: found against what is on record, and made whole by the same content."""

import shutil

import pytest

from sonolake.errors import Damaged, Refused
from sonolake.releases import build, prove, pull, verify
from sonolake.releases.checksums import checksums_text
from sonolake.releases.disk import sha256_of
from sonolake.releases.tables import read_manifest, write_manifest

SHARD = "data/cares/train-00000-of-00001.parquet"
NOWHERE = "0" * 64


def contents(folder):
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def forge(folder):
    """Drop a file and make manifest, sums and mark agree with that."""
    files = [f for f in read_manifest(folder) if f.path != "report.html"]
    (folder / "report.html").unlink()
    write_manifest(files, folder)
    sha256 = sha256_of(folder / "manifest.parquet")
    (folder / "SHA256SUMS").write_text(checksums_text(files, sha256))
    (folder / "_COMPLETE").write_text(f"{sha256}\n")


def drop_test_split(folder):
    """What a partial pull would look like."""
    (folder / "_PULLED-train").touch()
    for path in folder.glob("data/*/*.parquet"):
        if not path.name.startswith("train"):
            path.unlink()


DAMAGE = {
    "no mark": lambda folder: (folder / "_COMPLETE").unlink(),
    "no manifest": lambda folder: (folder / "manifest.parquet").unlink(),
    "a changed byte": lambda folder: (folder / SHARD).write_bytes(
        b"PAR1" + (folder / SHARD).read_bytes()[4:-1]
    ),
    "no data": lambda folder: shutil.rmtree(folder / "data"),
    "one more file": lambda folder: (folder / "notes.txt").write_text("x"),
    "another mark": lambda folder: (folder / "_COMPLETE").write_text(NOWHERE),
    "marked as a part": drop_test_split,
}


@pytest.fixture
def recorded(release):
    return sha256_of(release / "manifest.parquet")


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
@pytest.mark.parametrize("on_record", [True, False], ids=["on record", "not on record"])
def test_the_same_content_again_makes_a_damaged_folder_whole(
    content, store, release, recorded, tmp_path, damage, on_record
):
    before = contents(release)
    damage(release)
    built = build(content, store.__getitem__, release, recorded if on_record else None)
    assert (built.outcome, built.manifest_sha256) == ("repaired", recorded)
    assert contents(release) == before
    assert [p.name for p in release.parent.iterdir()] == ["0.1.0"]


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_other_content_does_not_repair(make, store, release, recorded, damage):
    damage(release)
    before = contents(release)
    with pytest.raises(Refused, match="already published with other content"):
        build(make({"train": 5, "test": 1}), store.__getitem__, release, recorded)
    assert contents(release) == before
    assert [p.name for p in release.parent.iterdir()] == ["0.1.0"]


def test_what_is_left_of_a_release_tells_which_it_was(make, store, release):
    (release / "_COMPLETE").unlink()
    with pytest.raises(Refused, match="other content"):
        build(make({"train": 5, "test": 1}), store.__getitem__, release)
    (release / "manifest.parquet").unlink()
    with pytest.raises(Refused, match="not a release: move it away"):
        build(make(), store.__getitem__, release)


def test_on_record_a_folder_replaced_by_another_release_is_made_right_again(
    content, store, release, recorded
):
    before = contents(release)
    forge(release)
    assert verify(release) == []
    assert build(content, store.__getitem__, release, recorded).outcome == "repaired"
    assert contents(release) == before


def test_a_version_on_record_with_other_content_is_refused_even_when_its_folder_is_gone(
    content, store, tmp_path
):
    with pytest.raises(Refused, match=f"manifest {NOWHERE}, now"):
        build(content, store.__getitem__, tmp_path / "0.1.0", NOWHERE)
    assert list(tmp_path.iterdir()) == []


def test_a_release_that_agrees_with_itself_alone_is_not_the_one_on_record(release, recorded, tmp_path):
    forge(release)
    (problem,) = verify(release, recorded)
    assert problem.kind == "manifest" and recorded in problem.detail
    for use in (lambda: prove(release, recorded), lambda: pull(release, tmp_path / "x", recorded=recorded)):
        with pytest.raises(Damaged, match="publish it again"):
            use()
    assert not (tmp_path / "x").exists()


def test_on_record_a_part_is_not_the_release(release, recorded, tmp_path):
    drop_test_split(release)
    assert verify(release) == []
    found = {(p.kind, p.path) for p in verify(release, recorded)}
    gone = {f.path for f in read_manifest(release) if f.split in ("validation", "test")}
    assert found == {("extra", "_PULLED-train"), *(("missing", path) for path in gone)}
    for use in (lambda: prove(release, recorded), lambda: pull(release, tmp_path / "x", recorded=recorded)):
        with pytest.raises(Damaged, match="only a copy can be"):
            use()

"""Publishing: a version is published once and never changes."""

import datetime
import shutil

import pytest

from sonolake.datasets.foreseeing import foresee
from sonolake.errors import InvalidInput, Refused
from sonolake.lake.step import Counts
from sonolake.releases import verify
from sonolake.releases.finding import find_release
from tasks.foreseeing import foresee_release
from tasks.opening import lake_at
from tasks.publishing import copy_release, publish_release


@pytest.fixture
def made(own_lake):
    return lake_at(str(own_lake))


def publish(lake, version="0.1.0", date="2026-11-30"):
    return publish_release.fn(str(lake.root), "run", "tiny", version, date).counts


def folder(lake, version="0.1.0"):
    return lake.releases_root / "tiny" / version


def test_published_again_it_is_already_there(made):
    before = {path: path.stat().st_mtime_ns for path in folder(made).rglob("*")}
    rows = made.sql("SELECT * FROM releases")
    assert publish(made) == Counts(taken=1, already=1)
    assert {path: path.stat().st_mtime_ns for path in folder(made).rglob("*")} == before
    assert made.sql("SELECT * FROM releases") == rows


def test_a_lake_in_a_folder_publishes_into_a_bucket(made, bucket):
    copied = copy_release.fn(str(made.root), "tiny", "0.1.0", f"{bucket}/shared")
    assert (copied.place, copied.outcome) == (f"{bucket}/shared/tiny/0.1.0", "published")
    assert find_release(copied.place, lambda: "").verify() == []


def test_a_version_never_changes(made):
    mark = (folder(made) / "_COMPLETE").read_text()
    with made.transaction("forget") as tx:
        tx.sql("DELETE FROM scenes WHERE scene_id = (SELECT min(scene_id) FROM scenes)")
    with pytest.raises(Refused, match=r"tiny 0\.1\.0 is already published with other content.*next one"):
        publish(made)
    assert (folder(made) / "_COMPLETE").read_text() == mark
    with pytest.raises(Refused, match=r"0\.2\.0 cannot follow 0\.1\.0: 1 item removed.*1\.0\.0 or later"):
        publish(made, "0.2.0")
    quick, whole = foresee(made, "tiny"), foresee_release(str(made.root), "tiny")
    assert (quick.least, quick.difference.removed) == ("1.0.0", whole.difference.removed)
    assert publish(made, "1.0.0").done == 1
    assert sorted(p.name for p in folder(made).parent.glob("[!.]*")) == ["0.1.0", "1.0.0"]
    assert (
        foresee(made, "tiny").difference.counts()
        == foresee_release(str(made.root), "tiny").difference.counts()
        == {}
    )


def test_what_was_renamed_into_place_and_not_recorded_is_recorded_by_the_next_run(made):
    """The state that a kill between the rename and the commit leaves."""
    (row,) = made.rows("SELECT * FROM releases")
    with made.transaction("forget") as tx:
        tx.sql("DELETE FROM releases")
    assert publish(made).done == 1
    (again,) = made.rows("SELECT * FROM releases")
    assert again["manifest_sha256"] == row["manifest_sha256"]


def test_what_a_killed_build_left_is_cleared_away(made):
    left = folder(made).parent / ".0.3.0.building"
    shutil.copytree(folder(made), left)
    (left / "stray.txt").write_text("half a file")
    assert publish(made, "0.3.0").done == 1
    assert not left.exists() and not (folder(made, "0.3.0") / "stray.txt").exists()


def test_the_row_names_a_snapshot_that_holds_what_was_released(made):
    (row,) = made.rows("SELECT * FROM releases")
    assert made.sql("SELECT count(*) AS n FROM scenes", at=row["snapshot"])["n"][0].as_py() == 2
    assert made.sql("SELECT count(*) AS n FROM releases", at=row["snapshot"])["n"][0].as_py() == 0


def test_a_damaged_release_is_made_whole_by_publishing_it_again(made):
    (row,) = made.rows("SELECT * FROM releases")
    shutil.rmtree(folder(made) / "data")
    (folder(made) / "_COMPLETE").unlink()
    counts = publish(made)
    assert (counts.done, counts.already) == (1, 0) and counts.made > 5
    assert verify(folder(made), row["manifest_sha256"]) == []
    assert made.rows("SELECT * FROM releases") == [row]
    (edges,) = made.rows("SELECT count(*) AS n FROM lineage WHERE child = 'release:tiny@0.1.0'")
    assert edges["n"] == 1


def test_the_catalog_says_what_a_version_was_when_its_folder_is_gone(made):
    shutil.rmtree(folder(made))
    with made.transaction("forge") as tx:
        tx.sql("UPDATE releases SET manifest_sha256 = ?", ["0" * 64])
    with pytest.raises(Refused, match=r"tiny 0\.1\.0 is already published with other content"):
        publish(made)
    assert [p.name for p in folder(made).parent.glob("[!.]*")] == []


class Later(datetime.date):
    @classmethod
    def today(cls):
        return cls(2031, 5, 6)


@pytest.mark.parametrize("kept", ["catalog", "folder"])
def test_without_a_date_a_version_keeps_the_one_it_has(made, monkeypatch, kept):
    monkeypatch.setattr("tasks.publishing.calendar", Later)
    if kept == "folder":
        with made.transaction("before the column") as tx:
            tx.sql("UPDATE releases SET date = NULL")
    else:
        shutil.rmtree(folder(made))
    assert publish(made, date="").already == (kept == "folder")
    assert publish(made, "0.2.0", date="").done == 1
    assert "## [0.2.0] - 2031-05-06" in (folder(made, "0.2.0") / "CHANGELOG.md").read_text()
    with pytest.raises(Refused, match="other content"):
        publish(made, date="2031-05-06")


@pytest.mark.parametrize("name", ["a..", "..", "a/b", "A", ""])
def test_what_cannot_be_a_name_is_refused(path, name):
    with pytest.raises(InvalidInput, match="release: expected"):
        publish_release.fn(path, "run", name, "0.1.0", "2026-11-30")


@pytest.mark.parametrize("version", ["1", "1.0", "01.0.0", "1.0.0 ", "1" * 300 + ".0.0", "1.0.٣", "../1.0.0"])
def test_what_cannot_be_a_version_is_refused(path, version):
    with pytest.raises(InvalidInput, match="version: expected"):
        publish_release.fn(path, "run", "tiny", version, "2026-11-30")

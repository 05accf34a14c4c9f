"""Publishing: a version is published once and never changes."""

import shutil

import pytest

from sonolake.errors import Refused
from sonolake.lake.step import Counts
from tasks.opening import lake_at
from tasks.publishing import publish_release


@pytest.fixture
def made(own_lake):
    return lake_at(str(own_lake))


def publish(lake, version="0.1.0"):
    return publish_release.fn(str(lake.root), "run", "tiny", version, "2026-11-30")


def folder(lake, version="0.1.0"):
    return lake.releases_root / "tiny" / version


def test_published_again_it_is_already_there(made):
    before = {path: path.stat().st_mtime_ns for path in folder(made).rglob("*")}
    rows = made.sql("SELECT * FROM releases")
    assert publish(made) == Counts(taken=1, already=1)
    assert {path: path.stat().st_mtime_ns for path in folder(made).rglob("*")} == before
    assert made.sql("SELECT * FROM releases") == rows


def test_a_version_never_changes(made):
    mark = (folder(made) / "_COMPLETE").read_text()
    with made.transaction("forget") as tx:
        tx.sql("DELETE FROM scenes WHERE scene_id = (SELECT min(scene_id) FROM scenes)")
    with pytest.raises(Refused, match=r"tiny 0\.1\.0 is already published with other content.*next one"):
        publish(made)
    assert (folder(made) / "_COMPLETE").read_text() == mark
    assert publish(made, "0.2.0").done == 1
    assert sorted(p.name for p in folder(made).parent.glob("[!.]*")) == ["0.1.0", "0.2.0"]


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

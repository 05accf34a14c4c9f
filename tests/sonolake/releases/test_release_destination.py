"""Where a release is pulled to: one pull at a time, and clear words where nothing can be written."""

import errno
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sonolake.errors import Refused, Unwritable
from sonolake.releases import prove, pull, read_manifest, verify

PULLER = """
import json, sys, time
from pathlib import Path
from sonolake.releases import pull
source, dest, splits, start = json.loads(sys.argv[1])
time.sleep(max(0.0, start - time.time()))
print(pull(Path(source), Path(dest), splits).fetched)
"""


def pull_at_once(source, dest, wanted):
    """Pull in a process each, all beginning at one moment; what each fetched."""
    start = time.time() + 2
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    at_work = [
        subprocess.Popen(
            [sys.executable, "-c", PULLER, json.dumps([str(source), str(dest), splits, start])], **pipes
        )
        for splits in wanted
    ]
    said = [process.communicate(timeout=120) for process in at_work]
    assert [process.returncode for process in at_work] == [0] * len(wanted), said
    return [int(out) for out, _ in said]


def test_of_three_pulls_into_one_folder_one_works_and_the_others_wait(release, tmp_path):
    mine = tmp_path / "mine"
    fetched = pull_at_once(release, mine, [None, None, None])
    assert sorted(fetched) == [0, 0, len(read_manifest(release))]
    assert verify(mine) == []
    assert {p.name for p in mine.iterdir()} == {p.name for p in release.iterdir()}


def test_pulls_of_different_splits_into_one_folder_add_up(release, tmp_path):
    mine = tmp_path / "mine"
    pull_at_once(release, mine, [["train"], ["validation"], ["test"]])
    assert verify(mine) == []
    assert pull(release, mine).fetched == 0
    assert {p.name for p in mine.iterdir()} == {p.name for p in release.iterdir()}


def test_the_lock_of_a_pull_that_was_killed_is_in_nobodys_way(release, tmp_path):
    mine = tmp_path / "mine"
    pull(release, mine)
    (mine / ".pull.lock").touch()
    assert verify(mine) == []
    assert all(result.outcome == "holds" for result in prove(mine))
    assert pull(release, mine).fetched == 0
    assert not (mine / ".pull.lock").exists()


def test_a_file_in_the_way_is_named(release, tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(Refused, match="file is not a folder"):
        pull(release, tmp_path / "file")
    with pytest.raises(Unwritable, match=r"cannot be written: a part of the path is a file"):
        pull(release, tmp_path / "file" / "below")
    assert (tmp_path / "file").read_text() == "x"


def test_a_link_to_nothing_is_refused(release, tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    with pytest.raises(Refused, match="link is a link to nothing"):
        pull(release, tmp_path / "link")
    assert not (tmp_path / "nowhere").exists()


def test_a_link_to_a_folder_is_followed(release, tmp_path):
    (tmp_path / "disk").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "disk")
    pull(release, tmp_path / "link")
    assert verify(tmp_path / "disk") == []


def test_a_place_where_nothing_can_be_made_is_named(release):
    with pytest.raises(Unwritable, match=r"/proc/nowhere/mine cannot be written"):
        pull(release, Path("/proc/nowhere/mine"))


def test_a_full_disk_is_said_and_the_pull_goes_on_later(release, tmp_path, monkeypatch):
    real = os.fsync

    def full(handle):
        if "data/" in str(Path(f"/proc/self/fd/{handle}").readlink()):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(handle)

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(Unwritable, match="No space left on device"):
        pull(release, tmp_path / "mine")
    assert [p.kind for p in verify(tmp_path / "mine")] == ["incomplete"]
    monkeypatch.undo()
    pull(release, tmp_path / "mine")
    assert verify(tmp_path / "mine") == []

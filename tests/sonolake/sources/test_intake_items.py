"""What an item brings beside its sound: its source, its label file, its size."""

import numpy as np
import pytest

from sonolake import Lake, running
from sonolake.audio.encode import quantise, wav_bytes
from sonolake.errors import InvalidInput
from sonolake.sources.folder import read_folder
from sonolake.sources.ingest import Ingest
from sonolake.sources.intake import Intake
from sonolake.sources.records import SourceItem


def sound(seed):
    """Half a second of noise that dies away at a pace of its own."""
    decay = np.exp(-np.arange(8000) / (300 * seed))
    return wav_bytes(quantise(np.random.default_rng(seed).standard_normal(8000) * 0.1 * decay), 16_000)


def write(path, data):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def take(lake, source, kind="take"):
    with running(lake, "test") as run:
        found = read_folder(source)
        return Ingest(run, Intake(kind)).take([*found.items, *found.refusals])


@pytest.fixture
def lake(tmp_path):
    with Lake.create(tmp_path / "lake") as made:
        yield made


def refusals(lake):
    return {row["item"]: (row["reason"], row["detail"]) for row in lake.rows("FROM quarantine")}


def sources(lake):
    return [row["source_id"] for row in lake.rows("SELECT source_id FROM assets ORDER BY asset_id")]


def test_one_path_in_two_folders_is_two_sources(lake, tmp_path):
    write(tmp_path / "dogs/a/1.wav", sound(1))
    write(tmp_path / "cats/a/1.wav", sound(2))
    assert take(lake, tmp_path / "dogs").done == take(lake, tmp_path / "cats").done == 1
    first, second = sources(lake)
    assert first != second
    assert first.startswith("file:a/1.wav#") and second.startswith("file:a/1.wav#")


def test_the_source_of_a_file_does_not_depend_on_where_its_folder_lies(lake, tmp_path):
    write(tmp_path / "here/a/1.wav", sound(1))
    write(tmp_path / "there/of/another/name/a/1.wav", sound(1))
    take(lake, tmp_path / "here")
    with Lake.create(tmp_path / "other") as other:
        take(other, tmp_path / "there/of/another/name")
        assert sources(other) == sources(lake)


def test_a_source_that_is_stated_is_kept(lake, tmp_path):
    write(tmp_path / "s/a.wav", sound(1))
    write(tmp_path / "s/manifest.csv", b"path,source_id\na.wav,freesound:7\n")
    take(lake, tmp_path / "s")
    assert sources(lake) == ["freesound:7"]


def test_a_label_file_is_kept_with_its_sound(lake, tmp_path):
    write(tmp_path / "s/a.wav", sound(1))
    write(tmp_path / "s/times/a.csv", "0,1,Glocke für\n".encode())
    write(tmp_path / "s/manifest.csv", b"path,labels\na.wav,times/a.csv\n")
    assert take(lake, tmp_path / "s").done == 1
    assert lake.rows("SELECT labels FROM assets") == [{"labels": "0,1,Glocke für\n"}]


def test_label_files_outside_the_source_are_refused(lake, tmp_path):
    write(tmp_path / "secret.csv", b"not yours")
    for name in ("a", "b", "c"):
        write(tmp_path / f"s/{name}.wav", sound(ord(name)))
    (tmp_path / "s/link.csv").symlink_to(tmp_path / "secret.csv")
    rows = f"path,labels\na.wav,../secret.csv\nb.wav,{tmp_path}/secret.csv\nc.wav,link.csv\n"
    write(tmp_path / "s/manifest.csv", rows.encode())
    take(lake, tmp_path / "s")
    found = {item: refusal for item, refusal in refusals(lake).items() if item.endswith("wav")}
    assert set(found) == {"a.wav", "b.wav", "c.wav"}
    assert all(
        reason == "conflicting_labels" and detail.endswith("lies outside the source")
        for reason, detail in found.values()
    )
    assert lake.rows("SELECT labels FROM assets") == []


@pytest.mark.parametrize(
    ("label", "said"),
    [
        (None, "its label file l.csv is no file, or is not there"),
        (b"caf\xe9", "its label file l.csv cannot be read: it is no UTF-8 text"),
    ],
)
def test_label_files_that_cannot_be_read_are_refused(lake, tmp_path, label, said):
    write(tmp_path / "s/a.wav", sound(1))
    write(tmp_path / "s/manifest.csv", b"path,labels\na.wav,l.csv\n")
    if label:
        write(tmp_path / "s/l.csv", label)
    take(lake, tmp_path / "s")
    assert refusals(lake)["a.wav"] == ("conflicting_labels", said)


def test_a_file_that_fits_in_no_memory_is_refused_without_being_read(lake, tmp_path):
    whole = write(tmp_path / "s/huge.wav", sound(1))
    with whole.open("r+b") as file:
        file.truncate((4 << 30) + 1)
    assert take(lake, tmp_path / "s").quarantined == 1
    assert refusals(lake)["huge.wav"] == ("too_long", "4,294,967,297 bytes; at most 4,294,967,296 are taken")


def test_a_file_that_went_away_meanwhile_is_refused(lake, tmp_path):
    with running(lake, "test") as run:
        counts = Ingest(run, Intake("take")).take([SourceItem("a.wav", tmp_path / "a.wav")])
    assert counts.quarantined == 1
    assert refusals(lake)["a.wav"] == ("unreadable", "the file cannot be read: No such file or directory")


@pytest.mark.parametrize("licence", ["BOGUS", "CC0-1", "CC-BY-NC-4.0 or so"])
def test_an_option_that_is_no_licence_is_refused_before_anything_is_taken(licence):
    with pytest.raises(InvalidInput, match="--licence"):
        Intake("take", licence=licence)


@pytest.mark.parametrize("licence", ["", "CC0-1.0", "cc by 4.0", "LicenseRef-unknown"])
def test_an_option_that_names_a_licence_or_says_that_it_is_unknown_is_taken(licence):
    assert Intake("take", licence=licence).licence == licence

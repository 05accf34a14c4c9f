import csv

import numpy as np
import pytest
import soundfile

from sonolake.audio.foa import direction
from sonolake.sources.folder import read_folder
from sonolake.sources.procedural.recipe import SoundRecipe
from sonolake.sources.recordings import Heard, label_rows, perform, score, write_foa_recordings


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("recordings")
    write_foa_recordings(path, recordings=2, duration_s=12.0, events=3)
    return path


def test_recordings_are_declared_and_marked_as_synthetic(folder):
    found = read_folder(folder)
    assert found.refusals == ()
    assert [entry.item for entry in found.items] == [
        "simulated/stand-in-room-01.flac",
        "simulated/stand-in-room-02.flac",
    ]
    for entry in found.items:
        assert entry.fields["convention"] == "ambix"
        assert entry.tags["synthetic"] == "true"
        info = soundfile.info(entry.path)
        assert (info.samplerate, info.channels, info.frames) == (24_000, 4, 12 * 24_000)


def test_labels_are_dcase_rows_within_the_recording(folder):
    for entry in read_folder(folder).items:
        classes = entry.tags["classes"].split(";")
        rows = [
            [int(cell) for cell in row]
            for row in csv.reader((folder / entry.tags["labels"]).read_text().splitlines())
        ]
        assert rows == sorted(rows)
        assert len({(row[1], row[2]) for row in rows}) == 3
        for frame, kind, source, azimuth, elevation, distance in rows:
            assert 0 <= frame < 120
            assert 0 <= kind < len(classes)
            assert source >= 0
            assert -180 <= azimuth <= 180
            assert -50 <= elevation <= 50
            assert 80 <= distance <= 500


def test_a_sound_comes_from_its_labelled_direction_when_its_label_begins():
    name = "one-sound"
    heard = Heard(SoundRecipe("door_knock", 100), 1.25, (60.0, 15.0, 1.5))
    scene = perform(name, [heard], 6.0)
    first = int(label_rows([heard], [heard.sound.kind.event_id], 6.0).split(",")[0])
    start = round(heard.onset_s * 24_000)
    arrival = start + round(heard.place[2] / 343 * 24_000)
    assert first == int((heard.onset_s + heard.place[2] / 343) / 0.1)
    quiet = np.sqrt(np.mean(scene[: arrival - 24, 0] ** 2))
    assert np.sqrt(np.mean(scene[arrival : arrival + 2_400, 0] ** 2)) > 3 * quiet
    azimuth, elevation = direction(scene[arrival : arrival + 60])
    assert abs((azimuth - heard.place[0] + 180) % 360 - 180) < 20
    assert elevation == pytest.approx(heard.place[1], abs=20)


def test_stand_in_rooms_have_takes_that_no_folder_of_takes_has():
    assert all(heard.sound.variant >= 100 for heard in score("any", 30.0, 9))


def test_two_calls_give_equal_bytes(folder, tmp_path):
    write_foa_recordings(tmp_path, recordings=2, duration_s=12.0, events=3)
    for path in sorted(folder.rglob("*.*")):
        if path.is_file():
            assert path.read_bytes() == (tmp_path / path.relative_to(folder)).read_bytes()
    assert write_foa_recordings(folder, recordings=2, duration_s=12.0, events=3).made == 0

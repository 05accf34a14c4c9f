"""Ambisonics recordings and room responses: conventions declared, in the header, or missing; what responses say."""

import json
import struct

import numpy as np
import pytest

from sonolake import Lake, running
from sonolake.audio.encode import quantise, wav_bytes
from sonolake.audio.foa import encode, from_ambix
from sonolake.sources.folder import read_folder
from sonolake.sources.ingest import Ingest
from sonolake.sources.intake import Intake

RATE = 24_000


def response(azimuth, seed, rt60_s=0.3):
    """A direct sound from a direction, and a diffuse tail, which differs from seed to seed."""
    time = np.arange(RATE) / RATE
    noise = np.random.default_rng(seed).standard_normal((RATE, 4)) * [1, 0.58, 0.58, 0.58]
    tail = 0.01 * noise * (10 ** (-3 * time / rt60_s))[:, None]
    tail[:240] = 0.0
    tail[0] = encode(np.array([0.5]), azimuth, 0)
    return np.concatenate([np.zeros((50, 4)), tail])


def amb(x):
    """An .amb file: a WAVE file whose sub-format is 00000001-0721-11d3-8644-c8c1ca000000."""
    made = bytearray(wav_bytes(quantise(x), RATE))
    made[44:60] = struct.pack("<IHH", 1, 0x0721, 0x11D3) + bytes.fromhex("8644c8c1ca000000")
    return bytes(made)


@pytest.fixture
def lake(tmp_path):
    with Lake.create(tmp_path / "lake") as made:
        yield made


@pytest.fixture
def take(lake, tmp_path):
    """Take files, with a manifest, as some kind."""

    def taken(files, rows="", kind="response", convention=""):
        source = tmp_path / "source"
        source.mkdir(exist_ok=True)
        for name, data in files.items():
            (source / name).write_bytes(data)
        if rows:
            (source / "manifest.csv").write_text(rows)
        with running(lake, "test") as run:
            found = read_folder(source)
            return Ingest(run, Intake(kind, convention)).take([*found.items, *found.refusals])

    return taken


def by_item(lake):
    return {row["item"]: row for row in lake.rows("FROM assets")}


def test_directions_that_the_direct_sound_contradicts_are_flagged(lake, take):
    files = {
        f"{name}.wav": wav_bytes(quantise(response(90, i)), RATE) for i, name in enumerate(("right", "wrong"))
    }
    rows = "path,convention,azimuth_deg,elevation_deg,room\nright.wav,ambix,88,2,hall\nwrong.wav,ambix,-90,0,hall\n"
    assert take(files, rows).done == 2
    found = by_item(lake)
    assert found["right.wav"]["direct_azimuth_deg"] == pytest.approx(90, abs=2)
    assert found["right.wav"]["direct_elevation_deg"] == pytest.approx(0, abs=2)
    assert "direction_differs" not in found["right.wav"]["flags"]
    assert "direction_differs" in found["wrong.wav"]["flags"]
    assert found["right.wav"]["rt60_s"] == pytest.approx(0.3, rel=0.35)
    assert -20 < found["right.wav"]["drr_db"] < 20


def test_distances_in_another_unit_are_flagged(lake, take):
    files = {f"{name}.wav": wav_bytes(quantise(response(90, i)), RATE) for i, name in enumerate(("m", "cm"))}
    rows = "path,convention,azimuth_deg,distance_m,room\nm.wav,ambix,90,2,hall\ncm.wav,ambix,90,200,hall\n"
    assert take(files, rows).done == 2
    found = by_item(lake)
    assert "distance_differs" not in found["m.wav"]["flags"]
    assert "distance_differs" in found["cm.wav"]["flags"]


def test_a_convention_taken_for_another_is_flagged(lake, take):
    """From the left, stored as FuMa and declared as AmbiX: it seems to come from above or the front."""
    data = wav_bytes(quantise(from_ambix(response(90, 3), "fuma")), RATE)
    take({"a.wav": data}, "path,convention,azimuth_deg\na.wav,ambix,90\n")
    assert "direction_differs" in by_item(lake)["a.wav"]["flags"]


@pytest.mark.parametrize("kind", ["response", "foa", "ambience"])
def test_undeclared_scenes_are_set_aside_with_a_hint(lake, take, kind):
    take({"a.wav": wav_bytes(quantise(from_ambix(response(30, 4), "fuma")), RATE)}, kind=kind)
    (row,) = lake.rows("FROM quarantine")
    assert row["reason"] == "unknown_convention"
    assert "times the energy of channel 1" in row["detail"]


def test_amb_files_declare_themselves(lake, take):
    data = amb(from_ambix(response(90, 5), "fuma"))
    take({"a.amb": data}, "path,azimuth_deg\na.amb,90\n")
    row = by_item(lake)["a.amb"]
    assert row["convention"] == "fuma"
    assert row["direct_azimuth_deg"] == pytest.approx(90, abs=2)
    assert row["flags"] == ["unknown_licence"]


def test_an_amb_file_that_is_declared_otherwise_is_refused(lake, take):
    take({"a.amb": amb(from_ambix(response(90, 6), "fuma"))}, convention="ambix")
    (row,) = lake.rows("FROM quarantine")
    assert row["reason"] == "unknown_convention" and "header says fuma" in row["detail"]


def test_mono_responses_have_a_room_and_no_direction(lake, take):
    take(
        {"a.wav": wav_bytes(quantise(response(0, 7)[:, 0]), RATE)}, "path,room,microphone\na.wav,hall,omni\n"
    )
    row = by_item(lake)["a.wav"]
    assert row["direct_azimuth_deg"] is None
    assert row["rt60_s"] == pytest.approx(0.3, rel=0.35)
    assert json.loads(row["tags"]) == {"microphone": "omni"}


OURS = '{"event": "dog", "onset_s": 0, "offset_s": 1, "azimuth_deg": 9, "elevation_deg": 0, "distance_m": 2}'
LABELS = {
    "stated": ("0,0,0,10,0,150\n", "dog", "cm"),
    "unstated": ("0,0,0,10,0,150\n", "dog", ""),
    "headed": ("frame,class,source,azimuth,elevation\n0,0,0,1,1\n", "dog", "cm"),
    "unnamed": ("0,3,0,10,0,150\n", "dog", "m"),
    "ours": (OURS, "", ""),
}


def test_recordings_whose_labels_cannot_be_used_are_set_aside(lake, take, tmp_path):
    (tmp_path / "source").mkdir()
    files, rows = {}, ["path,convention,labels,classes,distance_unit"]
    for seed, (name, (text, classes, unit)) in enumerate(LABELS.items()):
        (tmp_path / "source" / f"{name}.txt").write_text(text)
        files[f"{name}.wav"] = wav_bytes(quantise(response(10, 20 + seed)), RATE)
        rows.append(f"{name}.wav,ambix,{name}.txt,{classes},{unit}")
    take(files, "\n".join(rows) + "\n", kind="foa")
    assert sorted(by_item(lake)) == ["ours.wav", "stated.wav"]
    refused = {row["item"]: (row["reason"], row["detail"]) for row in lake.rows("FROM quarantine")}
    assert {reason for reason, _ in refused.values()} == {"conflicting_labels"}
    assert "distance_unit" in refused["unstated.wav"][1]
    assert "line 1" in refused["headed.wav"][1]
    assert "class index" in refused["unnamed.wav"][1]

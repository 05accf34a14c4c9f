"""From arrays to assets and back, and the lake of a process."""

import math
import shutil

import numpy as np
import pytest

from sonolake.audio.encode import flac_bytes
from sonolake.datasets.made import keep_made
from tasks.opening import lake_at
from tasks.sounds import mono, sounds_of

RATE = 24000


def sine(amplitude, hz=1000, seconds=2.0):
    t = np.arange(round(RATE * seconds)) / RATE
    return np.round(32768 * amplitude * np.sin(2 * np.pi * hz * t)).astype(np.int16)


def keep(lake, pcm):
    return lake.media.put(flac_bytes(pcm, RATE))


def test_what_is_made_is_described_by_what_is_in_its_file(lake, path):
    row = keep_made(lake, "scene", "scene-1", sine(0.5), RATE, "CC0-1.0", "A tone", location="office")
    assert (row["frames"], row["channels"], row["duration_s"]) == (48000, 1, 2.0)
    # A sine at half of full scale peaks at -6.02 dBFS; at 1 kHz it has -3.01 - 6.02 LUFS (ITU-R BS.1770-4: 0 dBFS,
    # 997 Hz, one channel: -3.01 LKFS).
    assert row["peak_dbfs"] == pytest.approx(20 * math.log10(0.5), abs=0.01)
    assert row["loudness_lufs"] == pytest.approx(-9.03, abs=0.1)
    assert (row["kind"], row["source_id"], row["location"]) == ("scene", "scene-1", "office")
    samples, rate = sounds_of(path).sound(row["asset_id"])
    assert rate == RATE and np.array_equal(np.round(samples * 32768).astype(np.int16), sine(0.5))


def test_loudness_of_four_channels_is_that_of_w(lake):
    field = np.stack([sine(0.5), sine(0.9), sine(0.9), sine(0.9)], axis=1)
    row = keep_made(lake, "clip", "clip-1", field, RATE, "CC0-1.0", "A field", convention="ambix")
    assert row["channels"] == 4 and len(row["dc"]) == 4
    assert row["loudness_lufs"] == pytest.approx(-9.03, abs=0.1)


def test_the_same_sound_is_the_same_asset(lake):
    rows = [keep_made(lake, "scene", name, sine(0.25), RATE, "CC0-1.0", name) for name in ("one", "other")]
    assert rows[0]["asset_id"] == rows[1]["asset_id"]


def test_one_channel_of_a_stereo_file_is_the_mean(lake, path):
    stereo = keep(lake, np.stack([sine(0.5), sine(0.25)], axis=1))
    samples, _ = mono(path, stereo)
    assert samples == pytest.approx(sine(0.375) / 32768, abs=1 / 32768)


def test_one_channel_of_ambisonics_is_w_and_fuma_is_brought_to_ambix(lake, path):
    """FuMa has the order W, X, Y, Z and W at -3 dB; AmbiX W, Y, Z, X."""
    w, x, y, z = (sine(a) for a in (0.2, 0.1, 0.3, 0.4))
    field = keep(lake, np.stack([w, x, y, z], axis=1))
    samples, _ = sounds_of(path).sound(field, "fuma")
    assert samples[:, 0] == pytest.approx(math.sqrt(2) * w / 32768)
    assert np.array_equal(samples[:, 1:], np.stack([y, z, x], axis=1) / 32768)
    assert mono(path, field, "fuma")[0] == pytest.approx(samples[:, 0])
    assert mono(path, field, "ambix")[0] == pytest.approx(w / 32768)


def test_a_shared_sound_cannot_be_changed(lake, path):
    samples, _ = sounds_of(path).sound(keep(lake, sine(0.5)))
    with pytest.raises(ValueError, match="read-only"):
        samples[0] = 1.0


def test_a_process_has_one_lake_at_a_path_and_makes_it_when_it_is_missing(tmp_path):
    path = tmp_path / "new"
    lake = lake_at(str(path))
    assert lake is lake_at(str(path)) and (path / "lake.toml").is_file()
    assert "scene_events" in set(lake.columns()["table_name"].to_pylist())
    lake.close()
    shutil.rmtree(path)
    again = lake_at(str(path))
    assert again is not lake and again.rows("SELECT * FROM assets") == []

"""Features of the plug-in against hand values: where a plane wave points, how loud it is, how long a clip lasts."""

import numpy as np
import pytest

from sonolake.errors import InvalidInput
from sonolake.spatial.model import PluginShape, TrainSettings, features
from sonolake.spatial.model.features import mel, spatial

RATE = 24000


def wave(azimuth_deg, elevation_deg, seconds=0.5, seed=0):
    a, e = np.radians(azimuth_deg), np.radians(elevation_deg)
    gains = [1.0, np.sin(a) * np.cos(e), np.sin(e), np.cos(a) * np.cos(e)]
    return np.random.default_rng(seed).standard_normal((round(seconds * RATE), 1)) * 0.1 * np.array(gains)


def test_ten_seconds_are_five_hundred_frames_of_seven_channels():
    heard = features(wave(0, 0, 10.0), RATE)
    assert heard.spatial.shape == (7, 500, 64)
    assert heard.spatial.dtype == np.float32
    assert heard.mono.shape == (160000,)


@pytest.mark.parametrize(
    ("azimuth", "elevation", "toward"),
    [
        (0, 0, (1, 0, 0)), (90, 0, (0, 1, 0)), (180, 0, (-1, 0, 0)), (-90, 0, (0, -1, 0)), (0, 90, (0, 0, 1)),
        (45, 0, (0.5**0.5, 0.5**0.5, 0)), (-150, 30, (-0.75, -(3**0.5) / 4, 0.5)),
    ],
)  # fmt: skip
def test_intensity_of_a_plane_wave_is_its_unit_vector(azimuth, elevation, toward):
    flow = spatial(wave(azimuth, elevation))[4:, 2:-2]
    expected = np.tanh(5.0 * np.array(toward))
    assert np.abs(flow - expected[:, None, None]).max() < 1e-4


def test_a_standing_sound_from_both_sides_and_a_diffuse_field_have_little_flow():
    left, right = wave(90, 0, seed=1), wave(-90, 0, seed=1)
    assert np.abs(spatial(left + right)[4:, 2:-2]).max() < 1e-4
    field = np.random.default_rng(3).standard_normal((10 * RATE, 4)) * [1, 3**-0.5, 3**-0.5, 3**-0.5]
    assert np.abs(np.arctanh(spatial(field)[4:, 2:-2].clip(-0.9999, 0.9999)).mean()) < 0.1


def test_twice_the_amplitude_is_six_decibels_in_each_band_and_the_same_flow():
    once, twice = spatial(wave(30, 10)), spatial(2 * wave(30, 10))
    assert np.allclose((twice - once)[:4], np.log(4.0), atol=1e-3)
    assert np.allclose(twice[4:], once[4:], atol=1e-4)


def test_a_tone_is_in_the_band_and_the_frames_where_it_sounds():
    time = np.arange(RATE) / RATE
    tone = np.where(time < 0.5, np.sin(2 * np.pi * 1000 * time), 0.0)
    heard = spatial(tone[:, None] * np.array([1.0, 0, 0, 1.0]))[0]
    edges = 1127 * np.log1p(np.array([50.0, 1000.0, 12000.0]) / 700)
    band = round((edges[1] - edges[0]) / (edges[2] - edges[0]) * 65 - 1)
    assert heard[10].argmax() == band
    assert heard[:24].min(axis=0)[band] > 0 > heard[27:].max()


def test_silence_is_finite():
    heard = features(np.zeros((RATE, 4)), RATE)
    assert np.isfinite(heard.spatial).all()
    assert not heard.spatial[4:].any()


def test_every_band_holds_a_bin():
    assert (mel().sum(axis=1) > 0).all()


def test_other_rates_are_resampled():
    heard = features(np.repeat(wave(90, 0, 1.0), 2, axis=0), 2 * RATE)
    assert heard.spatial.shape == (7, 50, 64)
    assert heard.mono.shape == (16000,)


@pytest.mark.parametrize(
    "scene", [np.zeros((10, 2)), np.zeros(10), np.zeros((0, 4)), np.full((10, 4), np.nan)]
)
def test_what_is_no_scene_is_refused(scene):
    with pytest.raises(InvalidInput, match="scene"):
        features(scene, RATE)


def test_defaults_are_the_papers():
    shape, how = PluginShape(), TrainSettings()
    assert (shape.conformers, shape.token_width, shape.lora_rank) == (8, 1024, 16)
    assert (shape.widths, shape.blocks) == ((64, 128, 256, 512), 2)
    assert (how.epochs, how.learning_rate, how.weight_decay, how.tokens) == (3, 2e-4, 1e-2, 48)


@pytest.mark.parametrize(
    "wrong",
    [
        {"kernel": 30},
        {"conformer_width": 30, "heads": 8},
        {"widths": (1, 2)},
        {"dropout": 1.0},
        {"lora_rank": 0},
    ],
)
def test_impossible_sizes_are_refused(wrong):
    with pytest.raises(InvalidInput):
        PluginShape(**wrong)

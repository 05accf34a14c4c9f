"""Plane waves from 26 directions through everything that is done to a scene keep direction, level and loudness."""

import itertools

import numpy as np
import pytest

from sonolake.audio.decode import decode
from sonolake.audio.encode import flac_bytes, quantise, wav_bytes
from sonolake.audio.foa import direction, encode, from_ambix, rotate_z, to_ambix
from sonolake.audio.loudness import loudness

RATE = 24_000
STEPS = [step for step in itertools.product((-1, 0, 1), repeat=3) if any(step)]
"""The 26 neighbours of a cube: x to the front, y to the left, z up."""
SOUND = 0.2 * np.random.default_rng(0).standard_normal(2 * RATE).clip(-3, 3)


def place(step):
    """Azimuth and elevation in degrees of a vector."""
    x, y, z = step
    return float(np.degrees(np.arctan2(y, x))), float(np.degrees(np.arctan2(z, np.hypot(x, y))))


def apart(scene, step):
    """The angle between where a scene is heard and a vector, degrees."""
    azimuth, elevation = np.radians(direction(scene))
    heard = np.array(
        [np.cos(azimuth) * np.cos(elevation), np.sin(azimuth) * np.cos(elevation), np.sin(elevation)]
    )
    return np.degrees(np.arccos(min(1.0, float(heard @ np.array(step)) / np.linalg.norm(step))))


def change_db(scene):
    """Level of W against the dry sound."""
    return 10 * np.log10(np.mean(scene[:, 0] ** 2) / np.mean(SOUND**2))


def test_there_are_26_directions():
    assert len({place(step) for step in STEPS}) == 26


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("write", [wav_bytes, flac_bytes])
def test_a_wave_keeps_its_direction_and_level(step, write):
    azimuth, elevation = place(step)
    stored = from_ambix(encode(SOUND, azimuth, elevation), "fuma")
    read = decode(write(quantise(stored), RATE)).samples
    scene = to_ambix(from_ambix(to_ambix(read, "fuma"), "fuma"), "fuma")
    assert apart(scene, step) < 0.5
    assert change_db(scene) == pytest.approx(0.0, abs=0.05)
    x, y, z = step
    turned = rotate_z(scene, 90.0)
    assert apart(turned, (-y, x, z)) < 0.5
    assert change_db(turned) == pytest.approx(0.0, abs=0.05)


def test_loudness_on_w_does_not_depend_on_direction():
    dry = loudness(SOUND, RATE)
    for step in STEPS:
        read = decode(wav_bytes(quantise(encode(SOUND, *place(step))), RATE)).samples
        assert loudness(read[:, 0], RATE) == pytest.approx(dry, abs=0.05)

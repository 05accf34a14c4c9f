"""Sounds decoded once and kept while there is room."""

import numpy as np
import pytest

from sonolake.audio.encode import flac_bytes
from sonolake.datasets import sounds as module
from sonolake.datasets.sounds import Sounds

RATE = 8000


@pytest.fixture
def stored(lake):
    """Three sounds of a second, of which the second has two channels, and the samples that each has."""
    levels = {"mono": [[1000]], "stereo": [[1000, 3000]], "other": [[500]]}
    return {
        name: lake.media.put(flac_bytes(np.repeat(np.array(level, np.int16), RATE, axis=0), RATE))
        for name, level in levels.items()
    }


class Counting:
    """A media room that counts what is read."""

    def __init__(self, media):
        self.media, self.read_ids = media, []

    def read(self, asset_id):
        self.read_ids.append(asset_id)
        return self.media.read(asset_id)


def test_channels_become_one_and_rates_become_what_is_asked(lake, stored):
    sounds = Sounds(lake.media)
    assert np.allclose(sounds.mono(stored["stereo"], RATE), 2000 / 32768)
    assert sounds.mono(stored["mono"], 2 * RATE).shape == (2 * RATE,)
    samples, rate = sounds.channel(stored["mono"])
    assert rate == RATE and samples.shape == (RATE,) and samples[0] == 1000 / 32768
    assert sounds.sound(stored["stereo"])[0].shape == (RATE, 2)


def test_a_sound_is_decoded_once_and_nobody_can_change_it(lake, stored):
    media = Counting(lake.media)
    sounds = Sounds(media)
    for _ in range(3):
        sounds.mono(stored["mono"], RATE)
        sounds.samples(stored["mono"])
        sounds.channel(stored["mono"])
    assert media.read_ids == [stored["mono"]]
    for samples in (sounds.mono(stored["mono"], RATE), sounds.samples(stored["mono"])[0]):
        with pytest.raises(ValueError, match="read-only"):
            samples[0] = 1.0


def test_what_is_kept_is_bounded_in_bytes_and_the_longest_unused_goes_first(lake, stored, monkeypatch):
    # A second of one channel at 8 kHz in double precision is 64,000 bytes: two fit, a stereo one takes both places.
    monkeypatch.setattr(module, "KEPT_BYTES", 130_000)
    media = Counting(lake.media)
    sounds = Sounds(media)

    def reads(*names):
        media.read_ids.clear()
        for name in names:
            sounds.samples(stored[name])
        return [next(n for n, i in stored.items() if i == asset_id) for asset_id in media.read_ids]

    assert reads("mono", "other", "mono", "other") == ["mono", "other"]
    assert reads("stereo", "stereo") == ["stereo"]
    assert reads("other", "mono") == ["other", "mono"]
    monkeypatch.setattr(module, "KEPT_BYTES", 10)
    assert reads("stereo", "stereo") == ["stereo", "stereo"], (
        "what is too large is not kept, and is given all the same"
    )

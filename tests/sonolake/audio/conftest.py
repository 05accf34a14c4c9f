"""Sounds and files that several tests of the audio room use."""

import io
import os
from pathlib import Path

import numpy as np
import pytest
import soundfile

SHARED = Path(__file__).parents[4] / "shared" / "data"


@pytest.fixture
def shared():
    """The folder of shared example data; absent on a user's machine, never in continuous integration."""
    if not SHARED.is_dir():
        assert not os.environ.get("CI"), f"{SHARED} is missing"
        pytest.skip(f"{SHARED} is not there")
    return SHARED


@pytest.fixture
def rng():
    return np.random.default_rng(20261201)


@pytest.fixture
def encoded():
    """Encode samples with libsndfile: ``encoded(x, rate, "FLAC", "PCM_16", …) -> bytes``."""

    def encode(x, rate, container, subtype, **options):
        out = io.BytesIO()
        soundfile.write(out, x, rate, format=container, subtype=subtype, **options)
        return out.getvalue()

    return encode


@pytest.fixture
def barks(rng):
    """Two takes of one dog: bursts of the same voice at other times, 2.5 s of mono at 44.1 kHz each."""

    def take(starts, pitches):
        rate, x = 44100, rng.standard_normal(int(2.5 * 44100)) * 1e-3
        for start, pitch in zip(starts, pitches, strict=True):
            t = np.arange(int(0.22 * rate)) / rate
            tone = sum(np.sin(2 * np.pi * k * pitch * t * (1 - 0.4 * t)) / k for k in range(1, 12))
            noise = rng.standard_normal(len(t))
            at = int(start * rate)
            x[at : at + len(t)] += (0.2 * tone + 0.05 * noise) * np.sin(np.pi * t / t[-1]) ** 0.7
        return x

    return take((0.21, 0.8, 1.9), (410, 450, 380)), take((0.33, 1.1, 1.6), (430, 390, 440))

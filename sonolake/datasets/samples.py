"""What the report plays of an item: its sound, its spectrogram, and what is told of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from sonolake.audio.decode import decode
from sonolake.audio.encode import mp3_bytes, quantise
from sonolake.audio.levels import db_to_gain, peak
from sonolake.audio.spectrogram import png
from sonolake.datasets.dataset import Shown
from sonolake.lake.lake import Lake
from sonolake.releases.samples import ReportSample

WIDTH, HEIGHT = 960, 180
"""Pixels of a spectrogram."""
QUIET_DBFS = -3.0
"""What is played is raised to this peak: spatial clips are mastered low."""


def sample_of(lake: Lake, config: str, split: str, row: Mapping[str, Any], shown: Shown) -> ReportSample:
    """The sample of one row of a config: the first channel as MP3 and as a picture."""
    mp3, picture, duration_s = heard(lake.media.read(row["audio_asset"]))
    return ReportSample(
        item_id=row["item_id"],
        config=config,
        split=split,
        title=shown.title,
        mp3=mp3,
        png=picture,
        duration_s=duration_s,
        facts=shown.facts,
        tracks=shown.tracks,
        transcript=shown.transcript,
        directions=shown.directions,
        quizzes=shown.quizzes,
    )


def heard(data: bytes) -> tuple[bytes, bytes, float]:
    """The first channel of a sound as MP3 and as a picture (PNG), and its length in seconds."""
    decoded = decode(data)
    samples = decoded.samples[:, 0]
    loud = samples * (db_to_gain(QUIET_DBFS) / max(peak(samples), 1e-6))
    mp3 = mp3_bytes(quantise(np.clip(loud, -1.0, 1.0)), decoded.sample_rate)
    picture = png(samples, decoded.sample_rate, WIDTH, HEIGHT)
    return mp3, picture, len(samples) / decoded.sample_rate

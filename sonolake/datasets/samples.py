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
    decoded = decode(lake.media.read(row["audio_asset"]))
    heard = decoded.samples[:, 0]
    loud = heard * (db_to_gain(QUIET_DBFS) / max(peak(heard), 1e-6))
    return ReportSample(
        item_id=row["item_id"],
        config=config,
        split=split,
        title=shown.title,
        mp3=mp3_bytes(quantise(np.clip(loud, -1.0, 1.0)), decoded.sample_rate),
        png=png(heard, decoded.sample_rate, WIDTH, HEIGHT),
        duration_s=len(heard) / decoded.sample_rate,
        facts=shown.facts,
        tracks=shown.tracks,
        transcript=shown.transcript,
        directions=shown.directions,
        quizzes=shown.quizzes,
    )

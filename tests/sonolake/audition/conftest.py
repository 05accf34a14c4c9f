"""A lake of four takes: two that their source calls a kettle, one a doorbell, one nothing."""

import numpy as np
import pytest

from sonolake.audio.encode import flac_bytes
from sonolake.lake import Lake

KETTLE = "home_indoor/kettle_whistle"
RATE = 24_000
TAKES = {
    "low": (KETTLE, "train", 300),
    "high": (KETTLE, "test", 2400),
    "bell": ("home_indoor/doorbell", "train", 900),
    "loose": (None, "validation", 2300),
}
"""By title: identifier, split, and frequency in Hz."""


@pytest.fixture
def lake(tmp_path):
    with Lake.create(tmp_path / "lake") as made:
        yield made


@pytest.fixture
def takes(lake):
    """Asset ids by title; each take is 2 s of a tone, silent in its first half second."""
    ids, assets, partitions = {}, [], []
    for title, (event, split, hz) in TAKES.items():
        t = np.arange(2 * RATE) / RATE
        tone = np.where(t < 0.5, 0.0, 9000 * np.sin(2 * np.pi * hz * t)).astype(np.int16)
        ids[title] = lake.media.put(flac_bytes(tone, RATE))
        assets.append(
            {
                "asset_id": ids[title],
                "kind": "take",
                "title": title,
                "event": event,
                "licence": "CC0-1.0",
                "duration_s": 2.0,
            }
        )
        partitions.append({"item": ids[title], "kind": "take", "split": split})
    lake.table("assets").append(assets)
    lake.table("partitions").append(partitions)
    return ids

"""Lakes of a few rows, and a data set of its own with a few sounds."""

import shutil

import numpy as np
import pytest

from sonolake import Lake
from sonolake.audio.encode import wav_bytes


@pytest.fixture(scope="session")
def empty(tmp_path_factory):
    """A lake without rows, to be copied: quicker than to make one for each test."""
    folder = tmp_path_factory.mktemp("empty") / "lake"
    Lake.create(folder).close()
    return folder


@pytest.fixture
def new_lake(empty, tmp_path):
    """Makes the lake of a name."""
    return lambda name: Lake.open(shutil.copytree(empty, tmp_path / name))


@pytest.fixture
def lake(new_lake):
    with new_lake("lake") as made:
        yield made


@pytest.fixture
def add_tones(lake, asset):
    """Adds tones of one second that can be heard, each of a frequency, in a split."""

    def add(kind, split, *frequencies, **facts):
        rows = []
        for hz in frequencies:
            tone = 8000 * np.sin(2 * np.pi * hz * np.arange(16_000) / 16_000)
            asset_id = lake.media.put(wav_bytes(np.round(tone).astype(np.int16), 16_000))
            name = f"{kind}:{hz}"
            rows.append(
                {
                    **asset,
                    "asset_id": asset_id,
                    "kind": kind,
                    "item": name,
                    "source_id": name,
                    "duration_s": 1.0,
                }
                | {"event": f"tones/hz_{hz}", "synthetic": True, "title": name, **facts}
            )
        lake.table("assets").append(rows)
        lake.table("partitions").append(
            [
                {"item": r["asset_id"], "kind": kind, "group_id": r["item"], "split": split, "batch": "b"}
                for r in rows
            ]
        )
        return [row["asset_id"] for row in rows]

    return add

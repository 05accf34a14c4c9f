"""Folders for Hugging Face's ``datasets``, loaded by it in a process of its own."""

import json
import os
import subprocess
import sys

import pytest

from sonolake.errors import InvalidInput

READ = """
import io, json, sys
import soundfile
from datasets import Audio, get_dataset_config_names, load_dataset
folder = sys.argv[1]
found = {}
for config in get_dataset_config_names(folder):
    loaded = load_dataset(folder, config)
    for split, rows in loaded.items():
        has_sound = "audio" in rows.column_names
        rows = rows.cast_column("audio", Audio(decode=False)) if has_sound else rows
        for row in rows:
            name = f"{config}/{split}/{row['item_id']}"
            found[name] = None
            if has_sound:
                samples, _ = soundfile.read(io.BytesIO(row["audio"]["bytes"]), dtype="int16", always_2d=True)
                found[name] = [samples.shape, int(samples.astype("int64").sum(axis=0) @ range(1, samples.shape[1] + 1))]
json.dump(found, sys.stdout)
"""


@pytest.fixture
def loaded(tmp_path):
    def load(folder):
        pytest.importorskip("datasets", reason="pip install -e .[dev] brings datasets")
        env = {
            **os.environ,
            "HF_HOME": str(tmp_path / "hf"),
            "HF_HUB_OFFLINE": "1",
            "HF_DATASETS_OFFLINE": "1",
        }
        done = subprocess.run(
            [sys.executable, "-c", READ, str(folder)], env=env, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return load


def summed(samples):
    return [list(samples.shape), int(samples.astype("int64").sum(axis=0) @ range(1, samples.shape[1] + 1))]


def test_datasets_loads_every_item_with_all_channels(made, samples, loaded, rich):
    folder, summary = made("hf")
    found = loaded(folder)
    assert summary.done == len(found) == 8
    assert found["rms-aqa/test/clip-1"] == summed(samples("clip-1", 4))
    assert found["cares/train/Track 2.0 (Clean)"] == summed(samples("Track 2.0 (Clean)"))
    for path in folder.rglob("*.parquet"):
        assert path.read_bytes() == (rich / path.relative_to(folder)).read_bytes()


def test_a_part_has_a_card_of_that_part(made, loaded):
    folder, summary = made("hf", "rms-aqa", "cares", splits=["test"])
    assert set(loaded(folder)) == {"rms-aqa/test/clip-1", "rms-aqa/test/clip-2", "cares/test/scene-9"}
    assert summary.done == 3 and not (folder / "croissant.json").exists()


def test_chosen_items_are_no_whole_shards(made):
    with pytest.raises(InvalidInput, match="whole splits"):
        made("hf", where="item_id = 'clip-1'")

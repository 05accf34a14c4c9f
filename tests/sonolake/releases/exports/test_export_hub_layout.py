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
answers = []
for folder in sys.argv[1:]:
    answers.append(found := {})
    for config in get_dataset_config_names(folder):
        for split, rows in load_dataset(folder, config).items():
            has_sound = "audio" in rows.column_names
            rows = rows.cast_column("audio", Audio(decode=False)) if has_sound else rows
            for row in rows:
                name = f"{config}/{split}/{row['item_id']}"
                found[name] = None
                if has_sound:
                    samples, _ = soundfile.read(io.BytesIO(row["audio"]["bytes"]), dtype="int16", always_2d=True)
                    weights = range(1, samples.shape[1] + 1)
                    found[name] = [samples.shape, int(samples.astype("int64").sum(axis=0) @ weights)]
json.dump(answers, sys.stdout)
"""


def loaded(home, *folders):
    """What ``datasets`` finds in folders, by config, split and id."""
    env = {**os.environ, "HF_HOME": str(home), "HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}
    command = [sys.executable, "-c", READ, *map(str, folders)]
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def summed(samples):
    return [list(samples.shape), int(samples.astype("int64").sum(axis=0) @ range(1, samples.shape[1] + 1))]


def test_datasets_loads_every_item_with_all_channels_and_of_a_part_that_part(made, samples, rich, tmp_path):
    pytest.importorskip("datasets", reason="pip install -e .[dev] brings datasets")
    folder, summary = made("hf")
    part, partly = made("hf", "rms-aqa", "cares", splits=["test"], to="part")
    found, found_part = loaded(tmp_path / "hf", folder, part)
    assert summary.done == len(found) == 8
    assert found["rms-aqa/test/clip-1"] == summed(samples("clip-1", 4))
    assert found["cares/train/Track 2.0 (Clean)"] == summed(samples("Track 2.0 (Clean)"))
    for path in folder.rglob("*.parquet"):
        assert path.read_bytes() == (rich / path.relative_to(folder)).read_bytes()
    assert set(found_part) == {"rms-aqa/test/clip-1", "rms-aqa/test/clip-2", "cares/test/scene-9"}
    assert partly.done == 3 and not (part / "croissant.json").exists()


def test_chosen_items_are_no_whole_shards(made):
    with pytest.raises(InvalidInput, match="whole splits"):
        made("hf", where="item_id = 'clip-1'")

"""Releases by the readers that people have: Hugging Face's datasets, Polars, DuckDB. As docs/releases.md shows it."""

import io
import json
import os
import subprocess
import sys

import duckdb
import numpy as np
import pytest
import soundfile

COLUMNS = {"item_id", "audio", "licence", "duration_s", "sample_rate", "channels", "events"}

BY_DATASETS = """
import io, json, os, sys
import soundfile
from datasets import Audio, load_dataset

plain = load_dataset(sys.argv[1], "rms-aqa", split="train")
rows = plain.cast_column("audio", Audio(decode=False))
samples, rate = soundfile.read(io.BytesIO(rows[0]["audio"]["bytes"]), dtype="int16", always_2d=True)
streamed = load_dataset(sys.argv[1], "sounds", split="test", streaming=True)
streamed = streamed.cast_column("audio", Audio(decode=False))
print(json.dumps({
    "ids": rows["item_id"][:],
    "columns": rows.column_names,
    "rate": rate,
    "samples": samples.tolist(),
    "events": [row["events"] for row in streamed],
    "declared": plain.features["audio"].sampling_rate,
}), flush=True)
os._exit(0)  # threads of a streamed data set sometimes abort the interpreter's own end
"""


@pytest.fixture(scope="module")
def by_datasets(release, tmp_path_factory):
    """What the guide's lines give, in a process of their own, offline and with a cache of their own."""
    pytest.importorskip("datasets", reason="pip install datasets")
    home = str(tmp_path_factory.mktemp("hub"))
    env = os.environ | {"HF_HOME": home, "HF_HUB_OFFLINE": "1", "HF_DATASETS_DISABLE_PROGRESS_BARS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", BY_DATASETS, str(release)], capture_output=True, text=True, env=env
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_datasets_reads_every_row_and_column(by_datasets):
    assert sorted(by_datasets["ids"]) == ["clip-train-00", "clip-train-01"]
    assert set(by_datasets["columns"]) == COLUMNS
    assert by_datasets["declared"] == by_datasets["rate"] == 8000


def test_datasets_keeps_four_channels_when_sound_is_left_undecoded(by_datasets, samples):
    assert np.array_equal(by_datasets["samples"], samples(by_datasets["ids"][0], 4))


def test_datasets_streams_nested_columns(by_datasets):
    assert sorted(map(len, by_datasets["events"])) == [0, 0, 1, 1, 2]
    assert {"event", "onset_s"} == set(max(by_datasets["events"], key=len)[0])


def test_polars_scans_without_reading_sound(release, samples):
    polars = pytest.importorskip("polars", reason="pip install polars")
    scenes = polars.scan_parquet(release / "data/sounds/*.parquet", include_file_paths="path")
    counted = (
        scenes.with_columns(polars.col("path").str.extract(r"([a-z]+)-\d+-of-\d+\.parquet$").alias("split"))
        .group_by("split")
        .agg(polars.len().alias("items"), polars.col("events").list.len().sum().alias("events"))
        .sort("split")
        .collect()
    )
    assert counted.rows() == [("test", 5, 4), ("train", 23, 22), ("validation", 3, 3)]
    one = scenes.filter(polars.col("item_id") == "scene-test-03").select(polars.col("audio").struct["bytes"])
    found, _ = soundfile.read(io.BytesIO(one.collect().item()), dtype="int16", always_2d=True)
    assert np.array_equal(found, samples("scene-test-03", 1))


def test_duckdb_reads_shards_and_views(release, samples):
    with duckdb.connect() as link:
        query = "SELECT count(*), sum(len(events)) FROM read_parquet(?)"
        assert link.execute(query, [str(release / "data/sounds/train-*.parquet")]).fetchone() == (23, 22)
        link.execute(f"SET VARIABLE root = '{release}'")
        link.execute((release / "views.sql").read_text())
        (data,) = link.execute(
            "SELECT audio.bytes FROM \"rms-aqa\" WHERE item_id = 'clip-test-01'"
        ).fetchone()
    found, _ = soundfile.read(io.BytesIO(data), dtype="int16", always_2d=True)
    assert np.array_equal(found, samples("clip-test-01", 4))

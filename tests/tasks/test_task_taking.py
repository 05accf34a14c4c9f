"""Ingest, one batch a task: every item is accounted for."""

import io
import shutil

import numpy as np
import pytest
import soundfile

from sonolake.lake.step import Counts
from sonolake.sources.folder import read_folder
from sonolake.sources.intake import Intake
from tasks.taking import refused_among, take_batch

RATE = 16000
INTAKE = Intake("take", licence="CC0-1.0")


def sound(seed):
    """One second of noise in a band and a rhythm of its own."""
    rng = np.random.default_rng(seed)
    t = np.arange(RATE) / RATE
    x = np.convolve(rng.standard_normal(RATE), np.hanning(4 + 9 * seed), "same")
    x *= 1 + np.sin(2 * np.pi * (2 + 3 * seed) * t)
    return np.round(12000 * x / np.abs(x).max()).astype(np.int16)


@pytest.fixture
def source(tmp_path):
    """Three sounds; one again under another name, one again in another format; one silent, one no audio, one lost."""
    folder = tmp_path / "source"
    folder.mkdir()
    for n, name in enumerate("abc"):
        soundfile.write(folder / f"{name}.wav", sound(n), RATE, "PCM_16")
    shutil.copy(folder / "a.wav", folder / "d-same-bytes.wav")
    flac = io.BytesIO()
    soundfile.write(flac, sound(1), RATE, "PCM_16", format="FLAC")
    (folder / "e-same-samples.flac").write_bytes(flac.getvalue())
    soundfile.write(folder / "f-silent.wav", np.zeros(RATE, dtype=np.int16), RATE, "PCM_16")
    (folder / "g-text.wav").write_text("no sound at all\n")
    names = ["path", *sorted(p.name for p in folder.iterdir()), "h-lost.wav"]
    (folder / "manifest.csv").write_text("\n".join(names) + "\n")
    return folder


def everything(source):
    folder = read_folder(source)
    return [*folder.items, *folder.refusals]


def test_every_item_is_accounted_for(lake, path, source):
    counts = take_batch.fn(path, "run-1", INTAKE, everything(source))
    assert counts == Counts(taken=8, done=3, quarantined=3, duplicates=2)
    reasons = {r["item"]: r["reason"] for r in lake.rows("SELECT item, reason FROM quarantine")}
    assert (reasons["f-silent.wav"], reasons["g-text.wav"]) == ("silent", "not_audio")
    assert set(reasons) == {"f-silent.wav", "g-text.wav", "h-lost.wav"}
    how = {r["item"]: (r["how"], r["of"]) for r in lake.rows("SELECT * FROM duplicates")}
    ids = {r["item"]: r["asset_id"] for r in lake.rows("SELECT item, asset_id FROM assets")}
    assert how == {
        "d-same-bytes.wav": ("bytes", ids["a.wav"]),
        "e-same-samples.flac": ("samples", ids["b.wav"]),
    }


def test_the_counts_stand_in_the_lake_under_the_run(lake, path, source):
    take_batch.fn(path, "run-1", INTAKE, everything(source))
    (row,) = lake.rows("SELECT * FROM step_counts")
    assert (row["run_id"], row["step"], row["taken"], row["done"]) == ("run-1", "ingest-take", 8, 3)


def test_seen_again_everything_is_already_there(lake, path, source):
    take_batch.fn(path, "run-1", INTAKE, everything(source))
    tables = ("assets", "quarantine", "duplicates", "lineage")
    before = [lake.sql(f"SELECT * FROM {table} ORDER BY ALL") for table in tables]
    counts = take_batch.fn(path, "run-2", INTAKE, everything(source))
    assert counts == Counts(taken=8, already=8)
    assert [lake.sql(f"SELECT * FROM {table} ORDER BY ALL") for table in tables] == before


@pytest.mark.parametrize("workers", [1, 4])
def test_batches_and_workers_change_nothing(lake, path, source, workers):
    items = everything(source)
    parts = [take_batch.fn(path, "run", INTAKE, items[n : n + 3], workers=workers) for n in (0, 3, 6)]
    assert sum(parts, Counts()) == Counts(taken=8, done=3, quarantined=3, duplicates=2)
    assert [r["item"] for r in lake.rows("SELECT item FROM assets ORDER BY item")] == [
        "a.wav",
        "b.wav",
        "c.wav",
    ]


def test_what_is_still_refused_of_a_source_is_known(lake, path, source):
    items = everything(source)
    take_batch.fn(path, "run-1", INTAKE, items)
    names = [item.item for item in items]
    assert refused_among(lake, INTAKE, names) == {"f-silent.wav", "g-text.wav", "h-lost.wav"}
    assert refused_among(lake, INTAKE, names[:6]) == {"f-silent.wav"}
    assert refused_among(lake, Intake("speech"), names) == set()


def test_a_file_put_right_leaves_the_quarantine(lake, path, source):
    take_batch.fn(path, "run-1", INTAKE, everything(source))
    soundfile.write(source / "f-silent.wav", sound(7), RATE, "PCM_16")
    counts = take_batch.fn(path, "run-2", INTAKE, everything(source))
    assert counts == Counts(taken=8, done=1, already=7)
    assert lake.rows("SELECT item FROM quarantine WHERE item = 'f-silent.wav'") == []

"""``sonolake.load``: records with numpy arrays, from wherever a release lies."""

import pickle
import shutil

import numpy as np
import pyarrow.parquet as pq
import pytest

import sonolake
from sonolake.errors import Damaged, InvalidInput, NotFound, Refused
from sonolake.releases import pull, pull_items


def ids(records):
    return [record["item_id"] for record in records]


def expected(kind, split, count):
    return {f"{kind}-{split}-{n:02d}" for n in range(count)}


def test_every_record_of_a_split_comes_once(release):
    records = sonolake.load(release, split="train")
    assert len(records) == 23 and len(records.shards) > 4
    found = ids(records)
    assert set(found) == expected("scene", "train", 23) and len(found) == 23
    assert found == ids(records), "each iteration begins anew, in the same order"


def test_without_a_split_all_come_in_order(release):
    splits = [record["split"] for record in sonolake.load(release)]
    assert splits == ["train"] * 23 + ["validation"] * 3 + ["test"] * 5


def test_a_record_is_its_row_with_samples(release, samples):
    (record,) = (r for r in sonolake.load(release, split="test") if r["item_id"] == "scene-test-02")
    audio = record.pop("audio")
    assert audio.dtype == np.float32 and audio.shape == samples("scene-test-02", 1).shape
    assert np.array_equal(audio, samples("scene-test-02", 1) / np.float32(32768))
    assert record == {
        "item_id": "scene-test-02",
        "licence": "CC0-1.0",
        "duration_s": len(audio) / 8000,
        "sample_rate": 8000,
        "channels": 1,
        "events": [{"event": "bark", "onset_s": 0.2}] * 2,
        "split": "test",
    }


def test_encoded_is_the_file_as_it_lies_in_the_shard(release):
    (record,) = sonolake.load(release, split="test", where="item_id = 'scene-test-02'", dtype="encoded")
    (shard,) = pq.read_table(
        release / "data" / "sounds", filters=[("item_id", "=", "scene-test-02")], partitioning=None
    ).to_pylist()
    assert record["audio"] == shard["audio"]["bytes"] and record["sample_rate"] == 8000


def test_ambisonics_has_four_channels_bit_for_bit(release, samples):
    records = list(sonolake.load(release, split="train", config="rms-aqa", dtype="int16"))
    assert len(records) == 2
    for record in records:
        assert record["audio"].shape[1] == 4
        assert np.array_equal(record["audio"], samples(record["item_id"], 4))


@pytest.mark.parametrize(
    ("dtype", "one"), [("float32", 2**15), ("float64", 2**15), ("int16", 1), ("int32", 2**-16)]
)
def test_samples_come_as_asked(release, samples, dtype, one):
    record = next(iter(sonolake.load(release, split="train", dtype=dtype)))
    assert record["audio"].dtype == dtype
    assert np.array_equal(record["audio"] * np.float64(one), samples(record["item_id"], 1))


def test_an_item_without_sound_has_none(release):
    records = {r["item_id"]: r for r in sonolake.load(release, config="notes")}
    assert [records[f"note-test-{n:02d}"]["audio"] is None for n in range(4)] == [False, True, False, True]


def test_only_some_columns(release):
    records = sonolake.load(release, split="test", columns=["item_id", "events"])
    assert all(set(record) == {"item_id", "events", "split"} for record in records)
    heard = next(iter(sonolake.load(release, split="test", columns=["audio"])))
    assert set(heard) == {"audio", "sample_rate", "split"}


def test_a_condition_chooses(release):
    records = sonolake.load(release, split="train", where="licence = 'CC0-1.0' AND item_id > 'scene-train-1'")
    assert sorted(ids(records)) == [f"scene-train-{n}" for n in (10, 12, 14, 16, 18, 20, 22)]
    assert len(records) == 7
    with pytest.raises(NotFound, match=r"no item of sounds@1\.0\.0 fits"):
        sonolake.load(release, where="duration_s > 99")


@pytest.mark.parametrize("below", ["", "/sounds/1.0.0"])
def test_over_http_it_is_the_same(release, address, samples, below):
    here = list(sonolake.load(release, split="validation"))
    there = list(sonolake.load("sounds@1.0.0", split="validation", source=address + below))
    for one, other in zip(here, there, strict=True):
        assert np.array_equal(one.pop("audio"), other.pop("audio")) and one == other
    assert ids(sonolake.load(f"{address}/sounds/1.0.0", split="validation")) == [r["item_id"] for r in here]


def test_by_name_from_a_folder_of_releases(release):
    assert len(sonolake.load("sounds@1.0.0", split="test", source=release.parents[1])) == 5
    assert len(sonolake.load("sounds@1.0.0", split="test", source=release.parents[2])) == 5
    with pytest.raises(NotFound, match=r"that is sounds@1\.0\.0"):
        sonolake.load("other@1.0.0", source=release)


def test_by_name_from_the_lake_that_is_named(release, tmp_path, monkeypatch):
    monkeypatch.delenv("SONOLAKE_LAKE", raising=False)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(NotFound, match="no lake was named"):
        sonolake.load("sounds@1.0.0")
    with sonolake.Lake.create(tmp_path / "lake") as lake:
        shutil.copytree(release, lake.releases_root / "sounds" / "1.0.0")
        mark = (release / "_COMPLETE").read_text().strip()
        row = {
            "name": "sounds",
            "version": "1.0.0",
            "snapshot": 1,
            "manifest_sha256": mark,
            "state": "published",
        }
        lake.table("releases").append([row])
    monkeypatch.setenv("SONOLAKE_LAKE", str(tmp_path / "lake"))
    assert len(sonolake.load("sounds@1.0.0", split="test")) == 5
    monkeypatch.delenv("SONOLAKE_LAKE")
    monkeypatch.chdir(tmp_path / "lake")
    assert len(sonolake.load("sounds@1.0.0", split="test")) == 5
    with sonolake.Lake.open(tmp_path / "lake") as lake:
        lake.table("releases").merge([{**row, "state": "retracted"}])
    with pytest.raises(Refused, match="is being retracted"):
        sonolake.load("sounds@1.0.0")


def test_of_a_part_what_was_pulled_is_read(release, tmp_path):
    pull(release, tmp_path / "mine", ["test"])
    assert set(ids(sonolake.load(tmp_path / "mine", split="test"))) == expected("scene", "test", 5)
    with pytest.raises(NotFound, match="pull it with --split train"):
        sonolake.load(tmp_path / "mine", split="train")


def test_of_chosen_items_these_are_read(release, tmp_path, samples):
    pull_items(release, tmp_path / "mine", "licence = 'CC-BY-4.0' AND channels = 1")
    records = list(sonolake.load(tmp_path / "mine", split="train", dtype="int16"))
    assert sorted(r["item_id"] for r in records) == [f"scene-train-{n:02d}" for n in range(1, 23, 2)]
    assert all(np.array_equal(r["audio"], samples(r["item_id"], 1)) for r in records)
    one = sonolake.load(tmp_path / "mine", where="item_id = 'scene-train-07'")
    assert ids(one) == ["scene-train-07"]


def test_a_changed_sound_is_named(release, tmp_path):
    folder = tmp_path / "changed"
    shutil.copytree(release, folder)
    items = pq.read_table(folder / "items.parquet", filters=[("item_id", "=", "scene-test-03")]).to_pylist()
    (shard,) = folder.glob(f"data/sounds/test-{items[0]['shard']:05d}-of-*.parquet")
    with shard.open("r+b") as file:
        file.seek(items[0]["offset"] + 50)
        file.write(b"?")
    with pytest.raises(Damaged, match=r"cannot be read|scene-test-03 has another SHA-256"):
        list(sonolake.load(folder, split="test"))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"config": "cares"}, "config: expected one of notes, rms-aqa, sounds"),
        ({"split": "dev"}, "split of sounds: expected one of train, validation, test"),
        ({"config": "notes", "split": "train"}, "split of notes: expected one of test"),
        ({"dtype": "int8"}, "dtype"),
        ({"columns": ["item_id", "voices"]}, r"columns: expected some of item_id, .*'voices'"),
        ({"where": "voices = 2"}, "where"),
    ],
)
def test_what_there_is_not_is_said(release, options, said):
    with pytest.raises(InvalidInput, match=said):
        sonolake.load(release, **options)


def test_a_folder_that_is_not_there_is_said(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidInput, match=r"received 'my-cpoy'\. Likely cause: there is no such folder"):
        sonolake.load("my-cpoy")


def test_without_a_config_the_release_must_have_one_or_one_of_its_name(release, tmp_path):
    assert sonolake.load(release).config == "sounds"
    with pytest.raises(NotFound):
        sonolake.load(tmp_path)


def test_records_can_be_sent_to_another_process(release, address):
    for place in (release, f"{address}/sounds/1.0.0"):
        records = sonolake.load(place, split="test")
        first = ids(records)
        assert ids(pickle.loads(pickle.dumps(records))) == first

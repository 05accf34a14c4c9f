import hashlib
import io
import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import soundfile
from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.errors import Damaged, InvalidInput
from sonolake.releases import build
from sonolake.releases.disk import sha256_of
from sonolake.releases.features import feature_of
from sonolake.releases.shards import GROUP_BYTES, released_schema, shard_of, shards_for, write_shard

SCHEMA = pa.schema([("item_id", pa.string()), ("audio_asset", pa.string())])


def shard(store, sounds, path):
    assets = [None if s is None else store.put(s) for s in sounds]
    table = pa.table({"item_id": [f"i{n:04d}" for n in range(len(sounds))], "audio_asset": assets}, SCHEMA)
    written = write_shard(table, released_schema(SCHEMA, None), store.__getitem__, path)
    assert (written.sha256, written.bytes) == (sha256_of(path), path.stat().st_size)
    return written.places


@pytest.mark.parametrize(
    ("item", "shards", "expected"),
    [("a", 1, 0), ("a", 4, 3), ("abc", 4, 2), ("abc", 16, 11), ("", 4, 3)],
)
def test_the_shard_is_the_top_bits_of_the_published_digests(item, shards, expected):
    # FIPS 180-4 examples: sha256("a") = ca97..., ("abc") = ba78..., ("") = e3b0...
    assert shard_of(item, shards) == expected


@settings(deadline=None, max_examples=100)
@given(st.text(), st.integers(0, 12))
def test_doubling_the_shards_splits_each_in_two(item, power):
    assert shard_of(item, 2 << power) // 2 == shard_of(item, 1 << power)


@settings(deadline=None, max_examples=100)
@given(st.integers(0, 100_000), st.integers(1, 500))
def test_shards_are_the_smallest_power_of_two_that_is_enough(rows, each):
    shards = shards_for(rows, each)
    assert shards & (shards - 1) == 0
    assert shards * each >= rows
    assert shards == 1 or shards // 2 * each < rows


def test_shards_are_filled_evenly():
    counts = np.bincount([shard_of(f"scene-{i}", 8) for i in range(8000)], minlength=8)
    assert counts.sum() == 8000
    assert (abs(counts - 1000) < 4 * np.sqrt(1000 * 7 / 8)).all()


def test_row_groups_hold_at_most_100_rows(store, tmp_path):
    shard(store, [bytes([n]) * 50 for n in range(250)], tmp_path / "s.parquet")
    meta = pq.read_metadata(tmp_path / "s.parquet")
    assert [meta.row_group(i).num_rows for i in range(meta.num_row_groups)] == [100, 100, 50]


def test_row_groups_hold_at_most_64_megabytes(store, tmp_path):
    third = GROUP_BYTES // 3
    shard(store, [bytes([n]) * third for n in range(4)], tmp_path / "s.parquet")
    meta = pq.read_metadata(tmp_path / "s.parquet")
    assert [meta.row_group(i).num_rows for i in range(meta.num_row_groups)] == [3, 1]


def test_pages_are_indexed_but_sounds_have_no_statistics(store, tmp_path):
    shard(store, [b"x" * 100], tmp_path / "s.parquet")
    group = pq.read_metadata(tmp_path / "s.parquet").row_group(0)
    columns = {group.column(i).path_in_schema: group.column(i) for i in range(group.num_columns)}
    assert columns["item_id"].has_column_index and columns["item_id"].has_offset_index
    assert columns["audio.bytes"].statistics is None
    assert columns["audio.bytes"].compression == "UNCOMPRESSED"


@settings(deadline=None, max_examples=30)
@given(st.lists(st.one_of(st.none(), st.binary(max_size=300)), max_size=130))
def test_every_sound_lies_where_the_offsets_say(tmp_path_factory, sounds):
    path = tmp_path_factory.mktemp("s") / "s.parquet"
    store = {hashlib.sha256(s).hexdigest(): s for s in sounds if s is not None}

    class Putting(dict):
        def put(self, data):
            return hashlib.sha256(data).hexdigest()

    places = shard(Putting(store), sounds, path)
    whole = path.read_bytes()
    for sound, place in zip(sounds, places, strict=True):
        assert (place is None) == (sound is None)
        if sound is not None:
            assert whole[place.offset : place.offset + place.bytes] == sound
            assert store[place.sha256] == sound


def test_four_channels_come_back_bit_for_bit(content, store, release):
    assert len(content.configs[1].splits) == 2
    table = pq.ParquetFile(release / "data/rms-aqa/train-00000-of-00001.parquet").read()
    for row in table.to_pylist():
        data = row["audio"]["bytes"]
        assert hashlib.sha256(data).hexdigest() in store
        samples, rate = soundfile.read(io.BytesIO(data), dtype="int16", always_2d=True)
        seed = int.from_bytes(hashlib.sha256(row["item_id"].encode()).digest()[:4], "big")
        expected = np.random.default_rng(seed).integers(-20000, 20000, (1600, 4), dtype=np.int16)
        assert rate == 8000
        assert np.array_equal(samples, expected)


def test_the_loader_of_hugging_face_is_told_what_is_sound(release):
    schema = pq.read_schema(release / "data/cares/train-00000-of-00001.parquet")
    features = json.loads(schema.metadata[b"huggingface"])["info"]["features"]
    assert features["audio"] == {"sampling_rate": 8000, "_type": "Audio"}
    assert features["item_id"] == {"dtype": "string", "_type": "Value"}
    assert features["events"][0]["onset_s"] == {"dtype": "float64", "_type": "Value"}
    assert list(features) == schema.names
    assert schema.field("audio").type == pa.struct([("bytes", pa.binary()), ("path", pa.string())])


def test_a_type_without_a_feature_is_refused_by_name():
    with pytest.raises(InvalidInput, match="column when"):
        feature_of(pa.timestamp("us"), "when")


def test_media_under_a_wrong_name_are_found(content, store, tmp_path):
    first = content.configs[0].splits["train"]["audio_asset"][0].as_py()
    store[first] = b"something else"
    with pytest.raises(Damaged, match=first):
        build(content, store.__getitem__, tmp_path / "r")
    assert list(tmp_path.iterdir()) == []

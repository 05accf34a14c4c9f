"""A file whose sounds are put in behind Arrow's back is the file that Arrow writes with them."""

import hashlib

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.errors import Refused
from sonolake.releases import splicing
from sonolake.releases.compact import Reader, Value, written
from sonolake.releases.features import AUDIO_TYPE
from sonolake.releases.shards import audio_column, writer_options
from sonolake.releases.splicing import SplicedWriter

SCHEMA = pa.schema(
    [
        ("item_id", pa.string()),
        ("events", pa.list_(pa.struct([("label", pa.string()), ("onset_s", pa.float64())]))),
        ("audio", AUDIO_TYPE),
        ("said", pa.string()),
    ]
)
SOUNDS = st.one_of(st.none(), st.binary(max_size=40), st.integers(1, 3_000_000).map(lambda n: b"\xa5" * n))
GROUPS = st.lists(st.lists(SOUNDS, min_size=1, max_size=6), max_size=5)


def table(sounds, held, number):
    rows = len(sounds)
    names = [None if sound is None else f"{number}-{row}.bin" for row, sound in enumerate(sounds)]
    columns = {
        "item_id": [f"i{number}-{row}" for row in range(rows)],
        "events": [
            [{"label": "x" * 300 * number, "onset_s": float(n)} for n in range(row)] for row in range(rows)
        ],
        "audio": audio_column(held, names),
        "said": [None if row % 2 else "y" * 1000 for row in range(rows)],
    }
    return pa.table(columns, SCHEMA)


@settings(deadline=None, max_examples=60)
@given(GROUPS)
def test_the_bytes_are_those_that_arrow_writes(tmp_path_factory, groups):
    folder = tmp_path_factory.mktemp("spliced")
    options = writer_options(SCHEMA)
    with pq.ParquetWriter(folder / "arrow", SCHEMA, **options) as writer:
        for number, sounds in enumerate(groups):
            writer.write_table(table(sounds, sounds, number))
    with SplicedWriter(folder / "ours", SCHEMA, options) as spliced:
        places = [
            spliced.write(table(sounds, spliced.placeholders(sounds), number), sounds)
            for number, sounds in enumerate(groups)
        ]
    whole = (folder / "ours").read_bytes()
    assert whole == (folder / "arrow").read_bytes()
    assert (spliced.size, spliced.sha256.hexdigest()) == (len(whole), hashlib.sha256(whole).hexdigest())
    for sounds, found in zip(groups, places, strict=True):
        for sound, at in zip(sounds, found, strict=True):
            assert at is None if sound is None else whole[at : at + len(sound)] == sound


def test_a_sound_that_no_page_can_hold_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(splicing, "_LARGEST", 1000)
    with SplicedWriter(tmp_path / "s", SCHEMA, writer_options(SCHEMA)) as writer:
        writer.write(table([b"x" * 900], writer.placeholders([b"x" * 900]), 0), [b"x" * 900])
        with pytest.raises(Refused, match="more than a page of Parquet can hold"):
            writer.write(table([b"x" * 1001], writer.placeholders([b"x" * 1001]), 1), [b"x" * 1001])


def test_structs_are_written_as_the_specification_says():
    # 0 and 150 zigzag to 0 and 300, whose seven-bit groups are ac 02; each head is the step of the id and type 5 (i32)
    assert written({1: Value(5, 0), 2: Value(5, 150)}) == bytes.fromhex("150015ac0200")
    # a step of more than 15 is a head of the type alone and the id by itself: 20 zigzags to 40; true is type 1
    assert written({20: Value(1, True)}) == bytes([1, 40, 0])


SCALARS = st.one_of(
    st.builds(Value, st.sampled_from([4, 5, 6]), st.integers(-(2**31), 2**31 - 1)),
    st.builds(lambda held: Value(1 if held else 2, held), st.booleans()),
    st.builds(Value, st.just(7), st.floats(allow_nan=False)),
    st.builds(Value, st.just(8), st.binary(max_size=200)),
)
STRUCTS = st.recursive(
    st.dictionaries(st.integers(1, 60), SCALARS, max_size=8),
    lambda inner: st.dictionaries(
        st.integers(1, 60), st.one_of(SCALARS, st.builds(Value, st.just(12), inner)), max_size=8
    ),
    max_leaves=10,
).map(lambda fields: dict(sorted(fields.items())))


@settings(deadline=None)
@given(STRUCTS)
def test_what_is_written_is_read(fields):
    raw = written(fields)
    reader = Reader(raw)
    assert reader.fields() == fields
    assert reader.at == len(raw)

"""Encoders that the user brings: filled beside what is there, then all searches go over at once."""

import json
import shlex
import sys

import numpy as np
import pytest

from sonolake.audio.encode import flac_bytes
from sonolake.errors import InvalidInput, Refused, Unreachable
from sonolake.lake.step import Counts
from sonolake.search import Sound, search
from sonolake.search.current import InUse, in_use
from tasks.embedding import embed_batch, to_embed
from tasks.encoding import encode_batch, switch_to

RATE = 16000
SCRIPT = '''
"""Vectors of two numbers: whether a sound is high or low; of a text, whether it says so."""
import json, sys
import numpy as np, pyarrow as pa, soundfile

weights, fault, what, out = sys.argv[1:]
if what == "describe":
    said = {"dim": 2, "sample_rate": 16000, "weights_sha256": weights * 64, "window_s": 1.0, "hop_s": 0.5, "text": True}
    json.dump(said, open(out, "w"))
    sys.exit()
rows = []
for line in map(json.loads, sys.stdin):
    if what == "text":
        rows.append([1.0, 0.0] if "high" in line["text"] else [0.0, 1.0])
        continue
    x, rate = soundfile.read(line["path"])
    pitch = np.abs(np.fft.rfft(x)).argmax() * rate / len(x)
    if fault == "always" or fault == "high" and 700 < pitch < 1300:
        sys.exit("cannot hear this")
    rows.append([1.0, 0.1] if pitch > 700 else [0.1, 1.0])
table = pa.table({"vector": pa.array(rows, pa.list_(pa.float32()))})
with pa.OSFile(out, "wb") as sink, pa.ipc.new_stream(sink, table.schema) as stream:
    stream.write_table(table)
'''


def tone(seconds, pitch):
    t = np.arange(round(RATE * seconds)) / RATE
    return 0.25 * np.sin(2 * np.pi * pitch * t)


def take(lake, name, pitch, seconds=1.7):
    samples = np.round(32767 * tone(seconds, pitch)).astype(np.int16)
    row = {"asset_id": lake.media.put(flac_bytes(samples, RATE)), "kind": "take", "item": name, "event": name}
    lake.table("assets").append([row])
    return row["asset_id"]


@pytest.fixture
def ids(lake):
    return {name: take(lake, name, pitch) for name, pitch in (("low", 300), ("high", 1000))}


@pytest.fixture(scope="module")
def script(tmp_path_factory):
    path = tmp_path_factory.mktemp("encoder") / "encode.py"
    path.write_text(SCRIPT)
    return path


@pytest.fixture
def spec(script):
    def make(weights="a", fault="none"):
        return f"exec:{shlex.join([sys.executable, str(script), weights, fault])}"

    return make


def events(lake, **asked):
    return search(lake, **asked)["event"].to_pylist()


def test_vectors_fill_a_space_of_their_own_once_and_name_their_weights(lake, path, ids, spec):
    first = encode_batch.fn(path, "run-1", spec(), to_embed(lake))
    assert first == Counts(taken=2, done=2, made=6)
    assert encode_batch.fn(path, "run-2", spec(), to_embed(lake)) == Counts(taken=2, already=2)
    assert lake.vectors.spaces() == ["exec-aaaaaaaaaaaa-1000-500"]
    rows = lake.vectors.read("exec-aaaaaaaaaaaa-1000-500", [ids["low"]]).to_pylist()
    assert {row["weights_sha256"] for row in rows} == {"a" * 64} and {row["model"] for row in rows} == {
        spec()
    }
    assert [(row["start_s"], row["end_s"]) for row in rows] == [(0.0, 1.0), (0.5, 1.5), (1.0, 1.7)]
    assert rows[0]["event"] == "low", "filters are copied"


def test_searches_go_over_when_all_is_there_and_back(lake, path, ids, spec):
    embed_batch.fn(path, "run", to_embed(lake))
    encode_batch.fn(path, "run", spec(), to_embed(lake))
    assert in_use(lake) == {}, "filled, not used yet"
    assert switch_to.fn(path, "run", spec()) == ("words", "sounds")
    space = "exec-aaaaaaaaaaaa-1000-500"
    assert in_use(lake)["words"] == InUse("words", spec(), "a" * 64, space)
    assert events(lake, text="something high") == ["high", "low"]
    assert events(lake, text="something deep") == ["low", "high"]
    answer = search(lake, like=Sound(tone(1.0, 1100), RATE))
    assert answer["event"].to_pylist() == ["high", "low"]
    assert answer["found_by"].to_pylist()[0][0]["query"] == "exec"
    assert switch_to.fn(path, "run", spec()) == (), "it is in use already"
    assert switch_to.fn(path, "run", "yamnet") == ("words", "sounds")
    assert in_use(lake) == {}
    back = search(lake, like=Sound(tone(1.0, 1100), RATE))
    assert {one["query"] for row in back["found_by"].to_pylist() for one in row} == {"sound"}
    assert [row["model"] for row in lake.rows("SELECT model FROM encoders ORDER BY since, role")] == [
        spec(), spec(), "yamnet", "bridge",
    ]  # fmt: skip


def test_a_new_model_fills_beside_the_old_one_which_answers_until_the_switch(lake, path, ids, spec):
    encode_batch.fn(path, "run", spec("a"), to_embed(lake))
    switch_to.fn(path, "run", spec("a"))
    encode_batch.fn(path, "run", spec("b"), to_embed(lake)[:1])
    assert len(lake.vectors.spaces()) == 2
    assert sorted(events(lake, text="something high")) == ["high", "low"], "the old vectors are whole"
    encode_batch.fn(path, "run", spec("b"), to_embed(lake))
    switch_to.fn(path, "run", spec("b"))
    assert in_use(lake)["sounds"].weights_sha256 == "b" * 64


def test_nothing_is_gone_over_to_that_has_no_vectors(lake, path, ids, spec):
    with pytest.raises(Refused, match="has made no vectors in this lake"):
        switch_to.fn(path, "run", spec())
    with pytest.raises(InvalidInput, match="beats:FILE"):
        switch_to.fn(path, "run", "minilm")


def test_weights_that_changed_since_are_not_compared_with_the_old_vectors(
    lake, path, ids, spec, tmp_path, script
):
    changing = tmp_path / "weights"
    changing.write_text("c")
    inner = json.dumps([sys.executable, str(script)])
    wrapper = tmp_path / "wrapper.py"
    wrapper.write_text(
        f"import subprocess, sys\nweights = open({str(changing)!r}).read()\n"
        f"sys.exit(subprocess.run([*{inner}, weights, 'none', *sys.argv[1:]]).returncode)\n"
    )
    changed = f"exec:{shlex.join([sys.executable, str(wrapper)])}"
    encode_batch.fn(path, "run", changed, to_embed(lake))
    switch_to.fn(path, "run", changed)
    changing.write_text("d")
    from sonolake.models import registry

    del registry._LOADED[changed]
    with pytest.raises(Refused, match="other weights now"):
        search(lake, text="something high")


def test_a_sound_that_ends_the_command_is_set_aside_and_the_others_are_embedded(lake, path, ids, spec):
    counts = encode_batch.fn(path, "run", spec(fault="high"), to_embed(lake))
    assert counts == Counts(taken=2, done=1, quarantined=1, made=3)
    (row,) = lake.rows("SELECT item, step, reason, detail FROM quarantine")
    assert (row["item"], row["step"], row["reason"]) == (ids["high"], "embed-exec", "encoder_failed")
    assert "cannot hear this" in row["detail"]


def test_a_command_that_fails_on_any_sound_is_nobodys_fault_and_ends_the_batch(lake, path, ids, spec):
    before = lake.snapshot
    with pytest.raises(Unreachable, match="ended with status 1; it printed: cannot hear this"):
        encode_batch.fn(path, "run", spec(fault="always"), to_embed(lake))
    assert lake.snapshot == before and lake.vectors.spaces() == []

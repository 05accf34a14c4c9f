"""WebDataset archives, read by webdataset."""

import io
import json
import tarfile

import numpy as np
import pytest
import soundfile

from sonolake.releases.exports.items import key_of


@pytest.fixture
def read(leaving_files_open):
    """From a folder to the samples of its archives."""

    def samples_in(folder):
        webdataset = pytest.importorskip("webdataset", reason="pip install -e .[dev] brings webdataset")
        urls = sorted(str(path) for path in folder.glob("*.tar"))
        with leaving_files_open():
            return list(webdataset.WebDataset(urls, shardshuffle=False, nodesplitter=None))

    return samples_in


def decoded(data):
    return soundfile.read(io.BytesIO(data), dtype="int16", always_2d=True)[0]


def test_samples_are_read_with_sound_json_and_text(made, samples, read):
    folder, summary = made("webdataset", "cares", "wesr-bench")
    found = {sample["__key__"]: sample for sample in read(folder)}
    assert summary.taken == summary.done == len(found) == 5
    assert np.array_equal(decoded(found["scene-1"]["flac"]), samples("scene-1"))
    assert np.array_equal(decoded(found["scene-9"]["wav"]), samples("scene-9"))
    about = json.loads(found["scene-1"]["json"])
    assert (about["item_id"], about["split"], about["licence"]) == ("scene-1", "train", "CC-BY-4.0")
    assert about["turns"][0]["words"][1]["text"] == "there"
    assert found["utterance-1"]["txt"] == b"Well [laughs] yes."


def test_an_odd_name_is_one_key_and_stays_in_the_json(made, read):
    folder, _ = made("webdataset", "cares", splits=["train"])
    found = {sample["__key__"]: sample for sample in read(folder)}
    key = key_of("Track 2.0 (Clean)")
    assert key.startswith("Track_2_0_Clean_-") and set(found) == {"scene-1", "scene-2", key}
    assert {"flac", "json"} <= set(found[key])
    assert json.loads(found[key]["json"])["item_id"] == "Track 2.0 (Clean)"


def test_four_channels_stay_bit_for_bit(made, samples, read):
    folder, _ = made("webdataset", "rms-aqa")
    for sample in read(folder):
        assert np.array_equal(decoded(sample["flac"]), samples(sample["__key__"], 4))


def test_archives_say_nothing_of_when_and_by_whom(made):
    folder, _ = made("webdataset")
    again, _ = made("webdataset", to="again")
    names = sorted(path.name for path in folder.glob("*.tar"))
    assert "cares-train-000000.tar" in names and "cares-test-000000.tar" in names
    sizes = {}
    for name in names:
        assert (folder / name).read_bytes() == (again / name).read_bytes()
        with tarfile.open(folder / name) as tar:
            members = tar.getmembers()
        assert [m.name for m in members] == sorted(m.name for m in members)
        assert {(m.mtime, m.uid, m.gid, m.mode, m.uname) for m in members} == {(0, 0, 0, 0o644, "")}
        sizes[name] = sum(m.name.endswith(".json") for m in members)
    assert json.loads((folder / "sizes.json").read_text()) == sizes


def test_an_item_without_sound_is_named(made):
    _, summary = made("webdataset")
    assert summary.taken == summary.done + 1 == 8
    assert [(one.item_id, one.reason) for one in summary.refused] == [("note-1", "no sound")]

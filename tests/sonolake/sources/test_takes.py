"""Small folders of our own in the layouts of ESC-50, FSD50K and AudioSet, unpacked and taken in."""

import csv
import json

import numpy as np
import pytest
from typer.testing import CliRunner

from sonolake.audio.decode import decode
from sonolake.audio.encode import wav_bytes
from sonolake.cli.app import app
from sonolake.errors import InvalidInput, NotFound
from sonolake.sources.folder import read_folder
from sonolake.sources.takes import unpack_takes

RATE = 16_000


def tone(path, seconds=1.0, start=0.0, level=0.3, hz=600.0, length=None):
    """A tone of ``seconds`` from ``start``, in a file of ``length`` seconds."""
    x = np.zeros(round((length or start + seconds) * RATE))
    first, count = round(start * RATE), round(seconds * RATE)
    x[first : first + count] = level * np.sin(2 * np.pi * hz * np.arange(count) / RATE + 0.5)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(wav_bytes(np.clip(np.rint(x * 32768), -32768, 32767).astype(np.int16)[:, None], RATE))


@pytest.fixture
def esc50(tmp_path):
    root = tmp_path / "ESC-50"
    tone(root / "audio/1-101-A-0.wav", 0.5, start=1.0, length=5.0)
    tone(root / "audio/1-101-B-0.wav", level=0.0)
    tone(root / "audio/2-202-A-11.wav")
    tone(root / "audio/2-303-A-38.wav", level=2.0)
    (root / "meta").mkdir()
    (root / "meta/esc50.csv").write_text(
        "filename,fold,target,category,esc10,src_file,take\n"
        "1-101-A-0.wav,1,0,dog,True,101,A\n1-101-B-0.wav,1,0,dog,True,101,B\n"
        "2-202-A-11.wav,2,11,sea_waves,True,202,A\n2-303-A-38.wav,2,38,clock_tick,False,303,A\n"
        "3-404-A-17.wav,3,17,pouring_water,False,404,A\n"
    )
    (root / "LICENSE").write_text(
        "# A set\n\n101 - Dog:\n"
        "- [1-101-A.ogg]: clip derived from Rex (again).wav "
        "(http://www.freesound.org/people/ann/sounds/101/) by ann [CC0]\n"
    )
    return root


def rows(folder):
    with (folder / "manifest.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def reasons(made):
    return {one.item: one.reason for one in made.left_out}


def test_esc_50_with_the_licence_of_each_clip(esc50, tmp_path):
    made = unpack_takes("esc50", esc50, tmp_path / "dry")
    assert (made.taken, made.written) == (5, 1)
    assert reasons(made) == {
        "esc50-1-101-B-0": "silent",
        "esc50-2-202-A-11": "not_domestic",
        "esc50-2-303-A-38": "clipped",
        "esc50-3-404-A-17": "missing",
    }
    (row,) = rows(tmp_path / "dry")
    assert row["event"] == "home/dog_bark"
    assert (row["source_id"], row["author"], row["licence"]) == ("freesound:101", "ann", "CC0")
    assert (row["title"], row["group"]) == ("Rex (again).wav", "animals")
    kept = decode((tmp_path / "dry" / row["path"]).read_bytes()).samples
    assert len(kept) / RATE == pytest.approx(0.5, abs=0.001)


def test_unpacked_again_nothing_changes_and_the_folder_is_a_source(esc50, tmp_path):
    before = unpack_takes("esc50", esc50, tmp_path / "dry")
    assert unpack_takes("esc50", esc50, tmp_path / "dry") == before
    (item,) = read_folder(tmp_path / "dry").items
    assert item.fields["event"] == "home/dog_bark"


def test_fsd50k_by_collection_ratings_and_licence(tmp_path):
    root = tmp_path / "FSD50K"
    for name in (11, 12, 13, 14):
        tone(root / f"FSD50K.dev_audio/{name}.wav")
    collection = root / "FSD50K.metadata/collection"
    collection.mkdir(parents=True)
    (collection / "collection_dev.csv").write_text(
        'fname,labels,mids\n11,Toilet_flush,/m/01jt3m\n12,"Bark,Meow","/m/a,/m/b"\n'
        "13,Knock,/m/07r4wb8\n14,Sonar,/m/c\n"
    )
    by = "http://creativecommons.org/licenses/by/4.0/"
    info = {"11": {"title": "flush", "tags": ["toilet", "water"], "license": by, "uploader": "bea"}}
    (root / "FSD50K.metadata/dev_clips_info_FSD50K.json").write_text(json.dumps(info))
    ratings = {"11": {"/m/01jt3m": [1.0, 0.5]}, "13": {"/m/07r4wb8": [0.5, 0.5]}}
    (root / "FSD50K.metadata/pp_pnp_ratings_FSD50K.json").write_text(json.dumps(ratings))
    made = unpack_takes("fsd50k", root, tmp_path / "dry")
    assert reasons(made) == {
        "fsd50k-12": "several_sources",
        "fsd50k-13": "several_sources",
        "fsd50k-14": "not_domestic",
    }
    (row,) = rows(tmp_path / "dry")
    assert (row["event"], row["source_id"], row["author"]) == ("home/toilet_flush", "freesound:11", "bea")
    assert (row["licence"], row["tags"]) == (by, "toilet, water")


def test_fsd50k_without_its_collection_by_the_ground_truth(tmp_path):
    root = tmp_path / "FSD50K"
    tone(root / "FSD50K.eval_audio/21.wav")
    (root / "FSD50K.ground_truth").mkdir()
    (root / "FSD50K.ground_truth/eval.csv").write_text(
        'fname,labels,mids\n21,"Bark,Dog,Domestic_animals_and_pets,Animal","/m/a,/m/b,/m/c,/m/d"\n'
    )
    assert unpack_takes("fsd50k", root, tmp_path / "dry").written == 1
    assert rows(tmp_path / "dry")[0]["event"] == "home/dog_bark"


def test_audioset_events_alone_in_time_are_cut_out(tmp_path):
    root = tmp_path / "AudioSet"
    tone(root / "audio/Yabc_-def123_30000.wav", 10.0)
    (root / "mid_to_display_name.tsv").write_text("/m/bark\tBark\n/m/meow\tMeow\n/m/speech\tSpeech\n")
    (root / "audioset_eval_strong.tsv").write_text(
        "segment_id\tstart_time_seconds\tend_time_seconds\tlabel\n"
        "abc_-def123_30000\t1.000\t2.500\t/m/bark\n"
        "abc_-def123_30000\t4.000\t6.000\t/m/meow\n"
        "abc_-def123_30000\t5.900\t8.000\t/m/speech\n"
        "not_here_0\t0.000\t1.000\t/m/bark\n"
    )
    made = unpack_takes("audioset-strong", root, tmp_path / "dry")
    assert made.taken == 3
    assert set(reasons(made).values()) == {"several_sources"}
    (row,) = rows(tmp_path / "dry")
    assert (row["event"], row["source_id"]) == ("home/dog_bark", "youtube:abc_-def123")
    assert row["licence"] == "LicenseRef-unclear"
    assert row["url"].endswith("abc_-def123&t=30")
    kept = decode((tmp_path / "dry" / row["path"]).read_bytes()).samples
    assert len(kept) / RATE == pytest.approx(1.5, abs=0.001)


def test_hardly_audible_and_very_short_sounds_are_left_out(tmp_path):
    root = tmp_path / "ESC-50"
    tone(root / "audio/1-1-A-0.wav", level=0.0004)
    tone(root / "audio/1-2-A-0.wav", 0.05, start=1.0, length=3.0)
    (root / "meta").mkdir()
    (root / "meta/esc50.csv").write_text(
        "filename,category,esc10,src_file\n1-1-A-0.wav,dog,True,1\n1-2-A-0.wav,dog,True,2\n"
    )
    made = unpack_takes("esc50", root, tmp_path / "dry")
    assert set(reasons(made).values()) == {"too_quiet", "too_short"}


def test_what_is_no_such_set_is_named(tmp_path):
    with pytest.raises(InvalidInput, match="layout"):
        unpack_takes("urbansound", tmp_path, tmp_path / "dry")
    with pytest.raises(NotFound, match="no folder"):
        unpack_takes("esc50", tmp_path / "none", tmp_path / "dry")
    (tmp_path / "set").mkdir()
    with pytest.raises(NotFound, match="esc50"):
        unpack_takes("esc50", tmp_path / "set", tmp_path / "dry")
    with pytest.raises(InvalidInput, match="outside"):
        unpack_takes("esc50", tmp_path / "set", tmp_path / "set/dry")
    (tmp_path / "set/meta").mkdir()
    (tmp_path / "set/meta/esc50.csv").write_text("file,kind\n")
    with pytest.raises(InvalidInput, match="no filename"):
        unpack_takes("esc50", tmp_path / "set", tmp_path / "dry")


def test_the_command_says_what_was_left_out(esc50, tmp_path):
    result = CliRunner().invoke(app, ["unpack", "esc50", str(esc50), str(tmp_path / "dry")])
    assert result.exit_code == 0, result.output
    assert "1 of 5 sounds" in result.output
    assert "left out, clipped: 1" in result.output
    with (tmp_path / "dry-left-out.csv").open() as file:
        assert {row["reason"] for row in csv.DictReader(file)} == {
            "silent",
            "not_domestic",
            "clipped",
            "missing",
        }

"""Corpora in their published layouts, made here: what is read, and what is told about the rest."""

import io
import json
import tarfile

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sonolake.audio.encode import wav_bytes
from sonolake.errors import InvalidInput, ItemRefused, NotFound
from sonolake.wesr.corpora.clips import Clip, Unusable, load
from sonolake.wesr.corpora.reading import read
from sonolake.wesr.corpora.tables import corpus_of


def tone(number):
    return wav_bytes((9000 * np.sin(np.arange(1600) * (0.05 + number / 50))).astype(np.int16), 16_000)


def clips(corpus, source, columns=None):
    return list(read(corpus_of(corpus), source, columns))


def sounds(found):
    return list(load(clip.sound for clip in found if isinstance(clip, Clip)))


def parquet(path, rows, **audio):
    path.parent.mkdir(parents=True, exist_ok=True)
    kind = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
    columns = {name: pa.array([row[name] for row in rows]) for name in rows[0] if name != "audio"}
    pq.write_table(
        pa.table({**columns, "audio": pa.array([row["audio"] for row in rows], kind)}), path, row_group_size=2
    )


@pytest.fixture
def nonverbaltts(tmp_path):
    rows = [
        {
            "index": n,
            "audio": {"bytes": tone(n) if n != 3 else None, "path": f"ex{n}.wav"},
            "Result": f"one {n} \U0001f923",
            "duration": 0.1,
            "dnsmos": 3.5,
            "speaker_id": f"s{n % 2}",
            "gender": "f",
        }
        for n in range(5)
    ]
    rows[4]["Result"] = None
    parquet(tmp_path / "data" / "train-00000-of-00002.parquet", rows[:3])
    parquet(tmp_path / "data" / "train-00001-of-00002.parquet", rows[3:])
    return tmp_path


def test_nonverbaltts(nonverbaltts):
    found = clips("nonverbaltts", nonverbaltts)
    assert [one.item for one in found] == [f"nonverbaltts/ex{n}.wav" for n in range(5)]
    assert found[1].text == "one 1 \U0001f923"
    assert found[1].fields == {"language": "en", "speaker": "s1"}
    assert found[1].tags == {"duration": "0.1", "dnsmos": "3.5", "gender": "f"}
    assert found[4] == Unusable("nonverbaltts/ex4.wav", "malformed_row", "no text under 'Result'")
    data = sounds(found)
    assert data[:3] == [tone(0), tone(1), tone(2)]
    assert isinstance(data[3], ItemRefused) and data[3].reason == "empty"


def test_columns_of_another_version(nonverbaltts, tmp_path):
    parquet(tmp_path / "v2" / "a.parquet", [{"audio": {"bytes": tone(1), "path": None}, "sentence": "x"}])
    with pytest.raises(InvalidInput, match="--map"):
        clips("nonverbaltts", tmp_path / "v2")
    found = clips("nonverbaltts", tmp_path / "v2", {"text": "sentence"})
    assert [(one.item, one.text) for one in found] == [("nonverbaltts/a-0", "x")]
    with pytest.raises(InvalidInput, match="fields of text, audio"):
        clips("nonverbaltts", tmp_path / "v2", {"emotion": "x"})


def test_nvspeech_170k(tmp_path):
    with tarfile.open(tmp_path / "webdataset-00000.tar", "w") as tar:
        for n in range(3):
            said = {"text": f"好{n}[Laughter]", "speaker": f"s{n}", "dnsmos": 3.1, "words": [1, 2]}
            parts = {"mp3": tone(n), "json": json.dumps(said).encode() if n != 2 else b"{half"}
            for suffix, data in parts.items():
                member = tarfile.TarInfo(f"shard/ZH_B{n:05}_S01.v2.{suffix}")
                member.size = len(data)
                tar.addfile(member, io.BytesIO(data))
    whole = (tmp_path / "webdataset-00000.tar").read_bytes()
    (tmp_path / "webdataset-00001.tar").write_bytes(whole[:6000])
    found = clips("nvspeech-170k", tmp_path)
    assert found[0].text == "好0[Laughter]"
    assert found[0].fields == {"language": "zh", "speaker": "s0"}
    assert sounds(found)[:2] == [tone(0), tone(1)]
    assert found[2].reason == "malformed_row"
    assert found[3].item == f"{found[0].item}#2", "the second tar has the first one's clips again"
    assert found[-1].reason == "truncated"
    with pytest.raises(NotFound, match=r"\.tar"):
        clips("nvspeech-170k", tmp_path / "webdataset-00000")


def test_nonverbalspeech_38k(tmp_path):
    row = {"audio": {"bytes": tone(1), "path": "dir/a.wav"}, "caption": "他[laughing]走", "label": "laughing"}
    parquet(
        tmp_path / "a.parquet", [{**row, "language": "zh", "non_verbal_region": [0.2, 0.9], "source": "web"}]
    )
    (one,) = clips("nonverbalspeech-38k", tmp_path / "a.parquet")
    assert (one.text, one.fields) == ("他[laughing]走", {"language": "zh"})
    assert one.tags == {"label": "laughing", "source": "web"}


def test_smiip_nv(tmp_path):
    folder = tmp_path / "SMIIP_NV" / "MIC-0001" / "happy"
    folder.mkdir(parents=True)
    (folder / "MIC-0001_0001.wav").write_bytes(tone(1))
    lines = ["MIC-0001_0001.wav\t[Laughter]太好了", "MIC-0001_0002\t没有声音", "", "MIC-0001_0001.wav"]
    (folder / "annotation.txt").write_text("\ufeff" + "\r\n".join(lines), encoding="utf-8")
    found = clips("smiip-nv", tmp_path)
    assert found[0].fields == {"language": "zh", "speaker": "MIC-0001"}
    assert found[0].tags == {"emotion": "happy"}
    assert sounds(found) == [tone(1)]
    assert [one.reason for one in found[1:]] == ["missing", "malformed_row"]


def test_synparaspeech(tmp_path):
    (tmp_path / "clips").mkdir()
    (tmp_path / "clips" / "0001.wav").write_bytes(tone(2))
    (tmp_path / "audio_text.txt").write_text("0001.wav|在结婚呢？[sigh]\n", encoding="utf-8")
    (one,) = clips("synparaspeech", tmp_path)
    assert (one.item, one.text) == ("synparaspeech/0001.wav", "在结婚呢？[sigh]")
    (tmp_path / "audio_text.txt").write_text("7|zh|0001|换了列[sigh]\n", encoding="utf-8")
    (one,) = clips("synparaspeech", tmp_path, {"id": "3", "text": "4"})
    assert (one.text, sounds([one])) == ("换了列[sigh]", [tone(2)])


def test_mnv_17(tmp_path):
    (tmp_path / "wavs").mkdir()
    rows = []
    for n in range(2):
        name = f"speaker_F_02_ahem_{n:02}.wav"
        (tmp_path / "wavs" / name).write_bytes(tone(n))
        rows.append(
            {"audio": f"/data/{name}", "txt": f"[ahem] 第{n}句", "speaker": "speaker_F_02", "filename": name}
        )
    lines = [json.dumps(row, ensure_ascii=False) for row in rows] + ["[1]", "{"]
    (tmp_path / "test.jsonl").write_text("\n".join(lines), encoding="utf-8")
    found = clips("mnv-17", tmp_path)
    assert [one.text for one in found[:2]] == ["[ahem] 第0句", "[ahem] 第1句"]
    assert found[0].fields["speaker"] == "speaker_F_02"
    assert sounds(found) == [tone(0), tone(1)]
    assert [one.reason for one in found[2:]] == ["malformed_row", "malformed_row"]


def test_a_sound_that_goes_away(tmp_path):
    (tmp_path / "a.wav").write_bytes(tone(0))
    (tmp_path / "t.jsonl").write_text(json.dumps({"audio": "a.wav", "txt": "x"}))
    found = clips("mnv-17", tmp_path)
    (tmp_path / "a.wav").unlink()
    assert [one.reason for one in sounds(found)] == ["unreadable"]

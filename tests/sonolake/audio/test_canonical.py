"""Any recording as FLAC: the samples of a whole decode, in parts that are cut where it is quiet."""

import io

import av
import numpy as np
import pytest
import soundfile

from sonolake.audio import canonical as canonicals
from sonolake.audio.canonical import canonical
from sonolake.audio.decode import decode
from sonolake.errors import ItemRefused

RATE = 16_000


def tone(seconds=8.0, quiet=(2.2, 5.4)):
    """A tone that pauses for 0.6 s around each of some moments."""
    t = np.arange(int(seconds * RATE)) / RATE
    x = 0.4 * np.sin(2 * np.pi * 300 * t)
    for at in quiet:
        x[np.abs(t - at) < 0.3] = 0.0
    return x


def packed(x, form, coding):
    out = io.BytesIO()
    soundfile.write(out, x, RATE, format=form, subtype=coding)
    return out.getvalue()


def aac(x):
    out = io.BytesIO()
    with av.open(out, "w", format="mp4") as container:
        stream = container.add_stream("aac", RATE, layout="mono")
        frame = av.AudioFrame.from_ndarray(x[None].astype(np.float32), "fltp", "mono")
        frame.sample_rate = RATE
        container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return out.getvalue()


MADE = {
    "mp3": lambda x: packed(x, "MP3", "MPEG_LAYER_III"),
    "vorbis": lambda x: packed(x, "OGG", "VORBIS"),
    "wav": lambda x: packed(x, "WAV", "PCM_16"),
    "aac": aac,
}


@pytest.mark.parametrize("kind", MADE)
def test_in_one_piece_and_in_parts_it_is_the_whole_decode(tmp_path, kind):
    data = MADE[kind](tone())
    path = tmp_path / "talk"
    path.write_bytes(data)
    expected = decode(data).samples
    (whole,) = canonical(path, tmp_path, 60.0)
    assert np.abs(soundfile.read(whole.path, always_2d=True)[0] - expected).max() <= 2**-16
    parts = canonical(path, tmp_path, 3.0)
    joined = np.concatenate([soundfile.read(part.path, always_2d=True)[0] for part in parts])
    assert joined.shape == expected.shape and np.abs(joined - expected).max() <= 2**-16
    ends = [part.end_s for part in parts[:-1]]
    assert ends[0] == pytest.approx(2.2, abs=0.15) and all(part.end_s - part.start_s <= 3.0 for part in parts)
    assert any(abs(end - 5.4) < 0.2 for end in ends), "cut in the pauses"
    assert [part.start_s for part in parts[1:]] == ends


@pytest.mark.parametrize("kind", MADE)
def test_a_file_too_large_for_memory_promises_and_gives_the_same(tmp_path, monkeypatch, kind):
    path, data = tmp_path / "talk", MADE[kind](tone())
    path.write_bytes(data if kind == "aac" else data[:-500])

    def given():
        pieces = canonicals.parts(path, tmp_path, 3.0)
        return [(one.start_s, one.end_s, one.flags, one.path.read_bytes()) for one in pieces]

    read = given()
    assert len(read) >= 2 and read[-1][2] == (() if kind == "aac" else ("truncated_tail",))
    monkeypatch.setattr(canonicals, "WHOLE_BYTES", 1000)
    assert given() == read


def test_flac_stays_as_it_is(tmp_path):
    path = tmp_path / "talk"
    path.write_bytes(packed(tone(), "FLAC", "PCM_24"))
    (piece,) = canonical(path, tmp_path, 60.0)
    assert piece.path == path


def test_what_is_louder_than_full_scale_is_set_to_it(tmp_path):
    path = tmp_path / "loud"
    path.write_bytes(packed(3.0 * tone(), "WAV", "FLOAT"))
    (piece,) = canonical(path, tmp_path, 60.0)
    x = soundfile.read(piece.path)[0]
    assert x.max() == pytest.approx(1.0, abs=1e-4) and x.min() == -1.0


@pytest.mark.parametrize(
    ("data", "reason"), [(b"", "empty"), (b"<html>", "not_audio"), (b"\0" * 99, "not_audio")]
)
def test_what_is_no_recording_is_refused(tmp_path, data, reason):
    path = tmp_path / "talk"
    path.write_bytes(data)
    with pytest.raises(ItemRefused, match=reason):
        canonical(path, tmp_path, 60.0)

"""Small files of every container, whole and damaged anywhere."""

import io

import av
import numpy as np
import pytest
import soundfile
from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.audio.facts import inspect
from sonolake.errors import ItemRefused

CODES = {
    "empty",
    "not_audio",
    "no_audio_stream",
    "unsupported_codec",
    "truncated",
    "corrupt",
    "too_short",
    "silent",
    "too_long",
}
SOUNDFILE = (
    ("WAV", "PCM_16"),
    ("WAV", "IMA_ADPCM"),
    ("WAVEX", "FLOAT"),
    ("AIFF", "PCM_16"),
    ("CAF", "PCM_16"),
    ("AU", "PCM_16"),
    ("FLAC", "PCM_16"),
    ("OGG", "VORBIS"),
    ("OGG", "OPUS"),
    ("MP3", "MPEG_LAYER_III"),
    ("W64", "PCM_16"),
    ("RF64", "PCM_16"),
)
LIBAV = (
    ("mp4", "aac"),
    ("mov", "alac"),
    ("matroska", "libopus"),
    ("webm", "libopus"),
    ("adts", "aac"),
    ("wv", "wavpack"),
    ("asf", "wmav2"),
)


def _made():
    x = np.random.default_rng(5).standard_normal(12000) * 0.1
    made = {}
    for container, subtype in SOUNDFILE:
        out = io.BytesIO()
        soundfile.write(out, x, 48000, format=container, subtype=subtype)
        made[f"{container}/{subtype}"] = out.getvalue()
    for container, codec in LIBAV:
        out = io.BytesIO()
        with av.open(out, "w", format=container) as file:
            stream = file.add_stream(codec, rate=48000, layout="mono", bit_rate=64000)
            frame = av.AudioFrame.from_ndarray(x[None].astype(np.float32), format="fltp", layout="mono")
            frame.sample_rate = 48000
            file.mux(stream.encode(frame))
            file.mux(stream.encode(None))
        made[f"{container}/{codec}"] = out.getvalue()
    return made


MADE = _made()


@pytest.mark.parametrize("kind", sorted(MADE))
def test_every_kind_is_accepted_when_whole(kind):
    facts, _ = inspect(MADE[kind])
    assert facts.duration_s == pytest.approx(0.25, abs=0.05)
    assert facts.peak_dbfs == pytest.approx(-8, abs=4)
    assert set(facts.flags) <= {"declared_length_differs"}


@settings(deadline=None, max_examples=150)
@given(st.data())
def test_any_damage_ends_in_a_verdict(data):
    """Bytes changed or cut anywhere: an answer or a refusal, never another error."""
    raw = bytearray(MADE[data.draw(st.sampled_from(sorted(MADE)))])
    for _ in range(data.draw(st.integers(1, 4))):
        raw[data.draw(st.integers(0, min(len(raw), 400) - 1))] = data.draw(st.integers(0, 255))
    raw = raw[: data.draw(st.integers(1, len(raw)))]
    try:
        facts, decoded = inspect(bytes(raw))
    except ItemRefused as refusal:
        assert refusal.reason in CODES
    else:
        assert facts.frames == len(decoded.samples) > 1


@settings(deadline=None, max_examples=100)
@given(st.binary(max_size=3000))
def test_any_bytes_end_in_a_verdict(raw):
    with pytest.raises(ItemRefused) as refusal:
        inspect(raw)
    assert refusal.value.reason in CODES

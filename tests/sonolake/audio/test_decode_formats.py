"""Verdicts of the contract over every example file of other people's format tests."""

import numpy as np
import pytest

from sonolake.audio.decode import decode
from sonolake.audio.facts import inspect
from sonolake.errors import ItemRefused

ACCEPTED = {
    # path: container, codec, rate, channels, frames, flags that must be there
    "audiofile/gs-16b-1c-16000hz.opus": ("ogg", "opus", 16000, 1, 253313, ()),
    "audiomentations/ms_adpcm.wav": ("wav", "adpcm_ms", 11024, 1, 895884, ("dc_offset",)),
    "pydub/bach.ogg": ("ogg", "flac", 44100, 1, 133632, ("declared_length_differs",)),
    "pydub/format_test.m4a": ("mp4", "aac", 44100, 1, 425984, ()),
    "pydub/party.mp3": ("mp3", "mp3", 44100, 1, 290304, ("declared_length_differs",)),
    "pydub/test-dc_offset.wav": ("wav", "pcm_s16", 22050, 2, 220500, ("dc_offset",)),
    "pydub/test1-24bit.wav": ("wav", "pcm_s24", 44100, 2, 441000, ()),
    "pydub/test1-8bit.wav": ("wav", "pcm_u8", 32000, 2, 320303, ()),
    "pydub/wrong_extension.aac": ("mp4", "aac", 44100, 1, 425984, ()),
    "scipy-io/test-44100Hz-be-1ch-4bytes.wav": ("wav", "pcm_s32", 44100, 1, 4410, ()),
    "scipy-io/test-44100Hz-le-1ch-4bytes-rf64.wav": ("wav", "pcm_s32", 44100, 1, 4410, ()),
    "scipy-io/test-48000Hz-2ch-64bit-float-le-wavex.wav": ("wav", "pcm_f64", 48000, 2, 480, ("dc_offset",)),
    "scipy-io/test-8000Hz-le-1ch-1byte-ulaw.wav": ("wav", "pcm_mulaw", 8000, 1, 9, ()),
}
REFUSED = {
    "audiofile/video.mp4": "no_audio_stream",
    "audiomentations/almost_silent/almost_silent.wav": "silent",
    "pydub/test1_empty.wav": "empty",
    "scipy-io/test-44100Hz-le-1ch-4bytes-early-eof.wav": "truncated",
    "scipy-io/test-8000Hz-le-3ch-5S-45bit.wav": "unsupported_codec",
}


@pytest.mark.parametrize("path", sorted(ACCEPTED))
def test_accepted(shared, path):
    container, codec, rate, channels, frames, flags = ACCEPTED[path]
    facts, decoded = inspect((shared / "formats" / path).read_bytes(), path)
    assert (facts.container, facts.codec, facts.sample_rate, facts.channels) == (
        container,
        codec,
        rate,
        channels,
    )
    assert facts.frames == len(decoded.samples) == frames
    assert facts.duration_s == frames / rate
    assert facts.flags == flags
    assert np.isfinite(decoded.samples).all()


@pytest.mark.parametrize("path", sorted(REFUSED))
def test_refused(shared, path):
    with pytest.raises(ItemRefused) as refusal:
        inspect((shared / "formats" / path).read_bytes(), path)
    assert refusal.value.reason == REFUSED[path]
    assert path in refusal.value.detail


def test_every_file_has_a_verdict(shared):
    files = {
        p.relative_to(shared / "formats").as_posix() for p in (shared / "formats").rglob("*") if p.is_file()
    }
    assert files == {*ACCEPTED, *REFUSED}


def test_opposite_offsets_are_told_per_channel(shared):
    facts, _ = inspect((shared / "formats/pydub/test-dc_offset.wav").read_bytes())
    assert facts.dc == pytest.approx((-0.1679, 0.1000), abs=1e-4)


def test_one_sound_in_two_byte_orders_has_one_hash(shared):
    folder = shared / "formats/scipy-io"
    big, _ = inspect((folder / "test-44100Hz-be-1ch-4bytes.wav").read_bytes())
    wide, _ = inspect((folder / "test-44100Hz-le-1ch-4bytes-rf64.wav").read_bytes())
    assert big.pcm_hash == wide.pcm_hash


def test_ambisonics_in_vorbis_keeps_its_channel_order(shared):
    """FOA_NOTES.md: BF_rec2 is FuMa; W, the first channel, is omnidirectional and so the loudest of the four."""
    samples = decode((shared / "foa/JSAmbisonics/sounds/BF_rec2.ogg").read_bytes()).samples
    assert samples.shape[1] == 4
    ratio = (samples[:, 1:] ** 2).sum() / (samples[:, 0] ** 2).sum()
    assert ratio == pytest.approx(2.97, abs=0.02)


def test_decoders_write_nothing_to_standard_error(shared, capfd):
    for path in sorted((shared / "formats").rglob("*.*")):
        data = path.read_bytes()
        for cut in (data, data[: len(data) * 2 // 3]):
            try:
                decode(cut, path.name)
            except ItemRefused:
                continue
    assert capfd.readouterr().err == ""

"""Verdicts of the contract over files that are made here, each bad in one way."""

import struct

import numpy as np
import pytest

from sonolake.audio.decode import decode
from sonolake.audio.encode import flac_bytes, quantise, wav_bytes
from sonolake.audio.facts import inspect
from sonolake.errors import ItemRefused

RATE = 44100


@pytest.fixture
def noise(rng):
    return rng.standard_normal(RATE) * 0.1


@pytest.fixture
def wav(noise):
    return wav_bytes(quantise(noise), RATE)


def reason(data, **options):
    with pytest.raises(ItemRefused) as refusal:
        inspect(data, **options)
    return refusal.value.reason


def patched(data, at, value):
    return data[:at] + value + data[at + len(value) :]


def test_no_bytes():
    assert reason(b"") == "empty"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"<!DOCTYPE html><html><body>404 Not Found</body></html>", "web page"),
        (b"Not found\n", "text"),
        ("狗叫了一声。".encode() * 40, "text"),
        (b"\x89PNG\r\n\x1a\n" + bytes(64), "PNG"),
        (b"PK\x03\x04" + bytes(64), "ZIP"),
        (bytes(1000), "no audio format"),
    ],
)
def test_other_content_under_an_audio_name(data, words):
    with pytest.raises(ItemRefused, match=words) as refusal:
        decode(data, "dog.wav")
    assert refusal.value.reason == "not_audio"
    assert "dog.wav" in refusal.value.detail


def test_random_bytes_are_not_audio(rng):
    for _ in range(20):
        assert reason(rng.bytes(20_000)) == "not_audio"


def test_random_bytes_behind_a_flac_mark_are_corrupt(rng):
    assert reason(b"fLaC" + rng.bytes(5000)) in ("corrupt", "unsupported_codec")
    assert reason(b"fLaC\x00\x00\x00\x22" + bytes(10) + rng.bytes(5000)) in ("corrupt", "unsupported_codec")


def test_a_header_without_samples(wav):
    assert reason(wav_bytes(np.zeros((0, 1), np.int16), RATE)) == "empty"
    assert reason(wav[:44]) == "truncated"
    assert reason(wav[:30]) == "truncated"


def test_a_streamed_wav_counts_what_is_there(wav):
    """Field notes 3: a data size of 0xFFFFFFFF is 'unknown', not 13.5 hours."""
    for sizes in (
        (b"\xff" * 4, b"\xff" * 4),
        (bytes(4), bytes(4)),
        (b"\xff\xff\xff\x7f", b"\xdb\xff\xff\x7f"),
    ):
        facts, _ = inspect(patched(patched(wav, 4, sizes[0]), 40, sizes[1]))
        assert (facts.frames, facts.declared_frames, facts.flags) == (RATE, None, ())


def test_rf64(wav):
    data = wav[44:]
    ds64 = b"ds64" + struct.pack("<IQQQI", 28, len(wav) + 28, len(data), RATE, 0)
    rf64 = b"RF64" + b"\xff" * 4 + b"WAVE" + ds64 + wav[12:40] + b"\xff" * 4 + data
    facts, _ = inspect(rf64)
    assert (facts.frames, facts.declared_frames, facts.flags) == (RATE, RATE, ())


@pytest.mark.parametrize(
    ("container", "subtype"),
    [("WAV", "PCM_16"), ("AIFF", "PCM_24"), ("AU", "PCM_16"), ("CAF", "PCM_16"), ("FLAC", "PCM_16")],
)
def test_early_end_of_lossless_data(noise, encoded, container, subtype):
    data = encoded(noise, RATE, container, subtype)
    facts, _ = inspect(data[: int(len(data) * 0.7)])
    assert facts.flags == ("truncated_tail",)
    assert facts.declared_frames == RATE
    assert 0.6 * RATE < facts.frames < 0.75 * RATE
    assert reason(data[: int(len(data) * 0.3)]) == "truncated"


def test_early_end_of_mp3(noise, encoded):
    data = encoded(np.tile(noise, 4), RATE, "MP3", "MPEG_LAYER_III", bitrate_mode="CONSTANT")
    facts, _ = inspect(data[: int(len(data) * 0.7)])
    assert facts.flags == ("truncated_tail",) and facts.declared_frames == 4 * RATE
    assert reason(data[: int(len(data) * 0.3)]) == "truncated"


def test_early_end_of_ogg_is_seen_by_its_missing_last_page(noise, encoded):
    data = encoded(np.tile(noise, 4), RATE, "OGG", "VORBIS")
    whole, _ = inspect(data)
    assert whole.flags == () and whole.declared_frames == whole.frames == 4 * RATE
    facts, _ = inspect(data[: int(len(data) * 0.7)])
    assert facts.flags == ("truncated_tail",) and facts.declared_frames is None


def test_a_vbr_mp3_without_its_header_is_decoded_to_the_end(rng, encoded):
    """libsndfile guesses the length from the first bit rate and stops there: loud after quiet is cut."""
    x = np.concatenate([rng.standard_normal(3 * RATE) * 1e-4, rng.standard_normal(3 * RATE) * 0.3])
    data = encoded(x, RATE, "MP3", "MPEG_LAYER_III", bitrate_mode="VARIABLE")
    frame = 144 * 64000 // RATE if data[2] >> 4 == 5 else 144 * 128000 // RATE + (data[2] >> 1 & 1)
    assert b"Xing" in data[:frame]
    bare = data[frame:]
    facts, decoded = inspect(bare)
    assert facts.duration_s == pytest.approx(6, abs=0.06)
    assert np.abs(decoded.samples[int(5.5 * RATE) : int(5.9 * RATE)]).max() > 0.3


def test_forty_five_bits(wav):
    fmt = struct.pack("<HHIIHH", 1, 3, 8000, 144000, 18, 45)
    assert reason(patched(wav, 20, fmt)) == "unsupported_codec"


def test_not_a_number(noise, encoded):
    noise[777] = np.nan
    assert reason(encoded(noise.astype(np.float32), RATE, "WAV", "FLOAT")) == "corrupt"
    noise[777] = np.inf
    assert reason(encoded(noise, RATE, "WAV", "DOUBLE")) == "corrupt"


def test_a_damaged_middle(rng, encoded):
    data = bytearray(encoded(rng.standard_normal(5 * RATE) * 0.1, RATE, "FLAC", "PCM_16"))
    data[len(data) // 2 : len(data) // 2 + 4000] = rng.bytes(4000)
    assert reason(bytes(data)) == "corrupt"


def test_a_flipped_bit_in_flac_is_seen(rng, encoded):
    data = bytearray(encoded(rng.standard_normal(5 * RATE) * 0.1, RATE, "FLAC", "PCM_16"))
    data[len(data) // 2] ^= 0x10
    assert reason(bytes(data)) == "corrupt"


def test_short_and_silent():
    one = quantise(np.full(1, 0.5))
    assert reason(wav_bytes(one, 8000)) == "too_short"
    assert reason(wav_bytes(quantise(np.full(40, 0.5)), 48000)) == "too_short"
    assert inspect(wav_bytes(quantise(np.full(48, 0.5)), 48000))[0].frames == 48
    assert reason(wav_bytes(np.zeros(RATE, np.int16), RATE)) == "silent"
    assert inspect(wav_bytes(np.tile([2, -2], RATE).astype(np.int16), RATE))[0].flags == ("near_silent",)


def test_too_long_is_a_setting(wav, encoded, noise):
    assert reason(wav, max_seconds=0.9) == "too_long"
    assert reason(encoded(noise, RATE, "OGG", "VORBIS"), max_seconds=0.9) == "too_long"
    assert inspect(wav, max_seconds=1.0)[0].frames == RATE


def test_a_flac_header_cannot_ask_for_memory():
    """36 bits of samples promised, a few there."""
    data = bytearray(flac_bytes(quantise(np.tile([0.1, -0.1], 3000)), 44100))
    data[21] |= 0x0F
    data[22:26] = b"\xff" * 4
    assert reason(bytes(data)) in ("truncated", "too_long")


def test_a_wav_header_cannot_ask_for_memory(wav):
    assert reason(patched(wav, 40, struct.pack("<I", 0x7FFE0000))) == "truncated"
    assert reason(patched(wav, 22, struct.pack("<H", 60000))) in ("corrupt", "unsupported_codec", "truncated")
    assert reason(patched(wav, 24, struct.pack("<I", 0))) in ("corrupt", "unsupported_codec")
    assert reason(patched(wav, 24, struct.pack("<I", 100))) == "unsupported_codec"


def test_a_playlist_is_never_followed(tmp_path):
    """libav would open files and addresses named in one."""
    assert reason(b"#EXTM3U\n#EXTINF:1,\nhttp://127.0.0.1:9/a.ts\n") == "not_audio"
    assert reason(b"ffconcat version 1.0\nfile /etc/hostname\n") == "not_audio"


def test_content_counts_and_not_the_name(noise, encoded):
    assert decode(encoded(noise, RATE, "FLAC", "PCM_16"), "dog.mp3").container == "flac"
    assert decode(encoded(noise, RATE, "MP3", "MPEG_LAYER_III"), "dog.wav").container == "mp3"


def test_a_refusal_says_the_same_whatever_was_refused_before():
    """libav keeps the last line that it logged in the thread; it belongs to no detail."""
    film = struct.pack(">I4s4sI", 16, b"ftyp", b"isom", 0) + struct.pack(">I4s", 8, b"free") * 400

    def details(count):
        for _ in range(count):
            with pytest.raises(ItemRefused) as refusal:
                decode(film)
            yield refusal.value.detail

    said = "the data end before anything decodes (Invalid data found when processing input)"
    assert set(details(5)) == {said}

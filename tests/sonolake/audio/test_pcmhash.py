import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.audio.decode import decode
from sonolake.audio.encode import flac_bytes, quantise, wav_bytes
from sonolake.audio.pcmhash import pcm_hash


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 2**32 - 1), st.integers(1, 3000), st.integers(1, 4))
def test_one_recording_as_wav_and_flac_has_one_hash(seed, frames, channels):
    pcm = np.random.default_rng(seed).integers(-32768, 32768, (frames, channels), dtype=np.int16)
    assert pcm_hash(decode(wav_bytes(pcm, 44100))) == pcm_hash(decode(flac_bytes(pcm, 44100)))


@pytest.mark.parametrize(
    ("container", "subtype"),
    [
        ("WAV", "PCM_24"),
        ("WAV", "PCM_32"),
        ("WAV", "FLOAT"),
        ("WAV", "DOUBLE"),
        ("AIFF", "PCM_16"),
        ("FLAC", "PCM_24"),
    ],
)
def test_wider_containers_of_16_bit_samples_change_nothing(rng, encoded, container, subtype):
    pcm = quantise(rng.standard_normal((70000, 2)) * 0.1)
    expected = pcm_hash(decode(wav_bytes(pcm, 48000)))
    assert pcm_hash(decode(encoded(pcm / 32768, 48000, container, subtype))) == expected


def test_24_bit_samples_have_one_hash_as_integers_and_floats(rng, encoded):
    x = np.rint(rng.standard_normal(90000) * 1e5) / 2**23
    hashes = {
        pcm_hash(decode(encoded(x, 48000, *kind)))
        for kind in [
            ("WAV", "PCM_24"),
            ("FLAC", "PCM_24"),
            ("WAV", "DOUBLE"),
            ("WAV", "FLOAT"),
            ("CAF", "PCM_32"),
        ]
    }
    assert len(hashes) == 1


def test_one_bit_the_rate_and_the_channels_count(rng):
    pcm = rng.integers(-100, 100, 1000, dtype=np.int16)
    other = pcm.copy()
    other[999] ^= 1
    hashes = [
        pcm_hash(decode(data))
        for data in (
            wav_bytes(pcm, 44100),
            wav_bytes(other, 44100),
            wav_bytes(pcm, 48000),
            wav_bytes(pcm.reshape(500, 2), 44100),
            wav_bytes(pcm[:-1], 44100),
        )
    ]
    assert len(set(hashes)) == 5


def test_a_lossy_file_equals_its_decoding_to_16_bits(rng, encoded):
    decoded = decode(encoded(rng.standard_normal(44100) * 0.1, 44100, "OGG", "VORBIS"))
    assert pcm_hash(decode(wav_bytes(quantise(decoded.samples), 44100))) == pcm_hash(decoded)

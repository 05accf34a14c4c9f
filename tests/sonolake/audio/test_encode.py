import io

import numpy as np
import pytest
import soundfile
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sonolake.audio.decode import decode
from sonolake.audio.encode import flac_bytes, float_wav_bytes, mp3_bytes, quantise, wav_bytes
from sonolake.errors import InvalidInput

PCM = st.integers(1, 8).flatmap(lambda c: hnp.arrays(np.int16, st.tuples(st.integers(1, 400), st.just(c))))


def test_quantising_rounds_half_to_even():
    x = np.array([0.5, 1.5, 2.5, -0.5, -1.5, -2.5]) / 32768
    assert quantise(x).tolist() == [0, 2, 2, 0, -2, -2]


def test_full_scale():
    assert quantise(np.array([1.0, -1.0, 32767 / 32768])).tolist() == [32767, -32768, 32767]


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1.0000001, -1.0000001])
def test_what_is_not_audio_is_refused(bad):
    with pytest.raises(InvalidInput, match="within ±1"):
        quantise(np.array([0.0, bad]))


@settings(deadline=None, max_examples=50)
@given(PCM, st.sampled_from([8000, 24000, 44100, 48000]))
def test_wav_is_read_back_exactly_by_another_program(pcm, rate):
    data, read_rate = soundfile.read(io.BytesIO(wav_bytes(pcm, rate)), dtype="int16", always_2d=True)
    assert read_rate == rate and np.array_equal(data, pcm)


@settings(deadline=None, max_examples=50)
@given(PCM, st.sampled_from([8000, 24000, 44100, 48000]))
def test_flac_is_read_back_exactly_and_decodes_to_what_was_quantised(pcm, rate):
    decoded = decode(flac_bytes(pcm, rate))
    assert decoded.sample_rate == rate
    assert np.array_equal(quantise(decoded.samples), pcm)


def test_floats_over_full_scale_are_read_back_by_another_program():
    x = np.array([0.0, 1.5, -1.25, 1e-4])
    data, rate = soundfile.read(io.BytesIO(float_wav_bytes(x, 44_100)), dtype="float32")
    assert rate == 44_100 and np.array_equal(data, x.astype(np.float32))
    assert np.array_equal(decode(float_wav_bytes(x, 44_100)).samples[:, 0], x.astype(np.float32))
    with pytest.raises(InvalidInput, match="finite"):
        float_wav_bytes(np.array([np.nan]), 44_100)


def test_four_channels_are_marked_as_no_loudspeaker_layout():
    header = wav_bytes(np.zeros((2, 4), np.int16), 24000)
    assert header[20:22] == b"\xfe\xff" and header[40:44] == bytes(4)


def test_encoders_give_equal_bytes_for_equal_samples(rng):
    pcm = quantise(rng.standard_normal(44100) * 0.1)
    for encode in (wav_bytes, flac_bytes, mp3_bytes):
        assert encode(pcm, 44100) == encode(pcm.copy(), 44100)


def test_mp3_is_small_and_sounds_the_same():
    t = np.arange(44100) / 44100
    pcm = quantise(0.5 * np.sin(2 * np.pi * 440 * t))
    data = mp3_bytes(pcm, 44100)
    heard = decode(data)
    assert len(data) < pcm.nbytes / 4
    assert heard.container == "mp3" and len(heard.samples) == 44100
    assert np.corrcoef(heard.samples[4000:-4000, 0], pcm[4000:-4000])[0, 1] > 0.999


def test_encoders_say_what_they_take():
    with pytest.raises(InvalidInput, match="int16"):
        wav_bytes(np.zeros(4), 44100)
    with pytest.raises(InvalidInput, match="at most 8 channels"):
        flac_bytes(np.zeros((4, 9), np.int16), 44100)
    with pytest.raises(InvalidInput, match="one channel"):
        mp3_bytes(np.zeros((4, 2), np.int16), 44100)
    with pytest.raises(InvalidInput, match="resample"):
        mp3_bytes(np.zeros(4, np.int16), 44000)

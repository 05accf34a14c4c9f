"""Hints about undeclared channels, and the header of .amb files."""

import struct

import numpy as np
import pytest

from sonolake.audio.decode import decode
from sonolake.audio.encode import wav_bytes
from sonolake.audio.foa import encode, from_ambix
from sonolake.audio.foa_hints import convention_hint, is_amb


def amb(pcm, rate=48_000, code=1):
    """A WAVE file with the sub-format of B-format (PCM 00000001-0721-11d3-8644-c8c1ca000000), byte by byte."""
    data = np.ascontiguousarray(pcm, dtype="<i2").tobytes()
    channels = pcm.shape[1]
    guid = struct.pack("<IHH", code, 0x0721, 0x11D3) + bytes.fromhex("8644c8c1ca000000")
    fmt = struct.pack("<HHIIHHHHI", 0xFFFE, channels, rate, rate * 2 * channels, 2 * channels, 16, 22, 16, 0)
    body = b"WAVEfmt " + struct.pack("<I", 40) + fmt + guid + b"data" + struct.pack("<I", len(data)) + data
    return b"RIFF" + struct.pack("<I", len(body)) + body


PCM = (np.random.default_rng(0).standard_normal((4800, 4)) * 3000).astype(np.int16)


def test_amb_files_are_known_by_their_header():
    assert is_amb(amb(PCM))
    assert is_amb(amb(PCM, code=3))
    assert not is_amb(wav_bytes(PCM, 48_000))
    assert not is_amb(b"")
    assert not is_amb(b"RIFF....WAVEfmt ")


def test_amb_files_decode():
    decoded = decode(amb(PCM), "x.amb")
    assert decoded.samples.shape == (4800, 4)
    assert np.array_equal(np.rint(decoded.samples * 32768), PCM)


@pytest.mark.parametrize("convention", ["ambix", "fuma", "n3d"])
def test_energies_hint_at_normalisation_and_order(convention):
    """Sounds from all around, near the horizon: Z is the weakest."""
    scene = sum(encode(np.random.default_rng(i).standard_normal(4000), 45 * i, 10) for i in range(8))
    said = convention_hint(from_ambix(scene, convention))
    assert f"as in {convention} (ambix 1, fuma 2, n3d 3)" in said
    order = (
        "fourth is the weakest, as Z in fuma"
        if convention == "fuma"
        else "third is the weakest, as Z in ambix"
    )
    assert order in said


def test_what_is_like_no_convention():
    loud = np.ones((100, 4)) * [1.0, 3.0, 3.0, 3.0]
    assert "perhaps no Ambisonics" in convention_hint(loud)
    assert "perhaps no Ambisonics" in convention_hint(np.ones((100, 4)) * [0.0, 1.0, 1.0, 1.0])


def test_hints_for_shared_files(shared):
    room = decode((shared / "foa/JSAmbisonics/IRs/room_1_bf.wav").read_bytes()).samples
    assert "as in fuma" in convention_hint(room)
    hall = decode((shared / "foa/spaudiopy/data/IR_Gewandhaus_SH1.wav").read_bytes()).samples
    assert "as in n3d" in convention_hint(hall)

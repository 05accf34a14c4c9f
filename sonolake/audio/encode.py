"""Samples to 16-bit PCM and to files.

Quantising is ours: libsndfile floors floats and turns NaN into -32768. Full scale is 32768 steps to each side,
so what was decoded from 16-bit PCM quantises back to itself. The same samples give the same bytes.
"""

from __future__ import annotations

import io
import struct

import numpy as np
from numpy.typing import NDArray

from sonolake.audio.levels import peak
from sonolake.audio.signals import Real, Signal, check_rate
from sonolake.errors import InvalidInput

Pcm16 = NDArray[np.int16]
"""16-bit samples, ``(frames,)`` or ``(frames, channels)``; -32768 is -1.0."""

_PIECE_FRAMES = 1 << 15


def quantise(x: Real) -> Pcm16:
    """Float samples as 16-bit PCM, rounded half to even; +1.0 becomes 32767.

    Raises:
        InvalidInput: for NaN, infinity or a magnitude over 1.0.
    """
    pcm = np.empty(x.shape, np.int16)
    if not x.size:
        return pcm
    for channel, out in zip(x.reshape(len(x), -1).T, pcm.reshape(len(x), -1).T, strict=True):
        for first in range(0, len(x), _PIECE_FRAMES):
            steps = channel[first : first + _PIECE_FRAMES] * 32768.0
            if not (top := peak(steps)) <= 32768.0:
                cause = "no limiter before the quantiser"
                raise InvalidInput("x", "finite samples within ±1.0", top / 32768.0, cause)
            np.rint(steps, out=steps)
            if top > 32767.0:
                np.minimum(steps, 32767.0, out=steps)
            out[first : first + _PIECE_FRAMES] = steps
    return pcm


def wav_bytes(pcm: Pcm16, rate: int) -> bytes:
    """A RIFF/WAVE file of 16-bit PCM; more than two channels carry the extensible header without speakers.

    Raises:
        InvalidInput: for other types, no channels, or more than 4 GiB.
    """
    channels = _channels_of(pcm, rate)
    data = np.ascontiguousarray(pcm, dtype="<i2").data
    if data.nbytes > 0xFFFFFFFF - 128:
        raise InvalidInput("pcm", "less than 4 GiB", data.nbytes)
    block = 2 * channels
    fmt = struct.pack("<HHIIHH", 1, channels, rate, rate * block, block, 16)
    if channels > 2:
        guid = bytes.fromhex("0100000000001000800000aa00389b71")
        fmt = struct.pack("<HHIIHHHHI", 0xFFFE, channels, rate, rate * block, block, 16, 22, 16, 0) + guid
    return _riff(fmt, b"", data)


def float_wav_bytes(x: Signal, rate: int) -> bytes:
    """A RIFF/WAVE file of mono 32-bit floats, ``(frames,)``: samples over full scale are kept.

    Raises:
        InvalidInput: for another shape, samples that are not finite, or more than 4 GiB.
    """
    check_rate(rate)
    if x.ndim != 1 or not np.isfinite(x.sum()) or x.size > (0xFFFFFFFF - 128) // 4:
        raise InvalidInput("x", "finite samples (frames,), less than 4 GiB", x.shape)
    fact = b"fact" + struct.pack("<II", 4, len(x))
    return _riff(struct.pack("<HHIIHHH", 3, 1, rate, 4 * rate, 4, 32, 0), fact, x.astype("<f4").data)


def _riff(fmt: bytes, between: bytes, data: memoryview) -> bytes:
    chunks = b"fmt " + struct.pack("<I", len(fmt)) + fmt + between + b"data" + struct.pack("<I", data.nbytes)
    size = struct.pack("<I", 4 + len(chunks) + data.nbytes)
    return b"".join((b"RIFF", size, b"WAVE", chunks, data))


def flac_bytes(pcm: Pcm16, rate: int) -> bytes:
    """A 16-bit FLAC file; decoding gives ``pcm`` back exactly.

    Raises:
        InvalidInput: for other types, or more than 8 channels.
    """
    channels = _channels_of(pcm, rate)
    if channels > 8:
        raise InvalidInput("pcm", "at most 8 channels in FLAC", channels)
    return _written(pcm, rate, "FLAC", "PCM_16")


def mp3_bytes(pcm: Pcm16, rate: int) -> bytes:
    """A small mono MP3 for listening in a report: LAME, variable rate.

    Raises:
        InvalidInput: for more than one channel or a rate MPEG audio does not know.
    """
    channels = _channels_of(pcm, rate)
    if channels != 1:
        raise InvalidInput("pcm", "one channel", channels)
    if rate not in MP3_RATES:
        raise InvalidInput("rate", f"one of {MP3_RATES}", rate, "resample before encoding")
    return _written(pcm, rate, "MP3", "MPEG_LAYER_III", bitrate_mode="VARIABLE", compression_level=0.6)


MP3_RATES = (8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000)


def _written(pcm: Pcm16, rate: int, container: str, subtype: str, **options: object) -> bytes:
    import soundfile

    out = io.BytesIO()
    soundfile.write(out, pcm, rate, format=container, subtype=subtype, **options)
    return out.getvalue()


def _channels_of(pcm: Pcm16, rate: int) -> int:
    """Channels of ``pcm``, once it and ``rate`` are what an encoder takes."""
    check_rate(rate)
    if pcm.dtype != np.int16 or pcm.ndim not in (1, 2) or (pcm.ndim == 2 and not pcm.shape[1]):
        raise InvalidInput(
            "pcm", "int16, (frames,) or (frames, channels)", (pcm.dtype, pcm.shape), "quantise first"
        )
    return 1 if pcm.ndim == 1 else pcm.shape[1]

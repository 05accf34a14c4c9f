"""Decoding with libsndfile: WAV of all kinds, AIFF, CAF, AU, W64, FLAC, Ogg Vorbis and Opus.

It keeps Ambisonics channels in order, where libav permutes eight-channel Vorbis.
"""

from __future__ import annotations

import io
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sonolake.audio.reading import Limits, Reading, Unreadable, too_long

BLOCK_FRAMES = 1 << 18
AT_ONCE_VALUES = 1 << 24
"""A declared length up to this many values (128 MiB) is read in one call."""
_SUBTYPES = {
    "PCM_S8": ("pcm_s8", 8),
    "PCM_U8": ("pcm_u8", 8),
    "PCM_16": ("pcm_s16", 16),
    "PCM_24": ("pcm_s24", 24),
    "PCM_32": ("pcm_s32", 32),
    "ULAW": ("pcm_mulaw", 16),
    "ALAW": ("pcm_alaw", 16),
    "FLOAT": ("pcm_f32", None),
    "DOUBLE": ("pcm_f64", None),
    "MS_ADPCM": ("adpcm_ms", 16),
    "IMA_ADPCM": ("adpcm_ima", 16),
    "GSM610": ("gsm", 16),
}
"""libsndfile's subtypes: our name of the codec, and bits of its integer samples."""


_SINGLE = ("FLOAT", "VORBIS", "OPUS")
"""Subtypes whose samples float32 holds."""


def read(data: bytes, limits: Limits) -> Reading:
    """Decode a whole file.

    Raises:
        Unreadable: when libsndfile cannot.
        ItemRefused: ``too_long``, ``unsupported_codec``.
    """
    import soundfile

    try:
        with soundfile.SoundFile(io.BytesIO(data)) as file:
            most = limits.frames(file.samplerate, file.channels)
            codec, bits = _SUBTYPES.get(file.subtype, (file.subtype.lower(), None))
            codec = "flac" if file.format == "FLAC" else codec
            if bits is None and file.subtype in _SINGLE:
                floats = _blocks(file, most, "float32")
                return Reading(floats.astype(np.float64), file.samplerate, codec, None, raw=floats)
            if bits is None or bits > 24:
                return Reading(_blocks(file, most, "float64"), file.samplerate, codec, bits)
            pcm = _blocks(file, most, "int16" if bits <= 16 else "int32")
            samples = np.multiply(pcm, 2.0**-15 if bits <= 16 else 2.0**-31)
            return Reading(samples, file.samplerate, codec, bits, raw=pcm)
    except soundfile.LibsndfileError as error:
        raise Unreadable(str(error.error_string)) from error


def _blocks(file: Any, most: int, dtype: str) -> NDArray[Any]:
    if file.frames * file.channels <= AT_ONCE_VALUES and file.frames <= most:
        whole: NDArray[Any] = file.read(dtype=dtype, always_2d=True)
        return whole
    parts: list[NDArray[Any]] = []
    done = 0
    while len(part := file.read(BLOCK_FRAMES, dtype=dtype, always_2d=True)):
        parts.append(part)
        done += len(part)
        if done > most:
            raise too_long(most, file.samplerate)
    return np.concatenate(parts) if parts else np.zeros((0, file.channels), dtype)

"""A hash of samples that does not depend on the container: one recording as WAV and as FLAC has one hash."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from sonolake.audio.decode import Decoded

Values = NDArray[Any]
PIECE_VALUES = 1 << 14
"""Values quantised at a time: what stays in a processor's cache."""


def pcm_hash(decoded: Decoded) -> str:
    """SHA-256 of rate, channels and samples, 64 hexadecimal digits.

    Samples count as little-endian 16-bit integers when all of them are such, else as 24-bit ones in the high bytes of
    32 bits, full scale clipped; the width is part of what is hashed. A lossy stream counts as its 16-bit rendering,
    so it equals what was decoded from it to 16-bit PCM. Rounding is half to even.
    """
    values = (decoded.samples if decoded.pcm is None else decoded.pcm).reshape(-1)
    lossy = decoded.bits is None and not decoded.codec.startswith("pcm_")
    narrow = lossy or values.dtype == np.int16 or _is_16_bit(values)
    digest = hashlib.sha256(
        f"pcm{16 if narrow else 24}:{decoded.sample_rate}:{decoded.samples.shape[1]}:".encode()
    )
    for at in range(0, len(values), PIECE_VALUES):
        digest.update((_narrow if narrow else _wide)(values[at : at + PIECE_VALUES]).data)
    return digest.hexdigest()


def _is_16_bit(values: Values) -> bool:
    """Whether 16 bits hold every sample; most that do not are told by their first ones."""
    starts = range(0, len(values), PIECE_VALUES)
    return all(_fits(part) for part in (values[:512], *(values[at : at + PIECE_VALUES] for at in starts)))


def _fits(values: Values) -> bool:
    if values.dtype == np.int32:
        return not np.bitwise_and(values, 0xFFFF).any()
    steps = values * 32768.0
    return bool(np.array_equal(steps, np.rint(steps)) and steps.max() <= 32767.0 and steps.min() >= -32768.0)


def _narrow(values: Values) -> NDArray[np.int16]:
    if values.dtype == np.int16:
        return np.ascontiguousarray(values, "<i2")
    if values.dtype == np.int32:
        return (values >> 16).astype("<i2")
    scaled = np.rint(values * 32768.0)
    return np.clip(scaled, -32768.0, 32767.0, out=scaled).astype("<i2")


def _wide(values: Values) -> NDArray[np.int32]:
    if values.dtype == np.int32:
        return np.ascontiguousarray(values, "<i4")
    scaled = np.rint(values * 2.0**23)
    return np.clip(scaled, -(2.0**23), 2.0**23 - 1, out=scaled).astype("<i4") << 8

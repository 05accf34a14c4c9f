"""A hash of samples that does not depend on the container: one recording as WAV and as FLAC has one hash."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from sonolake.audio.decode import Decoded

Values = NDArray[Any]
PIECE_VALUES = 1 << 16
"""Values quantised at a time: what stays in a processor's cache."""


def pcm_hash(decoded: Decoded) -> str:
    """SHA-256 of rate, channels and samples, 64 hexadecimal digits.

    Samples count as little-endian 16-bit integers when all of them are such, else as 24-bit ones in the high bytes of
    32 bits, full scale clipped; the width is part of what is hashed. A lossy stream counts as its 16-bit rendering,
    so it equals what was decoded from it to 16-bit PCM. Rounding is half to even.
    """
    values: Values = (decoded.samples if decoded.raw is None else decoded.raw).reshape(-1)
    lossy = decoded.bits is None and not decoded.codec.startswith("pcm_")
    narrow = lossy or values.dtype == np.int16 or _is_16_bit(values)
    digest = hashlib.sha256(
        f"pcm{16 if narrow else 24}:{decoded.sample_rate}:{decoded.samples.shape[1]}:".encode()
    )
    for part in _pieces(values):
        digest.update((_narrow if narrow else _wide)(part).data)
    return digest.hexdigest()


def _pieces(values: Values) -> Iterator[Values]:
    return (values[at : at + PIECE_VALUES] for at in range(0, len(values), PIECE_VALUES))


def _is_16_bit(values: Values) -> bool:
    """Whether 16 bits hold every sample; most that do not are told by their first ones."""
    return _fits(values[:512]) and all(map(_fits, _pieces(values)))


def _fits(values: Values) -> bool:
    if values.dtype == np.int32:
        return not np.bitwise_and(values, 0xFFFF).any()
    if values.min() < -1.0 or values.max() > 1.0 - 2.0**-15:
        return False
    steps = values * values.dtype.type(2.0**15)
    return bool(np.array_equal(steps, np.rint(steps)))


def _narrow(values: Values) -> NDArray[np.int16]:
    if values.dtype.kind == "f":
        return _steps(values, 15).astype("<i2")
    return (values >> 16 if values.dtype == np.int32 else values).astype("<i2", copy=False)


def _wide(values: Values) -> NDArray[np.int32]:
    if values.dtype.kind == "f":
        return _steps(values, 23).astype("<i4") << 8
    return values.astype("<i4", copy=False)


def _steps(values: Values, bits: int) -> Values:
    """Floats as whole steps of 2 to the power of minus ``bits``, in their own type, which holds both limits exactly."""
    steps: Values = np.clip(values, -1.0, 1.0 - 2.0**-bits)
    steps *= 2.0**bits
    return np.rint(steps, out=steps)

"""A hash of samples that does not depend on the container: one recording as WAV and as FLAC has one hash."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from sonolake.audio.signals import Signal

if TYPE_CHECKING:
    from sonolake.audio.decode import Decoded

PIECE_VALUES = 1 << 16
"""Values quantised at a time: what stays in a processor's cache."""


def pcm_hash(decoded: Decoded) -> str:
    """SHA-256 of rate, channels and samples, 64 hexadecimal digits.

    Samples count as little-endian 16-bit integers when all of them are such, else as 24-bit ones in 32 bits; the
    width is part of what is hashed. A lossy stream counts as its 16-bit rendering, so it equals what was decoded
    from it to 16-bit PCM. Rounding is half to even.
    """
    rate, channels = decoded.sample_rate, decoded.samples.shape[1]
    if decoded.pcm is not None:
        return _digest(16, rate, channels, [decoded.pcm])
    values = decoded.samples.reshape(-1)
    lossy = decoded.bits is None and not decoded.codec.startswith("pcm_")
    width = 16 if lossy or _is_16_bit(values) else 24
    return _digest(width, rate, channels, (_integers(part, width) for part in _pieces(values)))


def _digest(width: int, rate: int, channels: int, parts: Iterable[np.ndarray]) -> str:
    digest = hashlib.sha256(f"pcm{width}:{rate}:{channels}:".encode())
    for part in parts:
        digest.update(np.ascontiguousarray(part).data)
    return digest.hexdigest()


def _pieces(values: Signal) -> list[Signal]:
    return [values[at : at + PIECE_VALUES] for at in range(0, len(values), PIECE_VALUES)]


def _is_16_bit(values: Signal) -> bool:
    for part in (values[:512], *_pieces(values)):
        steps = part * 32768.0
        if not (np.array_equal(steps, np.rint(steps)) and steps.max() <= 32767.0 and steps.min() >= -32768.0):
            return False
    return True


def _integers(values: Signal, width: int) -> np.ndarray:
    scaled = values * 2.0 ** (width - 1)
    np.rint(scaled, out=scaled)
    if width == 16:
        return np.clip(scaled, -32768.0, 32767.0, out=scaled).astype("<i2")
    return np.clip(scaled, -(2.0**31), 2.0**31 - 1, out=scaled).astype("<i4")

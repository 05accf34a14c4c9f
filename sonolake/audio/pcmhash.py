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

    Samples count as little-endian 16-bit integers when all of them are such, else as 24-bit ones in 32 bits
    (rounded half to even); the width is part of what is hashed.
    """
    rate, channels = decoded.sample_rate, decoded.samples.shape[1]
    if decoded.pcm is not None:
        return _digest(16, rate, channels, [decoded.pcm])
    values = decoded.samples.reshape(-1)
    width = 16 if _is_16_bit(values) else 24
    return _digest(width, rate, channels, (_integers(part, width) for part in _pieces(values)))


def _digest(width: int, rate: int, channels: int, parts: Iterable[np.ndarray]) -> str:
    digest = hashlib.sha256(f"pcm{width}:{rate}:{channels}:".encode())
    for part in parts:
        digest.update(np.ascontiguousarray(part).data)
    return digest.hexdigest()


def _pieces(values: Signal) -> list[Signal]:
    return [values[at : at + PIECE_VALUES] for at in range(0, len(values), PIECE_VALUES)]


def _is_16_bit(values: Signal) -> bool:
    for part in _pieces(values):
        steps = part * 32768.0
        if not (np.array_equal(steps, np.rint(steps)) and steps.max() <= 32767.0 and steps.min() >= -32768.0):
            return False
    return True


def _integers(values: Signal, width: int) -> np.ndarray:
    if width == 16:
        return (values * 32768.0).astype("<i2")
    return np.clip(np.rint(values * 2.0**23), -(2**31), 2**31 - 1).astype("<i4")

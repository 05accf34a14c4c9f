"""From assets to samples."""

from __future__ import annotations

from functools import lru_cache

from sonolake.audio.decode import decode
from sonolake.audio.resample import resample
from sonolake.audio.signals import Signal
from sonolake.lake.media import MediaRoom

KEPT = 128
"""Decoded sounds that are kept for the next item."""


class Sounds:
    """The sounds of a lake as float64 samples, ±1.0 being full scale; read-only, as they are shared."""

    def __init__(self, media: MediaRoom) -> None:
        self._decoded = lru_cache(maxsize=KEPT)(lambda asset_id: _decoded(media, asset_id))
        self._mono = lru_cache(maxsize=KEPT)(self._resampled)

    def samples(self, asset_id: str) -> tuple[Signal, int]:
        """Samples ``(frames, channels)`` and their rate in Hz."""
        return self._decoded(asset_id)

    def mono(self, asset_id: str, rate: int) -> Signal:
        """The mean of the channels, ``(frames,)``, at ``rate`` Hz."""
        return self._mono(asset_id, rate)

    def _resampled(self, asset_id: str, rate: int) -> Signal:
        samples, own = self._decoded(asset_id)
        mono = resample(samples.mean(axis=1), own, rate)
        mono.setflags(write=False)
        return mono


def _decoded(media: MediaRoom, asset_id: str) -> tuple[Signal, int]:
    found = decode(media.read(asset_id))
    found.samples.setflags(write=False)
    return found.samples, found.sample_rate

"""From assets to samples."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Literal

from sonolake.audio.decode import decode
from sonolake.audio.foa import Convention, to_ambix
from sonolake.audio.resample import resample
from sonolake.audio.signals import Signal
from sonolake.lake.media import MediaRoom

KEPT = 128
"""Decoded sounds that are kept for the next item."""


class Sounds:
    """The sounds of a lake as float64 samples, ±1.0 being full scale; read-only, as they are shared."""

    def __init__(self, media: MediaRoom) -> None:
        self._decoded = lru_cache(maxsize=KEPT)(partial(_decoded, media))
        self._mono = lru_cache(maxsize=KEPT)(self._resampled)
        self._sound = lru_cache(maxsize=KEPT)(self._as_heard)

    def samples(self, asset_id: str) -> tuple[Signal, int]:
        """Samples ``(frames, channels)`` and their rate in Hz."""
        return self._decoded(asset_id)

    def mono(self, asset_id: str, rate: int) -> Signal:
        """The mean of the channels, ``(frames,)``, at ``rate`` Hz."""
        return self._mono(asset_id, rate)

    def sound(self, asset_id: str, convention: Convention | Literal[""] = "") -> tuple[Signal, int]:
        """Samples and rate: ``(frames,)`` of one channel, AmbiX ``(frames, 4)`` of an Ambisonic ``convention``, else
        ``(frames, channels)``.
        """
        return self._sound(asset_id, convention)

    def channel(self, asset_id: str, convention: Convention | Literal[""] = "") -> tuple[Signal, int]:
        """One channel ``(frames,)`` and its rate: W of an Ambisonic ``convention``, else the mean of the channels."""
        samples, rate = self._sound(asset_id, convention)
        if samples.ndim == 1:
            return samples, rate
        return (samples[:, 0] if convention else samples.mean(axis=1)), rate

    def _resampled(self, asset_id: str, rate: int) -> Signal:
        samples, own = self._decoded(asset_id)
        return _shared(resample(samples.mean(axis=1), own, rate))

    def _as_heard(self, asset_id: str, convention: Convention | Literal[""]) -> tuple[Signal, int]:
        samples, rate = self._decoded(asset_id)
        if convention:
            samples = to_ambix(samples[:, :4], convention)
        return _shared(samples[:, 0] if samples.shape[1] == 1 else samples), rate


def _decoded(media: MediaRoom, asset_id: str) -> tuple[Signal, int]:
    found = decode(media.read(asset_id))
    return _shared(found.samples), found.sample_rate


def _shared(samples: Signal) -> Signal:
    samples.setflags(write=False)
    return samples

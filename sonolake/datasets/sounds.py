"""From assets to samples."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Any, Literal, TypeVar

from sonolake.audio.decode import decode
from sonolake.audio.foa import Convention, to_ambix
from sonolake.audio.resample import resample
from sonolake.audio.signals import Signal
from sonolake.lake.media import MediaRoom

KEPT_BYTES = 256 << 20
"""Of decoded sounds so much is kept for the next item."""
_Made = TypeVar("_Made", Signal, tuple[Signal, int])


class Sounds:
    """The sounds of a lake as float64 samples, ±1.0 being full scale; read-only, as they are shared."""

    def __init__(self, media: MediaRoom) -> None:
        from cachetools import LRUCache

        self._media = media
        self._kept: Any = LRUCache(KEPT_BYTES, _bytes_of)
        self._lock = Lock()

    def samples(self, asset_id: str) -> tuple[Signal, int]:
        """Samples ``(frames, channels)`` and their rate in Hz."""
        return self._once(("samples", asset_id), lambda: self._decoded(asset_id))

    def mono(self, asset_id: str, rate: int) -> Signal:
        """The mean of the channels, ``(frames,)``, at ``rate`` Hz."""
        return self._once(("mono", asset_id, rate), lambda: self._resampled(asset_id, rate))

    def sound(self, asset_id: str, convention: Convention | Literal[""] = "") -> tuple[Signal, int]:
        """Samples and rate: ``(frames,)`` of one channel, AmbiX ``(frames, 4)`` of an Ambisonic ``convention``, else
        ``(frames, channels)``.
        """
        return self._once(("sound", asset_id, convention), lambda: self._as_heard(asset_id, convention))

    def channel(self, asset_id: str, convention: Convention | Literal[""] = "") -> tuple[Signal, int]:
        """One channel ``(frames,)`` and its rate: W of an Ambisonic ``convention``, else the mean of the channels."""
        samples, rate = self.sound(asset_id, convention)
        if samples.ndim == 1:
            return samples, rate
        return (samples[:, 0] if convention else samples.mean(axis=1)), rate

    def _once(self, key: tuple[object, ...], make: Callable[[], _Made]) -> _Made:
        """What is kept, or what is made now; the longest unused goes first, and what is too large is not kept."""
        with self._lock:
            kept: _Made | None = self._kept.get(key)
        if kept is not None:
            return kept
        made = make()
        with self._lock:
            if _bytes_of(made) <= KEPT_BYTES:
                self._kept[key] = made
        return made

    def _decoded(self, asset_id: str) -> tuple[Signal, int]:
        found = decode(self._media.read(asset_id))
        return _shared(found.samples), found.sample_rate

    def _resampled(self, asset_id: str, rate: int) -> Signal:
        samples, own = self.samples(asset_id)
        return _shared(resample(samples[:, 0] if samples.shape[1] == 1 else samples.mean(axis=1), own, rate))

    def _as_heard(self, asset_id: str, convention: Convention | Literal[""]) -> tuple[Signal, int]:
        samples, rate = self.samples(asset_id)
        if convention:
            samples = to_ambix(samples[:, :4], convention)
        return _shared(samples[:, 0] if samples.shape[1] == 1 else samples), rate


def _bytes_of(kept: Any) -> int:
    return int((kept[0] if isinstance(kept, tuple) else kept).nbytes)


def _shared(samples: Signal) -> Signal:
    samples.setflags(write=False)
    return samples

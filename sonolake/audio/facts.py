"""The facts of a file, from one decode and one loudness pass."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sonolake.audio.decode import MAX_SECONDS, Decoded, decode
from sonolake.audio.fingerprint import fingerprint
from sonolake.audio.foa import Convention, to_ambix
from sonolake.audio.levels import gain_to_db
from sonolake.audio.loudness import loudness
from sonolake.audio.pcmhash import pcm_hash
from sonolake.audio.signals import Signal
from sonolake.errors import ItemRefused

SHORTEST_S = 0.001
SILENT_DBFS = -90.0
NEAR_SILENT_LUFS = -60.0
DC_OFFSET = 0.01
"""Mean of a channel from which on it is flagged, 40 dB under full scale."""
FULL_SCALE = 0.9886
"""-0.1 dBFS: flat tops from here on are clipping."""
FLAT_TOP = 3
_ROW = 256


@dataclass(frozen=True)
class Facts:
    """What is known of a file once it was decoded.

    Attributes:
        container, codec: see :class:`sonolake.audio.decode.Decoded`.
        sample_rate: Hz.
        channels, frames: as decoded.
        duration_s: frames over rate.
        declared_frames: what the header promised, None when it does not say.
        peak_dbfs: sample peak over all channels.
        loudness_lufs: integrated, BS.1770-4 (of W alone for Ambisonics); None when no block passes the gate at
            -70 LUFS.
        dc: mean of each channel, full scale 1.
        flags: in alphabetical order.
        pcm_hash: :func:`sonolake.audio.pcmhash.pcm_hash`.
        fingerprint: :func:`sonolake.audio.fingerprint.fingerprint`, of W alone for Ambisonics.
    """

    container: str
    codec: str
    sample_rate: int
    channels: int
    frames: int
    duration_s: float
    declared_frames: int | None
    peak_dbfs: float
    loudness_lufs: float | None
    dc: tuple[float, ...]
    flags: tuple[str, ...]
    pcm_hash: str
    fingerprint: str


def inspect(
    data: bytes, name: str = "", convention: Convention | None = None, max_seconds: float = MAX_SECONDS
) -> tuple[Facts, Decoded]:
    """Decode a file and measure it.

    Args:
        data: the file.
        name: for messages.
        convention: of first-order Ambisonics, whose loudness is W's; None for ordinary channels.
        max_seconds: the longest signal that is taken.

    Raises:
        ItemRefused: what :func:`sonolake.audio.decode.decode` raises, ``too_short`` (one sample or less than 1 ms),
            ``silent`` (peak under -90 dBFS) and ``unknown_convention`` (a convention for other than four channels).
    """
    decoded = decode(data, name, max_seconds)
    try:
        return facts_of(decoded, convention), decoded
    except ItemRefused as refusal:
        if name:
            raise ItemRefused(refusal.reason, f"{name}: {refusal.detail}") from refusal
        raise


def facts_of(decoded: Decoded, convention: Convention | None = None) -> Facts:
    """The facts of what was decoded.

    Raises:
        ItemRefused: ``too_short``, ``silent``, ``unknown_convention``.
    """
    x, rate = decoded.samples, decoded.sample_rate
    if len(x) <= 1 or len(x) < SHORTEST_S * rate:
        raise ItemRefused("too_short", f"{len(x)} samples at {rate} Hz; at least 1 ms is needed")
    raw: NDArray[Any] = x if decoded.raw is None else decoded.raw
    top, clipped = _peak(raw)
    if gain_to_db(top) < SILENT_DBFS:
        raise ItemRefused("silent", f"the peak is {gain_to_db(top):.1f} dBFS, under {SILENT_DBFS:.0f}")
    omni = None if convention is None else _omni(x, convention)
    lufs = loudness(x if omni is None else omni, rate)
    dc = _means(x)
    flags = set(decoded.flags)
    if max(map(abs, dc)) >= DC_OFFSET:
        flags.add("dc_offset")
    if clipped:
        flags.add("clipped")
    if lufs < NEAR_SILENT_LUFS:
        flags.add("near_silent")
    return Facts(
        container=decoded.container,
        codec=decoded.codec,
        sample_rate=rate,
        channels=x.shape[1],
        frames=len(x),
        duration_s=len(x) / rate,
        declared_frames=decoded.declared_frames,
        peak_dbfs=gain_to_db(top),
        loudness_lufs=lufs if math.isfinite(lufs) else None,
        dc=dc,
        flags=tuple(sorted(flags)),
        pcm_hash=pcm_hash(decoded),
        fingerprint=fingerprint(raw if omni is None else omni, rate),
    )


def _omni(x: Signal, convention: Convention) -> Signal:
    if x.shape[1] != 4:
        raise ItemRefused("unknown_convention", f"{convention} was declared for {x.shape[1]} channels, not 4")
    return to_ambix(x, convention)[:, :1]


def _peak(values: NDArray[Any]) -> tuple[float, bool]:
    """The sample peak, and whether it is clipping: over full scale, or near it and flat."""
    full = 2.0 ** (8 * values.itemsize - 1) if values.dtype.kind == "i" else 1.0
    ends = [values.max(), values.min()]
    top = max(float(ends[0]), -float(ends[1]))
    near = top >= FULL_SCALE * full
    flat = near and any(_flat_top(values, end) for end in ends if abs(float(end)) == top)
    return top / full, flat or top > full


def _flat_top(values: NDArray[Any], end: Any) -> bool:
    """Whether some channel stays at ``end`` for :data:`FLAT_TOP` samples in a row."""
    at = np.flatnonzero(values == end)
    run = at
    for later in range(1, FLAT_TOP):
        run = np.intersect1d(run, at - later * values.shape[1], assume_unique=True)
    return bool(run.size)


def _means(x: Signal) -> tuple[float, ...]:
    """Mean of each channel; rows of many frames are added at once, a short last axis being slow in numpy."""
    channels, whole = x.shape[1], len(x) // _ROW * _ROW
    rows = x[:whole].reshape(-1, _ROW * channels).sum(axis=0).reshape(_ROW, channels)
    total = rows.sum(axis=0) + x[whole:].sum(axis=0)
    return tuple((total / len(x)).tolist())

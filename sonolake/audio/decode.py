"""Bytes to samples, by content, with one verdict a file.

The name of a file is used in messages only. Durations come from what was decoded, never from a header; what the
header declared is kept beside. Verdicts and flags are those of the lake's contract.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sonolake.audio import libav, sndfile
from sonolake.audio.containers import describe, identify
from sonolake.audio.promise import Promise
from sonolake.audio.reading import Limits, Raw, Reading, Unreadable
from sonolake.audio.signals import Signal
from sonolake.errors import ItemRefused

MAX_SECONDS = 4 * 3600.0
MAX_VALUES = 1 << 28
"""Samples times channels that are held at once: 2 GiB of float64, 101 minutes of mono at 44.1 kHz."""
KEPT_SHARE = 0.5
"""A file that ends early is taken when at least this share of the declared length decodes."""
WHOLE_SHARE = 0.95
"""A stream that reaches its end with less than this share of its length has lost pieces in between."""


@dataclass(frozen=True, eq=False)
class Decoded:
    """Samples and what the file said about them.

    Attributes:
        samples: ``(frames, channels)``, float64, full scale ±1.0, always finite.
        sample_rate: Hz.
        container: such as ``wav``, ``flac``, ``ogg``, ``mp3``, ``mp4``.
        codec: libav's name without byte order, such as ``pcm_s16``, ``vorbis``, ``aac``.
        declared_frames: what the header promised (for an MP3 without a Xing header the estimate from its size and
            bit rate, as others would report it), None when it does not say.
        flags: ``truncated_tail`` or ``declared_length_differs``.
        bits: of integer samples, None for lossy and float codecs.
        raw: the same samples as the decoder gave them, half the size or less and exactly equal, where it gave integers
            of full range (int16, or 24 bits in int32) or float32.
    """

    samples: Signal
    sample_rate: int
    container: str
    codec: str
    declared_frames: int | None
    flags: tuple[str, ...]
    bits: int | None = None
    raw: Raw | None = None


def decode(data: bytes, name: str = "", max_seconds: float = MAX_SECONDS) -> Decoded:
    """Decode a whole file.

    Args:
        data: the file.
        name: for messages.
        max_seconds: the longest signal that is taken.

    Raises:
        ItemRefused: ``empty``, ``not_audio``, ``no_audio_stream``, ``unsupported_codec``, ``truncated``, ``corrupt`` or
            ``too_long``; the detail names the file.
    """
    try:
        return _decode(data, max_seconds)
    except ItemRefused as refusal:
        if name:
            raise ItemRefused(refusal.reason, f"{name}: {refusal.detail}") from refusal
        raise


def promise_of(data: bytes) -> Promise:
    """What a file promises.

    Raises:
        ItemRefused: ``empty``, ``not_audio``, ``truncated`` or ``corrupt`` where its header already says so.
    """
    if not data:
        raise ItemRefused("empty", "no bytes")
    promise = identify(data)
    if promise is None:
        raise ItemRefused("not_audio", f"the content is {describe(data)}")
    if promise.broken:
        raise ItemRefused("truncated" if promise.cut else "corrupt", promise.broken)
    if promise.trust == "exact" and promise.frames == 0:
        raise ItemRefused("empty", "a header without samples")
    return promise


def _decode(data: bytes, max_seconds: float) -> Decoded:
    promise = promise_of(data)
    reading = _read(data, promise, Limits(max_seconds, MAX_VALUES))
    frames = len(reading.samples)
    if not frames:
        short = promise.cut or bool(promise.frames)
        raise ItemRefused("truncated" if short else "empty", "a header without samples")
    if reading.damaged:
        raise ItemRefused("corrupt", "part of the stream does not decode")
    if reading.bits is None and not np.isfinite(reading.samples.sum()):
        raise ItemRefused("corrupt", "samples that are not finite numbers")
    declared = reading.declared if promise.frames is None else promise.frames
    return Decoded(
        reading.samples,
        reading.sample_rate,
        promise.container,
        reading.codec,
        declared,
        length_flags(promise, declared, frames, reading.ended_badly),
        reading.bits,
        reading.raw,
    )


def _read(data: bytes, promise: Promise, limits: Limits) -> Reading:
    """libsndfile first where it is right; libav otherwise, when it fails, or when it stops short of the promise."""
    failure: Unreadable | None = None
    first: Reading | None = None
    if promise.soundfile:
        try:
            first = sndfile.read(data, limits)
        except Unreadable as error:
            failure = error
    if first is not None and (promise.cut or len(first.samples) >= (promise.frames or 0)):
        return first
    if promise.demuxer:
        try:
            return _longer(first, libav.read(data, promise.demuxer, limits))
        except Unreadable as error:
            failure = error
    if first is not None:
        return first
    if promise.cut:
        raise ItemRefused("truncated", f"the data end before anything decodes ({failure})")
    reason = "unsupported_codec" if failure is not None and failure.unsupported else "corrupt"
    raise ItemRefused(reason, f"{promise.container}: {failure}")


def _longer(first: Reading | None, second: Reading) -> Reading:
    return second if first is None or len(second.samples) > len(first.samples) else first


def length_flags(promise: Promise, declared: int | None, frames: int, ended_badly: bool) -> tuple[str, ...]:
    """The flags that follow from ``frames`` that decoded where so many were ``declared``.

    Raises:
        ItemRefused: ``truncated`` or ``corrupt`` where too few did.
    """
    share = frames / declared if declared else 1.0
    early = promise.cut or ended_badly or (promise.trust == "exact" and share < 1)
    if early and share < KEPT_SHARE and promise.trust != "guess":
        raise ItemRefused("truncated", f"{frames} of {declared} declared frames decode, less than half")
    if early:
        return ("truncated_tail",)
    if share < WHOLE_SHARE and promise.trust == "near":
        raise ItemRefused("corrupt", f"{frames} of {declared} declared frames decode though the end is there")
    return ("declared_length_differs",) if declared is not None and declared != frames else ()

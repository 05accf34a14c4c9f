"""Decoding with libav (PyAV): MP3, AAC, ALAC, Matroska, ASF, WavPack, Ogg-FLAC and what libsndfile gives up on.

The demuxer is chosen by the caller and forced, so no playlist and no other file is ever opened. libav writes nothing to
standard error. Streams are decoded from the first packet to the last, never seeking.
"""

from __future__ import annotations

import io
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sonolake.audio.reading import Limits, Reading, Unreadable, too_long
from sonolake.audio.signals import Signal
from sonolake.errors import ItemRefused

if TYPE_CHECKING:
    from av.audio.frame import AudioFrame

_STRICT = {"err_detect": "crccheck+bitstream+buffer+explode"}
_LOSSLESS = ("flac", "alac", "wavpack", "ape", "tta", "shorten", "mlp", "truehd")
_FORMATS: dict[str, tuple[str, float, int | None]] = {
    "u8": ("u1", 2.0**-7, 8),
    "s16": ("i2", 2.0**-15, 16),
    "s32": ("i4", 2.0**-31, 32),
    "flt": ("f4", 1.0, None),
    "dbl": ("f8", 1.0, None),
}
"""libav's sample formats: numpy's name, the factor to full scale 1.0, and bits."""


class _Shape(NamedTuple):
    """What must not change inside a stream."""

    rate: int
    channels: int
    format: str

    @property
    def planar(self) -> bool:
        return self.format.endswith("p")

    @property
    def kind(self) -> str:
        return self.format.removesuffix("p")

    @property
    def dtype(self) -> str:
        return _FORMATS[self.kind][0]


class _Decoding:
    """Frames of one stream as they come, and the errors between them."""

    def __init__(self, limits: Limits) -> None:
        self.limits, self.most = limits, 0
        self.shape: _Shape | None = None
        self.planes: list[list[NDArray[Any]]] = []
        self.frames = 0
        self.pending_error = False
        self.damaged = False

    def add(self, frame: AudioFrame) -> None:
        """Take one frame; its planes are kept as they are, and copied once at the end."""
        shape = _Shape(frame.sample_rate, frame.layout.nb_channels, frame.format.name)
        if self.shape is None:
            self._begin(shape)
        elif shape != self.shape:
            raise ItemRefused("corrupt", f"the format changes inside the stream from {self.shape} to {shape}")
        self.damaged |= self.pending_error and self.frames > 0
        self.pending_error = False
        self.frames += frame.samples
        if self.frames > self.most:
            raise too_long(self.most, shape.rate)
        count = frame.samples * shape.channels // len(self.planes)
        planes: tuple[Any, ...] = frame.planes
        for kept, plane in zip(self.planes, planes, strict=False):
            kept.append(np.frombuffer(plane, shape.dtype, count))

    def _begin(self, shape: _Shape) -> None:
        if shape.kind not in _FORMATS:
            raise ItemRefused("unsupported_codec", f"sample format {shape.format}")
        self.shape, self.most = shape, self.limits.frames(shape.rate, shape.channels)
        self.planes = [[] for _ in range(shape.channels if shape.planar else 1)]

    def values(self, shape: _Shape) -> NDArray[Any]:
        """``(frames, channels)`` as they came."""
        values = np.empty((self.frames, shape.channels), shape.dtype)
        if shape.planar:
            for channel, plane in enumerate(self.planes):
                np.concatenate(plane, out=values[:, channel])
        else:
            np.concatenate(self.planes[0], out=values.reshape(-1))
        return values


def _scaled(values: NDArray[Any], kind: str) -> Signal:
    _, scale, bits = _FORMATS[kind]
    if bits is None:
        return values.astype(np.float64, copy=False)
    return np.multiply(values - 128.0 if bits == 8 else values, scale)


def read(data: bytes, demuxer: str, limits: Limits) -> Reading:
    """Decode the first audio stream of a whole file.

    Raises:
        Unreadable: when libav cannot.
        ItemRefused: ``no_audio_stream``, ``too_long``, ``unsupported_codec``; ``corrupt`` when the format changes
            inside.
    """
    with _first_stream(io.BytesIO(data), demuxer) as (container, stream):
        return _decoded(container, stream, limits)


def blocks(path: str, demuxer: str) -> Generator[tuple[Signal, int], None, bool]:
    """The first audio stream of a file, piece by piece: ``(frames, channels)`` and Hz; in flat memory.

    Gives back whether the end of it does not decode.

    Raises:
        Unreadable: when libav cannot, or something in between does not decode.
        ItemRefused: as :func:`read`.
    """
    with _first_stream(path, demuxer) as (container, stream):
        stream.codec_context.options = _STRICT
        begun = pending = False
        timed = container.format.name == "flac"
        for frame in _frames(container, stream):
            if frame is None:
                pending = True
                continue
            pending |= timed and frame.pts is None
            if pending and begun:
                raise Unreadable("part of the stream does not decode")
            begun, pending = True, False
            one = _Decoding(Limits(float(frame.samples), frame.samples * frame.layout.nb_channels))
            one.add(frame)
            shape = one.shape or _Shape(frame.sample_rate, 1, "flt")
            yield _scaled(one.values(shape), shape.kind), shape.rate
        return pending


def declared(path: str, demuxer: str) -> tuple[int, int, int] | None:
    """Frames, Hz and channels of the first audio stream as its header has them or libav guesses; None without.

    Raises:
        Unreadable: when libav cannot.
        ItemRefused: ``no_audio_stream``.
    """
    with _first_stream(path, demuxer) as (container, stream):
        if stream.duration:
            seconds = float(stream.duration * stream.time_base)
        elif container.duration:
            seconds = container.duration / 1e6
        else:
            return None
        return round(seconds * stream.rate), stream.rate, stream.codec_context.channels


@contextmanager
def _first_stream(file: str | io.BytesIO, demuxer: str) -> Iterator[tuple[Any, Any]]:
    """A container and its first audio stream."""
    import av
    import av.logging

    av.logging.set_level(av.logging.PANIC)
    try:
        with av.open(file, format=demuxer, metadata_errors="replace") as container:
            if not container.streams.audio:
                raise ItemRefused("no_audio_stream", f"{container.format.long_name} without sound")
            stream = container.streams.audio[0]
            if stream.codec_context is None:
                raise Unreadable("no decoder for this codec", unsupported=True)
            yield container, stream
    except (av.error.DecoderNotFoundError, av.error.PatchWelcomeError) as error:
        raise Unreadable(_said(error), unsupported=True) from error
    except (av.error.FFmpegError, ValueError, OSError) as error:
        raise Unreadable(_said(error)) from error


def _said(error: Exception) -> str:
    """What libav says of the error alone: its text ends with the last line logged, by whichever thread."""
    return getattr(error, "strerror", None) or str(error)


def _decoded(container: Any, stream: Any, limits: Limits) -> Reading:
    stream.codec_context.options = _STRICT
    timed = container.format.name == "flac"
    decoding = _Decoding(limits)
    for frame in _frames(container, stream):
        if frame is None:
            decoding.pending_error = True
            continue
        decoding.pending_error |= timed and frame.pts is None
        decoding.add(frame)
    codec, shape = _codec_name(stream.codec_context.name), decoding.shape
    if shape is None:
        if decoding.pending_error:
            raise Unreadable("nothing decodes")
        return Reading(np.zeros((0, 1)), stream.rate or 1, codec, None)
    whole = codec in _LOSSLESS or codec.startswith("pcm_")
    values = decoding.values(shape)
    return Reading(
        _scaled(values, shape.kind),
        shape.rate,
        codec,
        _FORMATS[shape.kind][2] if whole else None,
        damaged=decoding.damaged,
        ended_badly=decoding.pending_error,
        declared=_declared(container, stream, shape.rate),
        raw=values if shape.dtype in ("i2", "f4") else None,
    )


def _declared(container: Any, stream: Any, rate: int) -> int | None:
    """Frames by the media header of an ISO base media file, which ticks with the media's own clock."""
    if not stream.duration or not container.format.name.startswith("mov"):
        return None
    frames: int = round(Fraction(stream.duration) * stream.time_base * rate)
    return frames


def _frames(container: Any, stream: Any) -> Iterator[AudioFrame | None]:
    """Frames in order; None where a packet does not decode or the container breaks off."""
    import av

    packets = container.demux(stream)
    while True:
        try:
            packet = next(packets)
        except StopIteration:
            return
        except av.error.FFmpegError:
            yield None
            return
        try:
            yield from packet.decode()
        except av.error.EOFError:
            return
        except av.error.InvalidDataError:
            yield None


def _codec_name(name: str) -> str:
    """``pcm_s16le`` is ``pcm_s16`` and ``mp3float`` is ``mp3``."""
    return name.removesuffix("le").removesuffix("be").removesuffix("float")

"""The two decoders behind one shape: libsndfile and libav, whole streams, never seeking, never trusting a length.

libsndfile keeps Ambisonics channels in order (libav permutes eight-channel Vorbis); libav reads what libsndfile does
not. Both stop as soon as more was decoded than the caller allows, so a header cannot ask for memory.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sonolake.audio.signals import Signal
from sonolake.errors import ItemRefused

if TYPE_CHECKING:
    from av.audio.frame import AudioFrame

BLOCK_FRAMES = 1 << 18
AT_ONCE_VALUES = 1 << 24
"""A declared length up to this many values (128 MiB) is read in one call."""
_SUBTYPES = {
    "PCM_S8": ("pcm_s8", 8),
    "PCM_U8": ("pcm_u8", 8),
    "PCM_16": ("pcm_s16", 16),
    "PCM_24": ("pcm_s24", 24),
    "PCM_32": ("pcm_s32", 32),
    "ULAW": ("pcm_mulaw", 16),
    "ALAW": ("pcm_alaw", 16),
    "FLOAT": ("pcm_f32", None),
    "DOUBLE": ("pcm_f64", None),
    "MPEG_LAYER_III": ("mp3", None),
    "MPEG_LAYER_II": ("mp2", None),
    "MPEG_LAYER_I": ("mp1", None),
    "MS_ADPCM": ("adpcm_ms", 16),
    "IMA_ADPCM": ("adpcm_ima", 16),
    "GSM610": ("gsm", 16),
}
_LOSSLESS = ("flac", "alac", "wavpack", "ape", "tta", "shorten", "mlp", "truehd")
_FORMATS: dict[str, tuple[float, int | None]] = {
    "u8": (2.0**-7, 8),
    "s16": (2.0**-15, 16),
    "s32": (2.0**-31, 32),
    "flt": (1.0, None),
    "dbl": (1.0, None),
}
"""libav's sample formats: the factor to full scale 1.0, and bits."""


class Unreadable(Exception):
    """A decoder gave up; ``unsupported`` when it knows what this is and has no decoder for it."""

    def __init__(self, why: str, unsupported: bool = False) -> None:
        super().__init__(why)
        self.unsupported = unsupported


@dataclass(frozen=True)
class Reading:
    """What a decoder gave.

    Attributes:
        samples: ``(frames, channels)``.
        sample_rate: Hz.
        codec: libav's name of the codec, without byte order.
        bits: of integer samples, None for lossy and float codecs.
        damaged: an error came before the last good samples.
        ended_badly: an error came after them.
        pcm: the samples as they were, when they have at most 16 bits.
        declared: frames announced by the container, where the decoder's library is the one that reads them.
    """

    samples: Signal
    sample_rate: int
    codec: str
    bits: int | None
    damaged: bool = False
    ended_badly: bool = False
    declared: int | None = None
    pcm: NDArray[np.int16] | None = None


def limit_frames(rate: int, channels: int, max_seconds: float, max_values: int) -> int:
    """Frames allowed by both limits.

    Raises:
        ItemRefused: ``unsupported_codec`` for a rate or a number of channels no recording has.
    """
    if not 4_000 <= rate <= 768_000 or not 1 <= channels <= 64:
        raise ItemRefused(
            "unsupported_codec", f"{rate} Hz and {channels} channels; allowed are 4000-768000 Hz, 1-64"
        )
    return int(min(max_seconds * rate, max_values // channels))


def too_long(seconds: float) -> ItemRefused:
    """The refusal of a file that goes on for more than ``seconds``."""
    return ItemRefused("too_long", f"longer than the limit of {seconds:.0f} s")


def with_soundfile(data: bytes, max_seconds: float, max_values: int) -> Reading:
    """Decode with libsndfile.

    Raises:
        Unreadable: when libsndfile cannot.
        ItemRefused: ``too_long``, ``unsupported_codec``.
    """
    import soundfile

    try:
        with soundfile.SoundFile(io.BytesIO(data)) as file:
            most = limit_frames(file.samplerate, file.channels, max_seconds, max_values)
            codec, bits = _SUBTYPES.get(file.subtype, (file.subtype.lower(), None))
            codec = "flac" if file.format == "FLAC" else codec
            narrow = bits is not None and bits <= 16
            read = _blocks(file, most, "int16" if narrow else "float64")
            if not narrow:
                return Reading(read, file.samplerate, codec, bits)
            return Reading(np.multiply(read, 2.0**-15), file.samplerate, codec, bits, pcm=read)
    except soundfile.LibsndfileError as error:
        raise Unreadable(str(error.error_string)) from error


def _blocks(file: Any, most: int, dtype: str) -> NDArray[Any]:
    if file.frames * file.channels <= AT_ONCE_VALUES and file.frames <= most:
        whole: NDArray[Any] = file.read(dtype=dtype, always_2d=True)
        return whole
    parts: list[NDArray[Any]] = []
    done = 0
    while len(part := file.read(BLOCK_FRAMES, dtype=dtype, always_2d=True)):
        parts.append(part)
        done += len(part)
        if done > most:
            raise too_long(most / file.samplerate)
    return np.concatenate(parts) if parts else np.zeros((0, file.channels), dtype)


def with_libav(data: bytes, demuxer: str, max_seconds: float, max_values: int) -> Reading:
    """Decode with libav; the demuxer is forced, so that no playlist or other file is ever opened.

    Raises:
        Unreadable: when libav cannot.
        ItemRefused: ``no_audio_stream``, ``too_long``, ``unsupported_codec``; ``corrupt`` when the format changes
            inside.
    """
    import av
    import av.logging

    av.logging.set_level(av.logging.PANIC)
    try:
        with av.open(io.BytesIO(data), format=demuxer, metadata_errors="replace") as container:
            if not container.streams.audio:
                raise ItemRefused("no_audio_stream", f"{container.format.long_name} without sound")
            return _decoded(container, max_seconds, max_values)
    except (av.error.DecoderNotFoundError, av.error.PatchWelcomeError) as error:
        raise Unreadable(str(error), unsupported=True) from error
    except (av.error.FFmpegError, ValueError, OSError) as error:
        raise Unreadable(str(error)) from error


def _decoded(container: Any, max_seconds: float, max_values: int) -> Reading:
    stream = container.streams.audio[0]
    if stream.codec_context is None:
        raise Unreadable("no decoder for this codec", unsupported=True)
    stream.codec_context.options = {"err_detect": "crccheck+bitstream+buffer+explode"}
    parts: list[Signal] = []
    shape, done, bad, damaged = None, 0, False, False
    for frame in _frames(container, stream):
        if frame is None:
            bad = True
            continue
        damaged, bad = damaged or (bad and bool(parts)), False
        key = (frame.sample_rate, len(frame.layout.channels), frame.format.name)
        if key != (shape or key):
            raise ItemRefused("corrupt", f"the format changes inside the stream from {shape} to {key}")
        shape = key
        done += frame.samples
        if done > limit_frames(key[0], key[1], max_seconds, max_values):
            raise too_long(max_seconds)
        parts.append(_array(frame))
    codec = _codec_name(stream.codec_context.name)
    if shape is None:
        if bad:
            raise Unreadable("nothing decodes")
        return Reading(np.zeros((0, 1)), stream.rate or 1, codec, None)
    bits = _FORMATS[shape[2].removesuffix("p")][1] if codec in _LOSSLESS or codec.startswith("pcm_") else None
    declared = round(stream.duration * stream.time_base * shape[0]) if _counts(container, stream) else None
    return Reading(np.concatenate(parts), shape[0], codec, bits, damaged, bad, declared)


def _counts(container: Any, stream: Any) -> bool:
    """The container is an ISO base media file, whose media header counts ticks of the media's own clock."""
    return bool(stream.duration) and container.format.name.startswith("mov")


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


def _array(frame: AudioFrame) -> Signal:
    """``(samples, channels)`` float64 of one frame, planar or packed."""
    name, raw = frame.format.name, frame.to_ndarray()
    if name.removesuffix("p") not in _FORMATS:
        raise ItemRefused("unsupported_codec", f"sample format {name}")
    values = raw.T if name.endswith("p") else raw.reshape(frame.samples, -1)
    scale, bits = _FORMATS[name.removesuffix("p")]
    out = values.astype(np.float64)
    return (out - 128.0) * scale if bits == 8 else out * scale


def _codec_name(name: str) -> str:
    return name.removesuffix("le").removesuffix("be").removesuffix("float") if name != "speex" else name

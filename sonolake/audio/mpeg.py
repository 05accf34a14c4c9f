"""MPEG audio layers 1 to 3 and AAC in ADTS: a walk over frame headers, without decoding.

The walk tells a real MPEG stream from bytes that look like one, what its first frame promises, and whether it ends
inside a frame. libav decodes these: libsndfile cuts a variable-rate MP3 without a Xing header, and its MP3 decoder
writes to standard error.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from sonolake.audio.promise import Promise

_V1_L1 = (0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448)
_V1_L2 = (0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384)
_V1_L3 = (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320)
_V2_L1 = (0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256)
_V2_L23 = (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160)
"""kbit/s by index, ISO/IEC 11172-3 and 13818-3, section 2.4.2.3."""
_RATES = {3: (44100, 48000, 32000), 2: (22050, 24000, 16000), 0: (11025, 12000, 8000)}
_ENCODERS = (b"LAME", b"Lavf", b"Lavc")
_CHAIN, _SEARCH = 3, 4096
"""So many frames in a row make a stream; so many bytes of junk before it are forgiven."""


@dataclass(frozen=True)
class Frame:
    """One frame header: bytes and samples it covers, its rate, and where its side information ends."""

    size: int
    samples: int
    rate: int
    side: int


def frame_at(data: bytes, at: int) -> Frame | None:
    """The MPEG audio frame header at ``at``, None when there is none (free-format streams included)."""
    if at + 4 > len(data) or data[at] != 0xFF or data[at + 1] & 0xE0 != 0xE0:
        return None
    version, layer = data[at + 1] >> 3 & 3, 4 - (data[at + 1] >> 1 & 3)
    index, rate_index, pad = data[at + 2] >> 4, data[at + 2] >> 2 & 3, data[at + 2] >> 1 & 1
    if version == 1 or layer == 4 or index in (0, 15) or rate_index == 3:
        return None
    table = (_V1_L1, _V1_L2, _V1_L3)[layer - 1] if version == 3 else _V2_L1 if layer == 1 else _V2_L23
    bits, rate = table[index] * 1000, _RATES[version][rate_index]
    samples = 384 if layer == 1 else 576 if layer == 3 and version != 3 else 1152
    size = (12 * bits // rate + pad) * 4 if layer == 1 else samples // 8 * bits // rate + pad
    mono = data[at + 3] >> 6 == 3
    side = (17 if mono else 32) if version == 3 else (9 if mono else 17)
    return Frame(size, samples, rate, side)


def promise(data: bytes) -> Promise | None:
    """The promise of an MPEG audio or ADTS stream, None when ``data`` is neither."""
    start = _skip_id3(data)
    if data[start : start + 4] == b"fLaC":
        return Promise("flac", "flac", soundfile=False)
    if _adts(data, start):
        return Promise("aac", "aac", soundfile=False)
    for at in range(start, min(start + _SEARCH, len(data))):
        if data[at] == 0xFF and _is_chain(data, at):
            return _stream(data, at)
    return None


def _skip_id3(data: bytes) -> int:
    """Where the bytes behind ID3v2 tags start."""
    at = 0
    while data[at : at + 3] == b"ID3" and at + 10 <= len(data):
        a, b, c, d = data[at + 6 : at + 10]
        at += 10 + (a << 21 | b << 14 | c << 7 | d) + (10 if data[at + 5] & 0x10 else 0)
    return at


def _is_chain(data: bytes, at: int) -> bool:
    """A few frames of one rate follow each other from ``at``, or up to the end of a stream shorter than that."""
    rate = 0
    for step in range(_CHAIN):
        frame = frame_at(data, at)
        if frame is None or (rate and frame.rate != rate):
            return step > 0 and at >= len(data)
        rate, at = frame.rate, at + frame.size
    return True


def _stream(data: bytes, begin: int) -> Promise:
    first = frame_at(data, begin)
    assert first is not None
    end, at = _end(data), begin
    frame: Frame | None = first
    while frame is not None and at + frame.size <= end:
        at += frame.size
        frame = frame_at(data, at) if at < end else None
    cut = at < end and frame is not None
    tag = _tag(data, begin, first)
    if tag is None:
        guess = (end - begin) * first.samples // first.size
        return Promise("mp3", "mp3", soundfile=False, frames=guess, trust="guess", cut=cut)
    return Promise("mp3", "mp3", soundfile=False, frames=tag, cut=cut)


def _tag(data: bytes, at: int, frame: Frame) -> int | None:
    """The samples, after trimming, that a Xing, Info or VBRI tag inside the first frame promises."""
    if data[at + 36 : at + 40] == b"VBRI" and at + 54 <= len(data):
        return int(struct.unpack_from(">I", data, at + 50)[0]) * frame.samples
    tag = at + 4 + frame.side
    if data[tag : tag + 4] not in (b"Xing", b"Info") or tag + 12 > len(data):
        return None
    flags, count = (int.from_bytes(data[tag + i : tag + i + 4], "big") for i in (4, 8))
    if not flags & 1:
        return None
    at = tag + 12 + 4 * bool(flags & 2) + 100 * bool(flags & 4) + 4 * bool(flags & 8)
    trim = int.from_bytes(data[at + 21 : at + 24], "big") if data[at : at + 4] in _ENCODERS else 0
    return max(count * frame.samples - (trim >> 12) - (trim & 0xFFF), 0)


def _end(data: bytes) -> int:
    """Where the audio ends: before an ID3v1 tag."""
    return len(data) - 128 if data[-128:-125] == b"TAG" else len(data)


def _adts(data: bytes, at: int) -> bool:
    """Frames of AAC follow each other from ``at`` (ISO/IEC 14496-3, 1.A.2.2)."""
    for step in range(_CHAIN):
        if at + 7 > len(data) or data[at] != 0xFF or data[at + 1] & 0xF6 != 0xF0:
            return step > 0 and at >= len(data)
        size = (data[at + 3] & 3) << 11 | data[at + 4] << 3 | data[at + 5] >> 5
        if size < 7:
            return False
        at += size
    return True

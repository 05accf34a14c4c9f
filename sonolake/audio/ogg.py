"""Ogg pages (RFC 3533) and the codec of the first logical stream."""

from __future__ import annotations

import struct

from sonolake.audio.promise import Promise

_END, _NO_GRANULE = 0x04, 0xFFFFFFFFFFFFFFFF


def promise(data: bytes) -> Promise:
    """The promise of an Ogg file: the last granule position counts what the pages hold.

    Without a page marked as the end, or with a page that is incomplete, the stream was cut: what was promised is not
    known then. Positions of Opus are in 48 kHz samples (RFC 7845, section 4) and left to the decoder.
    """
    codec, granule, ended, at = b"", 0, False, 0
    while data[at : at + 4] == b"OggS" and at + 27 <= len(data):
        segments = data[at + 26]
        body = at + 27 + segments
        stop = body + sum(data[at + 27 : body])
        if stop > len(data):
            break
        codec = codec or data[body : body + 8]
        position = struct.unpack_from("<Q", data, at + 6)[0]
        granule = granule if position == _NO_GRANULE else position
        ended, at = bool(data[at + 5] & _END), stop
    flac, opus = codec[:5] == b"\x7fFLAC", codec == b"OpusHead"
    frames = granule if ended and not opus and granule < 1 << 40 else None
    return Promise("ogg", "ogg", soundfile=not flac, frames=frames, cut=not ended)

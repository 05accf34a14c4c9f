"""ISO base media files (ISO/IEC 14496-12): mp4, m4a, mov, 3gp."""

from __future__ import annotations

import struct

from sonolake.audio.promise import Promise


def promise(data: bytes) -> Promise:
    """Top-level boxes only: a box that ends behind the data, or no ``moov``, means the file was cut."""
    at, seen, cut = 0, set(), False
    while at + 8 <= len(data):
        size, name = struct.unpack_from(">I4s", data, at)
        if size == 1 and at + 16 <= len(data):
            size = struct.unpack_from(">Q", data, at + 8)[0]
        if size == 0:
            size = len(data) - at
        if size < 8:
            break
        seen.add(name)
        cut = at + size > len(data)
        at += size
    return Promise("mp4", "mov", soundfile=False, cut=cut or b"moov" not in seen)

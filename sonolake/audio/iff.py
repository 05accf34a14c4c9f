"""Headers of AIFF and AIFF-C, CAF, AU and FLAC."""

from __future__ import annotations

import struct

from sonolake.audio.promise import Promise


def aiff(data: bytes) -> Promise:
    """AIFF 1.3 and AIFF-C: the COMM chunk counts frames, the SSND chunk bytes."""
    if data[8:12] not in (b"AIFF", b"AIFC"):
        return Promise("iff", broken=f"an IFF file of kind {data[8:12]!r}", cut=len(data) < 12)
    frames, cut, sound, at = None, False, False, 12
    while at + 8 <= len(data):
        name, size = data[at : at + 4], struct.unpack_from(">I", data, at + 4)[0]
        if name == b"COMM" and at + 14 <= len(data):
            frames = struct.unpack_from(">I", data, at + 10)[0]
        if name == b"SSND":
            sound, cut = True, at + 8 + size > len(data)
        at += 8 + size + (size & 1)
    if frames is None or (not sound and frames):
        return Promise("aiff", "aiff", cut=True, broken="the COMM or SSND chunk is missing")
    return Promise("aiff", "aiff", frames=frames, trust="exact", cut=cut)


def caf(data: bytes) -> Promise:
    """Core Audio Format 1.0: frames follow from the data chunk when packets have a constant size."""
    per_packet, at = (0, 0), 8
    while at + 12 <= len(data):
        name, size = data[at : at + 4], struct.unpack_from(">q", data, at + 4)[0]
        if name == b"desc" and at + 44 <= len(data):
            per_packet = struct.unpack_from(">II", data, at + 28)
        if name == b"data":
            there = len(data) - at - 12
            constant = all(per_packet) and size >= 0
            frames = max(size - 4, 0) // per_packet[0] * per_packet[1] if constant else None
            cut = size > there
            return Promise(
                "caf", "caf", soundfile=not cut, frames=frames, trust="exact" if constant else "near", cut=cut
            )
        if size < 0:
            break
        at += 12 + size
    return Promise("caf", "caf", cut=True, broken="the data chunk is missing")


def au(data: bytes) -> Promise:
    """Sun AU: the size is in bytes, 0xFFFFFFFF when unknown; frames for the linear encodings 1 to 7 and 27."""
    if len(data) < 24:
        return Promise("au", "au", cut=True, broken="the header is incomplete")
    offset, size, encoding, _, channels = struct.unpack_from(">5I", data, 4)
    width = {1: 1, 2: 1, 3: 2, 4: 3, 5: 4, 6: 4, 7: 8, 27: 1}.get(encoding)
    if size == 0xFFFFFFFF or not width or not channels:
        return Promise("au", "au")
    return Promise(
        "au", "au", frames=size // (width * channels), trust="exact", cut=offset + size > len(data)
    )


def flac(data: bytes) -> Promise:
    """FLAC (RFC 9639, section 8.2): 36 bits of STREAMINFO count the samples, 0 for unknown."""
    if len(data) < 42 or data[4] & 0x7F:
        return Promise("flac", "flac", cut=len(data) < 42, broken="STREAMINFO is missing")
    frames = int.from_bytes(data[21:26], "big") & 0xFFFFFFFFF
    return Promise("flac", "flac", frames=frames or None, trust="exact")

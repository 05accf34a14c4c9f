"""RIFF, RIFX and RF64 (EBU Tech 3306) headers of WAVE files."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from sonolake.audio.promise import Promise

PLACEHOLDER = 0x7FFF0000
"""Sizes from here on, with fewer bytes behind them, are what a writer to a pipe puts when it does not know."""
_LINEAR = (1, 3, 6, 7)
"""Format tags whose frames are ``block_align`` bytes: PCM, float, A-law, mu-law."""


@dataclass
class _Wave:
    tag: int = 0
    channels: int = 0
    block: int = 0
    fact: int | None = None
    data_at: int = -1
    data_size: int = 0
    wide_size: int = 0


def promise(data: bytes) -> Promise:
    """The promise of a RIFF file; AVI is handed to libav."""
    form = data[8:12]
    if form == b"AVI ":
        return Promise("avi", "avi", soundfile=False)
    if form != b"WAVE":
        return Promise("riff", broken=f"a RIFF file of kind {form!r}, not WAVE", cut=len(data) < 12)
    wave = _walk(data, ">" if data[:4] == b"RIFX" else "<")
    demuxer = "" if data[:4] == b"RIFX" else "wav"
    if not wave.block or wave.data_at < 0:
        missing = "format" if not wave.block else "data"
        return Promise("wav", demuxer, cut=True, broken=f"the {missing} chunk is missing")
    there = len(data) - wave.data_at
    size = wave.wide_size if data[:4] == b"RF64" and wave.data_size == 0xFFFFFFFF else wave.data_size
    if size > there and size >= PLACEHOLDER and not wave.wide_size:
        return Promise("wav", demuxer)
    if size == 0 < there and not _closed(data):
        return Promise("wav", demuxer, soundfile=not demuxer)
    frames = size // wave.block if wave.tag in _LINEAR else wave.fact
    return Promise(
        "wav", demuxer, frames=frames, trust="exact" if wave.tag in _LINEAR else "near", cut=size > there
    )


def _closed(data: bytes) -> bool:
    """The size of the whole file was filled in, so its writer came to the end."""
    return int(struct.unpack_from(">I" if data[:4] == b"RIFX" else "<I", data, 4)[0]) + 8 == len(data)


def _walk(data: bytes, order: str) -> _Wave:
    """The chunks up to the data chunk; sizes are taken as claims and never allocated."""
    wave, at = _Wave(), 12
    while at + 8 <= len(data):
        name, size = data[at : at + 4], struct.unpack_from(order + "I", data, at + 4)[0]
        body = data[at + 8 : at + 8 + min(size, 64)]
        if name == b"data":
            wave.data_at, wave.data_size = at + 8, size
            break
        if name == b"fmt " and len(body) >= 16:
            wave.tag, wave.channels, _, _, wave.block = struct.unpack_from(order + "HHIIH", body)
            if wave.tag == 0xFFFE and len(body) >= 26:
                wave.tag = struct.unpack_from(order + "H", body, 24)[0]
        elif name == b"fact" and len(body) >= 4:
            wave.fact = struct.unpack_from(order + "I", body)[0]
        elif name == b"ds64" and len(body) >= 16:
            wave.wide_size = struct.unpack_from("<Q", body, 8)[0]
        at += 8 + size + (size & 1)
    return wave

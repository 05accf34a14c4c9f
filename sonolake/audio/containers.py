"""What a file is, told from its bytes, never from its name; and what its header promises.

A header is read here by a few lines of our own, because the libraries that decode do not say what the file promised
once less than that is there.
"""

from __future__ import annotations

from collections.abc import Callable

from sonolake.audio import iff, isobmff, mpeg, ogg, riff
from sonolake.audio.promise import Promise

Reader = Callable[[bytes], Promise]

_MAGIC: tuple[tuple[int, bytes, Reader], ...] = (
    (0, b"RIFF", riff.promise),
    (0, b"RIFX", riff.promise),
    (0, b"RF64", riff.promise),
    (0, b"FORM", iff.aiff),
    (0, b"caff", iff.caf),
    (0, b".snd", iff.au),
    (0, b"fLaC", iff.flac),
    (0, b"OggS", ogg.promise),
    (4, b"ftyp", isobmff.promise),
)
_PLAIN: tuple[tuple[int, bytes, str, str], ...] = (
    (0, b"\x1a\x45\xdf\xa3", "matroska", "matroska"),
    (0, bytes.fromhex("3026b2758e66cf11a6d900aa0062ce6c"), "asf", "asf"),
    (0, b"wvpk", "wavpack", "wv"),
    (0, b"MAC ", "ape", "ape"),
    (0, b"TTA1", "tta", "tta"),
    (0, b"MPCK", "musepack", "mpc8"),
    (0, b"#!AMR", "amr", "amr"),
    (0, b"FLV\x01", "flv", "flv"),
    (0, b"ADIF", "aac", "aac"),
    (0, b"NIST_1A", "sphere", ""),
    (0, b"Creative Voice File", "voc", ""),
    (0, bytes.fromhex("726966662e91cf11a5d628db04c10000"), "w64", ""),
)
"""Offset, magic, container, and the libav demuxer; without one only libsndfile reads it."""


def identify(data: bytes) -> Promise | None:
    """What ``data`` is and promises, or None when it is no audio or video file that is known here."""
    for offset, magic, read in _MAGIC:
        if data[offset : offset + len(magic)] == magic:
            return read(data)
    for offset, magic, container, demuxer in _PLAIN:
        if data[offset : offset + len(magic)] == magic:
            return Promise(container=container, demuxer=demuxer, soundfile=not demuxer)
    return mpeg.promise(data)


def describe(data: bytes) -> str:
    """A few words on bytes that are no audio file, for the person who reads the quarantine."""
    head = data[:512].lstrip(b"\xef\xbb\xbf \t\r\n")
    if head[:1] == b"<":
        return "a web page or XML"
    if _is_text(data[:512]):
        return "text"
    for magic, words in (
        (b"\x89PNG", "a PNG image"),
        (b"\xff\xd8\xff", "a JPEG image"),
        (b"PK", "a ZIP archive"),
    ):
        if head.startswith(magic):
            return words
    return "bytes of no audio format"


def _is_text(head: bytes) -> bool:
    """UTF-8 (the last character may be cut) without control characters."""
    text = head.decode("utf-8", "replace")
    return (
        all(c.isprintable() or c in "\t\r\n" for c in text[:-1].rstrip("\ufffd"))
        and "\ufffd" not in text[:-3]
    )

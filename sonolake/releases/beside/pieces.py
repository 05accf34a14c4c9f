"""Of what a shard is put together: sounds that are there already, and the rest, which has to be fetched.

Between two sounds of one page lie four bytes, the length of the second, little-endian (Parquet format, Encodings,
PLAIN). All else, which is page headers, the other columns and the footer, is fetched.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sonolake.releases.ranged import Sound

PREFIX = 4
SMALL = 4096
"""Bytes between two stretches to be fetched that are cheaper to fetch, too, than to ask twice."""


@dataclass(frozen=True)
class Place:
    """Where bytes lie on this machine, and their SHA-256."""

    path: Path
    offset: int
    sha256: str


@dataclass(frozen=True)
class Piece:
    """The bytes of a file from ``start`` to before ``end``: at a place, known, or (None) to be fetched."""

    start: int
    end: int
    source: Place | bytes | None = None


def pieces_of(size: int, sounds: Iterable[Sound], there: Mapping[str, Place]) -> list[Piece]:
    """A shard of ``size`` bytes with ``sounds``, in the order of their offsets, as pieces without gaps.

    Args:
        size: of the shard.
        sounds: where each sound lies in it, and what it must be.
        there: by SHA-256, sounds that are on this machine.
    """
    return list(_merged(_pieces(size, list(sounds), there)))


def _pieces(size: int, sounds: Sequence[Sound], there: Mapping[str, Place]) -> Iterator[Piece]:
    at = 0
    for sound in sounds:
        end = sound.offset + sound.bytes
        if not at <= sound.offset <= end <= size:
            break
        if at and sound.offset - at == PREFIX and sound.bytes < 1 << 31:
            yield Piece(at, sound.offset, sound.bytes.to_bytes(PREFIX, "little"))
        elif sound.offset > at:
            yield Piece(at, sound.offset)
        if end > sound.offset:
            yield Piece(sound.offset, end, there.get(sound.sha256))
        at = end
    if at < size:
        yield Piece(at, size)


def _merged(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Stretches to be fetched that touch, or that little is between, as one."""
    held: list[Piece] = []
    for piece in pieces:
        if held and piece.source is None and held[0].source is None:
            held = [Piece(held[0].start, piece.end)]
        elif (
            held and piece.source is not None and piece.end - held[0].end <= SMALL and held[0].source is None
        ):
            held.append(piece)
        else:
            yield from held
            held = [piece]
    yield from held

"""A file of a release from what is on this machine and what has to be fetched."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import suppress

from sonolake.releases.beside.pieces import Piece, Place
from sonolake.releases.disk import BLOCK
from sonolake.releases.origins import Origin
from sonolake.releases.pace import Gate


class Joined:
    """An origin of one file, put together of ``pieces``; what comes from afar goes through ``gate``.

    Args:
        origin: where the rest is fetched.
        pieces: of the file, without gaps.
        gate: for what is fetched.
        careful: hold each sound on this machine against its hash, and fetch those that are damaged.

    Attributes:
        local: bytes that were read from this machine.
    """

    def __init__(self, origin: Origin, pieces: Sequence[Piece], gate: Gate, careful: bool = False) -> None:
        self._origin, self._pieces, self._gate, self._careful = origin, pieces, gate, careful
        self.local = 0

    @property
    def name(self) -> str:
        """The origin's."""
        return self._origin.name

    @property
    def address(self) -> str:
        """The origin's."""
        return self._origin.address

    def below(self, path: str) -> Origin:
        """The place ``path`` under the origin."""
        return self._origin.below(path)

    def stream(self, path: str, start: int = 0, end: int | None = None) -> Iterator[bytes]:
        """See :meth:`~sonolake.releases.origins.base.Origin.stream`."""
        for piece in self._pieces:
            first, last = max(piece.start, start), piece.end if end is None else min(piece.end, end)
            if first < last:
                yield from self._bytes(path, piece, first, last)

    def _bytes(self, path: str, piece: Piece, first: int, last: int) -> Iterator[bytes]:
        source = piece.source
        if isinstance(source, bytes):
            yield source[first - piece.start : last - piece.start]
            return
        if source is not None and not (self._careful and not is_right(source, piece.end - piece.start)):
            for block in read_place(source, first - piece.start, last - piece.start):
                self.local += len(block)
                first += len(block)
                yield block
        for block in self._origin.stream(path, first, last) if first < last else ():
            self._gate.take(len(block))
            yield block


def read_place(place: Place, start: int, end: int) -> Iterator[bytes]:
    """Bytes of what lies at ``place``, counted from its beginning; fewer where the file is shorter, or gone."""
    with suppress(OSError), place.path.open("rb") as file:
        file.seek(place.offset + start)
        left = end - start
        while left > 0 and (block := file.read(min(BLOCK, left))):
            left -= len(block)
            yield block


def is_right(place: Place, size: int) -> bool:
    """Whether the bytes there are those of their hash."""
    digest = hashlib.sha256()
    for block in read_place(place, 0, size):
        digest.update(block)
    return digest.hexdigest() == place.sha256

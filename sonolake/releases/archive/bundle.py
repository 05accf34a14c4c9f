"""A release as one tar archive, made while it is read: its size and MD5 are known before the first byte is sent.

An archive such as Zenodo keeps files side by side, without folders. The tar is POSIX ustar, members by path, without
time, user or group, so that equal releases give equal bytes.
"""

from __future__ import annotations

import hashlib
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sonolake.releases.disk import BLOCK, files_in
from sonolake.releases.exports.packing import member


@dataclass(frozen=True)
class Document:
    """A file that is at hand."""

    name: str
    data: bytes

    @property
    def size(self) -> int:
        """Its bytes."""
        return len(self.data)

    def md5(self) -> str:
        """MD5 of it."""
        return hashlib.md5(self.data, usedforsecurity=False).hexdigest()

    def blocks(self) -> Iterator[bytes]:
        """Its bytes, in one block."""
        yield self.data


@dataclass(frozen=True)
class Bundle:
    """The files of ``folder`` below the name ``top`` as a tar archive."""

    folder: Path
    top: str

    @property
    def name(self) -> str:
        """What it is called."""
        return f"{self.top}.tar"

    @property
    def size(self) -> int:
        """Its bytes."""
        padded = sum(-(-self._size(path) // tarfile.BLOCKSIZE) + 1 for path in files_in(self.folder))
        whole = (padded + 2) * tarfile.BLOCKSIZE
        return -(-whole // tarfile.RECORDSIZE) * tarfile.RECORDSIZE

    def md5(self) -> str:
        """MD5 of it, which is what archives say of files; all files are read for it."""
        digest = hashlib.md5(usedforsecurity=False)
        for block in self.blocks():
            digest.update(block)
        return digest.hexdigest()

    def blocks(self) -> Iterator[bytes]:
        """Its bytes, in blocks."""
        sent = 0
        for path in files_in(self.folder):
            info = member(f"{self.top}/{path}", self._size(path))
            yield info.tobuf(tarfile.USTAR_FORMAT)
            with (self.folder / path).open("rb") as file:
                while block := file.read(BLOCK):
                    yield block
            pad = -info.size % tarfile.BLOCKSIZE
            yield bytes(pad)
            sent += tarfile.BLOCKSIZE + info.size + pad
        yield bytes(self.size - sent)

    def _size(self, path: str) -> int:
        return (self.folder / path).stat().st_size

"""Previews and originals as files: each whole or not there, and none asked for twice.

A file is written beside its place and moved there when its length, and of an original also its MD5, are as stated. What
was downloaded stays until the lake has it.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sonolake.errors import InvalidInput, ItemRefused, Unreachable
from sonolake.sources.freesound.access import Access
from sonolake.sources.freesound.sounds import Sound
from sonolake.sources.freesound.transport import Absent, BadBody, Transport
from sonolake.sources.ingest import MOST_BYTES

if TYPE_CHECKING:
    import httpx

GONE = "Freesound has deleted it, or shows it no more"
ABANDONED_S = 86_400.0
"""Parts of files that are so old belong to a process that was killed."""


@dataclass
class Downloads:
    """The files of one server that are on their way into a lake.

    Args:
        folder: where they are kept.
        transport: asks for them.
    """

    folder: Path
    transport: Transport

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        for part in self.folder.glob(".*.part"):
            if time.time() - part.stat().st_mtime > ABANDONED_S:
                part.unlink(missing_ok=True)

    def preview(self, sound: Sound) -> Path:
        """The best preview of ``sound``.

        Raises:
            ItemRefused: ``gone``, or ``download_failed`` when there is no whole file to be had now.
        """
        if sound.preview is None:
            raise ItemRefused("gone", "Freesound has no preview of it")
        name, address = sound.preview
        path = self.folder / f"{sound.id}.{name}"
        return self._there(path, lambda: self.transport.file(address, lambda r: _save(r, path)))

    def original(self, sound: Sound, access: Access) -> Path:
        """The file that was uploaded. Raises as :meth:`preview`, and LimitReached and Refused as the API answers."""
        path = self.folder / f"{sound.id}.original"

        def read(response: httpx.Response) -> None:
            _save(response, path, sound.filesize, sound.md5)

        return self._there(
            path, lambda: self.transport.api(f"/sounds/{sound.id}/download/", access, read, away=True)
        )

    def forget(self, path: Path) -> None:
        """Remove a file that the lake has."""
        if path.parent == self.folder:
            path.unlink(missing_ok=True)

    def _there(self, path: Path, download: Callable[[], None]) -> Path:
        if path.is_file():
            return path
        try:
            download()
        except Absent:
            raise ItemRefused("gone", GONE) from None
        except (Unreachable, InvalidInput) as error:
            raise ItemRefused("download_failed", str(error)) from None
        return path


def _save(response: httpx.Response, path: Path, size: int = 0, md5: str = "") -> None:
    """Write the answer to ``path``, whole or not at all.

    Raises:
        BadBody: it is a page, has no stated length, or another length or MD5 than stated.
        ItemRefused: ``too_long`` for more bytes than are taken.
    """
    stated = response.headers.get("Content-Length", "")
    if response.headers.get("Content-Type", "").startswith("text/"):
        raise BadBody("a page came instead of a sound")
    if not stated.isdigit() and "chunked" not in response.headers.get("Transfer-Encoding", ""):
        raise BadBody("the length of the file is not stated")
    digest, written = hashlib.md5(usedforsecurity=False), 0
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            for piece in response.iter_bytes():
                file.write(piece)
                digest.update(piece)
                written += len(piece)
                if written > MOST_BYTES:
                    raise ItemRefused("too_long", f"at most {MOST_BYTES:,} bytes are taken")
        _check(written, int(stated) if stated.isdigit() else written, "the answer states")
        _check(written, size or written, "Freesound states for the file")
        if md5 and digest.hexdigest() != md5:
            raise BadBody("its MD5 is not the one that Freesound states")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _check(written: int, stated: int, where: str) -> None:
    if written != stated:
        raise BadBody(f"{written:,} bytes came, {where} {stated:,}")

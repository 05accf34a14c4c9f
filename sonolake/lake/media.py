"""Audio bytes, immutable, named by their SHA-256: ``ab/abcd…`` holds the bytes whose SHA-256 is ``abcd…``."""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from sonolake.errors import Damaged, InvalidInput, NotFound
from sonolake.ids import sha256_hex
from sonolake.lake.storage import Entry, LocalStorage, Storage

_ID = re.compile(r"[0-9a-f]{64}\Z")
YOUNG_S = 6 * 3600.0
"""Objects that were written within so many seconds are as good as new; older ones are written again."""


class MediaRoom(Protocol):
    """The media of a lake."""

    def __contains__(self, asset_id: str) -> bool:
        """Whether the bytes are there."""

    def __iter__(self) -> Iterator[str]:
        """The ids of all bytes kept, sorted."""

    def put(self, data: bytes, asset_id: str | None = None) -> str:
        """Keep ``data`` and return its id; durable before this returns, whole or not at all.

        Bytes that are there already only become young again, so that ``gc`` leaves them to whoever is about to name
        them.

        Args:
            data: the bytes.
            asset_id: their SHA-256 where the caller has it already.
        """

    def read(self, asset_id: str) -> bytes:
        """The bytes of ``asset_id``, checked.

        Raises:
            NotFound: when they are not there.
            Damaged: when they are not what their name says.
        """

    def unchecked(self, asset_id: str) -> bytes:
        """The bytes as they are there; whoever asks holds them against their id.

        Raises:
            NotFound: when they are not there.
        """

    def entries(self) -> Iterator[Entry]:
        """All bytes kept, by id."""

    def discard(self, asset_id: str, before: float) -> None:
        """Delete the bytes, unless a writer has put them again since ``before`` (seconds since 1970)."""

    def leftovers(self) -> list[Entry]:
        """What a killed writer left half written, by its path below the room."""


def media_in(storage: Storage) -> MediaRoom:
    """The media room that ``storage`` is."""
    return Media(storage.root) if isinstance(storage, LocalStorage) else StoredMedia(storage)


def checked_id(asset_id: str) -> str:
    """``asset_id``.

    Raises:
        InvalidInput: when it is none.
    """
    if not _ID.match(asset_id):
        raise InvalidInput("asset id", "64 hexadecimal digits", asset_id)
    return asset_id


class StoredMedia:
    """Media as objects in S3, each written whole."""

    def __init__(self, storage: Storage) -> None:
        self.storage = storage

    def __contains__(self, asset_id: str) -> bool:
        return self.storage.stat(_path(asset_id)) is not None

    def __iter__(self) -> Iterator[str]:
        """See :class:`MediaRoom`."""
        yield from (entry.path for entry in self.entries())

    def put(self, data: bytes, asset_id: str | None = None) -> str:
        """See :class:`MediaRoom`."""
        asset_id = asset_id or sha256_hex(data)
        there = self.storage.stat(_path(asset_id))
        if there is None or there.size != len(data) or there.modified < time.time() - YOUNG_S:
            self.storage.write(_path(asset_id), data)
        return asset_id

    def read(self, asset_id: str) -> bytes:
        """See :class:`MediaRoom`."""
        return _intact(asset_id, self.unchecked(asset_id))

    def unchecked(self, asset_id: str) -> bytes:
        """See :class:`MediaRoom`."""
        try:
            return self.storage.read(_path(asset_id))
        except NotFound:
            raise NotFound(f"media {asset_id} is not in {self.storage.uri}") from None

    def entries(self) -> Iterator[Entry]:
        """See :class:`MediaRoom`."""
        for entry in self.storage.entries():
            yield replace(entry, path=entry.path.rpartition("/")[2])

    def discard(self, asset_id: str, before: float) -> None:
        """See :class:`MediaRoom`."""
        there = self.storage.stat(_path(asset_id))
        if there is not None and there.modified <= before:
            self.storage.delete(_path(asset_id))

    def leftovers(self) -> list[Entry]:
        """Objects are never half written."""
        return []


def _path(asset_id: str) -> str:
    return f"{checked_id(asset_id)[:2]}/{asset_id}"


def _intact(asset_id: str, data: bytes) -> bytes:
    if sha256_hex(data) != asset_id:
        raise Damaged(f"media {asset_id} is damaged: its bytes hash to {sha256_hex(data)}")
    return data


class Media:
    """Media as plain files below the folder ``root``."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def path(self, asset_id: str) -> Path:
        """Where the bytes of ``asset_id`` lie or would lie."""
        return self.root / checked_id(asset_id)[:2] / asset_id

    def __contains__(self, asset_id: str) -> bool:
        return self.path(asset_id).is_file()

    def put(self, data: bytes, asset_id: str | None = None) -> str:
        """See :class:`MediaRoom`; on disk (fsync) before this returns."""
        asset_id = asset_id or sha256_hex(data)
        final = str(self.path(asset_id))
        if _refreshed(final, len(data)):
            return asset_id
        folder = final[: -len(asset_id)]
        part = f"{folder}.incoming-{os.getpid()}-{threading.get_ident()}"
        try:
            _write_synced(part, data)
        except FileNotFoundError:
            Path(folder).mkdir(parents=True, exist_ok=True)
            _write_synced(part, data)
        os.replace(part, final)  # noqa: PTH105  (half the time of Path.replace, and this runs for every file)
        return asset_id

    def read(self, asset_id: str) -> bytes:
        """See :class:`MediaRoom`."""
        return _intact(asset_id, self.unchecked(asset_id))

    def unchecked(self, asset_id: str) -> bytes:
        """See :class:`MediaRoom`."""
        try:
            return self.path(asset_id).read_bytes()
        except FileNotFoundError:
            raise NotFound(f"media {asset_id} is not in {self.root}") from None

    def __iter__(self) -> Iterator[str]:
        """See :class:`MediaRoom`."""
        for folder in sorted(p for p in self.root.glob("??") if p.is_dir()):
            yield from sorted(p.name for p in folder.iterdir() if _ID.match(p.name))

    def entries(self) -> Iterator[Entry]:
        """See :class:`MediaRoom`."""
        for asset_id in self:
            with suppress(FileNotFoundError):
                found = self.path(asset_id).stat()
                yield Entry(asset_id, found.st_size, found.st_mtime)

    def discard(self, asset_id: str, before: float) -> None:
        """See :class:`MediaRoom`; moved aside first, the file cannot be found by a writer any more."""
        path = self.path(asset_id)
        aside = path.with_name(f".incoming-{path.name}")
        path.rename(aside)
        if aside.stat().st_mtime <= before:
            aside.unlink()
        else:
            aside.rename(path)

    def leftovers(self) -> list[Entry]:
        """See :class:`MediaRoom`."""
        found = (
            (path.relative_to(self.root).as_posix(), path.stat()) for path in self.root.glob("??/.incoming-*")
        )
        return sorted(
            (Entry(path, stat.st_size, stat.st_mtime) for path, stat in found), key=lambda e: e.path
        )


def _refreshed(path: str, size: int) -> bool:
    """Whether ``path`` is there with its ``size`` in bytes; it is then as young as if it had just been written."""
    try:
        if os.stat(path).st_size != size:  # noqa: PTH116  (as above)
            return False
        os.utime(path)
    except FileNotFoundError:
        return False
    return True


def _write_synced(path: str, data: bytes) -> None:
    """Write ``data`` to ``path`` and wait until it is on disk; a file that cannot be written whole is taken away.

    Its pages leave the cache: the next file is written to the same memory, where a corpus larger than it would push out
    all else and take a page fault for every 4 KiB.
    """
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(handle, view) :]
        os.fsync(handle)
        if hasattr(os, "posix_fadvise"):
            os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
    except BaseException:
        Path(path).unlink(missing_ok=True)
        raise
    finally:
        os.close(handle)

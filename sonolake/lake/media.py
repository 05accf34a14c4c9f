"""Audio bytes, immutable, named by their SHA-256, in plain files."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterator
from pathlib import Path

from sonolake.errors import Damaged, InvalidInput, NotFound
from sonolake.ids import sha256_hex

_ID = re.compile(r"[0-9a-f]{64}\Z")


class Media:
    """The media room of a lake: ``root/ab/abcd…`` holds the bytes whose SHA-256 is ``abcd…``."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def path(self, asset_id: str) -> Path:
        """Where the bytes of ``asset_id`` lie or would lie."""
        if not _ID.match(asset_id):
            raise InvalidInput("asset id", "64 hexadecimal digits", asset_id)
        return self.root / asset_id[:2] / asset_id

    def __contains__(self, asset_id: str) -> bool:
        return self.path(asset_id).is_file()

    def put(self, data: bytes, asset_id: str | None = None) -> str:
        """Keep ``data`` and return its id; on disk (fsync) before this returns, whole or not at all.

        Bytes that are there already only become young again, so that ``gc`` leaves them to whoever is about to name
        them.

        Args:
            data: the bytes.
            asset_id: their SHA-256 where the caller has it already.
        """
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
        """The bytes of ``asset_id``, checked.

        Raises:
            NotFound: when they are not there.
            Damaged: when they are not what their name says.
        """
        try:
            data = self.path(asset_id).read_bytes()
        except FileNotFoundError:
            raise NotFound(f"media {asset_id} is not in {self.root}") from None
        if sha256_hex(data) != asset_id:
            raise Damaged(f"media {asset_id} is damaged: its bytes hash to {sha256_hex(data)}")
        return data

    def __iter__(self) -> Iterator[str]:
        """The ids of all bytes kept, sorted."""
        for folder in sorted(p for p in self.root.glob("??") if p.is_dir()):
            yield from sorted(p.name for p in folder.iterdir() if _ID.match(p.name))

    def leftovers(self) -> list[Path]:
        """Files that a killed writer left half written."""
        return sorted(self.root.glob("??/.incoming-*"))


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

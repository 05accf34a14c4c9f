"""Where the files of a lake lie: the protocol of such a place, and a folder that is one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from sonolake.errors import NotFound

if TYPE_CHECKING:
    import duckdb


@dataclass(frozen=True)
class Entry:
    """A file: its path below the storage, bytes, and when it was last written to, in seconds since 1970."""

    path: str
    size: int
    modified: float


class Storage(Protocol):
    """Files below one place; paths are relative and POSIX. Several threads may use it at once."""

    extensions: tuple[str, ...]
    """Of DuckDB, without which it cannot come here."""

    @property
    def uri(self) -> str:
        """The place, without a slash at its end, as DuckDB and Lance read it: ``/folder`` or ``s3://bucket/prefix``."""

    def room(self, name: str) -> Storage:
        """What lies below the folder ``name``."""

    def read(self, path: str) -> bytes:
        """The bytes of a file.

        Raises:
            NotFound: when it is not there.
        """

    def write(self, path: str, data: bytes, *, new: bool = False) -> bool:
        """Write a file, whole or not at all; with ``new`` only when it is not there. Says whether it was written."""

    def staging(self, path: str) -> AbstractContextManager[Path]:
        """A file on this machine to be filled in the block, which then becomes ``path``, whole or not at all.

        A path has one writer at a time.
        """

    def stat(self, path: str) -> Entry | None:
        """The file, None when it is not there."""

    def entries(self, under: str = "") -> Iterator[Entry]:
        """All files below the folder ``under``; none when it is not there."""

    def folders(self, under: str = "") -> list[str]:
        """Names of the folders in ``under`` that hold files, in order."""

    def delete(self, path: str) -> None:
        """Delete a file; nothing when it is not there."""

    def authorise(self, con: duckdb.DuckDBPyConnection) -> None:
        """Give DuckDB the credentials as they are now."""

    def lance_options(self) -> dict[str, str]:
        """What Lance needs to come here, credentials as they are now."""


class LocalStorage:
    """Files below the folder ``root``, an absolute path."""

    extensions: tuple[str, ...] = ()

    def __init__(self, root: Path) -> None:
        self.root = root

    @property
    def uri(self) -> str:
        """See :class:`Storage`."""
        return str(self.root)

    def room(self, name: str) -> LocalStorage:
        """See :class:`Storage`."""
        return LocalStorage(self.root / name)

    def read(self, path: str) -> bytes:
        """See :class:`Storage`."""
        try:
            return (self.root / path).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            raise NotFound(f"{self.root / path} is not there") from None

    def write(self, path: str, data: bytes, *, new: bool = False) -> bool:
        """See :class:`Storage`."""
        if new and (self.root / path).exists():
            return False
        with self.staging(path) as part:
            part.write_bytes(data)
        return True

    @contextmanager
    def staging(self, path: str) -> Iterator[Path]:
        """See :class:`Storage`."""
        final = self.root / path
        final.parent.mkdir(parents=True, exist_ok=True)
        part = final.with_name(f".{final.name}.part")
        yield part
        part.replace(final)

    def stat(self, path: str) -> Entry | None:
        """See :class:`Storage`."""
        try:
            found = (self.root / path).stat()
        except (FileNotFoundError, NotADirectoryError):
            return None
        return Entry(path, found.st_size, found.st_mtime)

    def entries(self, under: str = "") -> Iterator[Entry]:
        """See :class:`Storage`."""
        for folder, below, names in os.walk(self.root / under):
            below.sort()
            for name in sorted(names):
                path = (Path(folder) / name).relative_to(self.root).as_posix()
                if (entry := self.stat(path)) is not None:
                    yield entry

    def folders(self, under: str = "") -> list[str]:
        """See :class:`Storage`."""
        place = self.root / under
        return sorted(p.name for p in place.iterdir() if p.is_dir()) if place.is_dir() else []

    def delete(self, path: str) -> None:
        """See :class:`Storage`."""
        (self.root / path).unlink(missing_ok=True)

    def authorise(self, con: duckdb.DuckDBPyConnection) -> None:
        """A folder needs no credentials."""

    def lance_options(self) -> dict[str, str]:
        """A folder needs no credentials."""
        return {}

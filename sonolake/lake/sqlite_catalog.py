"""A DuckLake catalog in a SQLite file.

Its write-ahead log (``-wal``, ``-shm``) lets readers see whole commits beside a writer. On storage that cannot be
written to, where SQLite cannot keep one, a private copy is read, which shows the lake as it was when it was opened.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from sonolake.errors import NotFound
from sonolake.lake.catalog import attach

if TYPE_CHECKING:
    import duckdb

BUSY_TIMEOUT_MS = 20_000
"""How long SQLite waits for another process's short catalog write."""


class SqliteCatalog:
    """The catalog in ``file``; a copy that it made goes with :meth:`close`."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._aside: tempfile.TemporaryDirectory[str] | None = None

    def require(self) -> None:
        """A lost catalog is never taken for a new one: the rows of the tables would be gone from every answer.

        Raises:
            NotFound: when the file is missing.
        """
        if not self.file.is_file():
            raise NotFound(
                f"the catalog {self.file} is missing: put it back, or restore the lake from a copy"
            )

    def attach(
        self,
        con: duckdb.DuckDBPyConnection,
        tables: Path,
        *,
        create: bool = False,
        read_only: bool = False,
        snapshot: int | None = None,
    ) -> None:
        """Attach it as ``lake``; see :func:`sonolake.lake.catalog.attach`."""
        reading = read_only or snapshot is not None
        options = [f"META_BUSY_TIMEOUT {BUSY_TIMEOUT_MS}"]
        if not create:
            self.require()
            options.append("CREATE_IF_NOT_EXISTS false")
        if create or (not reading and self.file.stat().st_size):
            options.append("META_JOURNAL_MODE 'WAL'")
        file = self._readable() if reading else self.file
        attach(con, f"ducklake:sqlite:{file}", tables, options, read_only=read_only, snapshot=snapshot)

    def close(self) -> None:
        """Take away the private copy, and the logs that a reader cannot, unless somebody else has them open."""
        if self._aside is not None:
            self._aside.cleanup()
            self._aside = None
        elif _stamp(_with_log(self.file)[1]) is not None:
            with suppress(sqlite3.Error, OSError), closing(sqlite3.connect(self.file)) as con:
                con.execute("SELECT 1 FROM sqlite_master").fetchone()

    def _readable(self) -> Path:
        """The file itself where SQLite can keep its log beside it, a copy of this moment elsewhere."""
        if os.access(self.file.parent, os.W_OK):
            return self.file
        if self._aside is None:
            self._aside = tempfile.TemporaryDirectory(prefix="sonolake-catalog-")
            _copy_still(self.file, Path(self._aside.name) / self.file.name)
        return Path(self._aside.name) / self.file.name


def _with_log(file: Path) -> tuple[Path, Path]:
    return file, file.with_name(f"{file.name}-wal")


def _copy_still(file: Path, target: Path) -> None:
    """Copy the catalog with its log, again while another host that may write there changes them."""
    before = None
    while before != (now := [_stamp(part) for part in _with_log(file)]):
        before = now
        for part, copy in zip(_with_log(file), _with_log(target), strict=True):
            copy.unlink(missing_ok=True)
            with suppress(FileNotFoundError):
                shutil.copyfile(part, copy)


def _stamp(path: Path) -> tuple[int, int] | None:
    with suppress(FileNotFoundError):
        stat = path.stat()
        return stat.st_mtime_ns, stat.st_size
    return None

"""A DuckLake catalog in a SQLite file.

Its write-ahead log (``-wal``, ``-shm``) lets readers see whole commits beside a writer. On storage that cannot be
written to, where SQLite cannot keep one, a private copy is read, which shows the lake as it was when it was opened.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from sonolake.errors import Damaged, NotFound, Refused
from sonolake.lake.catalog import attach, quoted
from sonolake.lake.locks import FileWriterLock
from sonolake.lake.sqlite_copy import copy_still, copy_whole, handle, hold, let_go, take_away_logs

if TYPE_CHECKING:
    import duckdb

BUSY_TIMEOUT_MS = 20_000
"""How long SQLite waits for another process's short catalog write."""
_OWNER = "sonolake_lake"
"""Key of the id of the lake in DuckLake's table of settings, which leaves alone what it does not know."""


def _beside(file: Path, end: str) -> Path:
    return file.with_name(file.name + end)


def set_aside(file: Path) -> Path | None:
    """Rename ``file`` to a name that is free, and say which; None when there is no such file or nothing in it."""
    if not file.exists():
        return None
    if not file.stat().st_size:
        file.unlink()
        return None
    free = (_beside(file, f".lost-{number}") for number in range(1, 10_000))
    return file.rename(next(path for path in free if not path.exists()))


def newest_snapshot(file: Path, *, whole: bool = False) -> int:
    """The number of the newest snapshot in the catalog ``file``, which nothing else in this process may have open.

    Args:
        file: a DuckLake catalog in SQLite.
        whole: whether all of it is checked.

    Raises:
        Damaged: when it is no catalog, or a damaged one.
    """
    try:
        with closing(sqlite3.connect(file)) as con:
            (number,) = con.execute("SELECT max(snapshot_id) FROM ducklake_snapshot").fetchone()
            if whole and con.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
                raise sqlite3.DatabaseError("pages of it are damaged")
            return int(number)
    except (sqlite3.Error, TypeError) as error:
        raise Damaged(f"{file} is no catalog, or a damaged one: {error}") from None


class SqliteCatalog:
    """The catalog in ``file``, guarded by a lock on the file ``lock``.

    Args:
        file: the catalog.
        lock: a file that is made.
        owner: id of the lake whose catalog it has to be, where it lies apart from the lake.
        aside: a folder that goes with it.
    """

    extensions: tuple[str, ...] = ()
    metadata = "__ducklake_metadata_lake"

    def __init__(
        self,
        file: Path,
        lock: Path,
        owner: str | None = None,
        aside: tempfile.TemporaryDirectory[str] | None = None,
    ) -> None:
        self.file = file
        self.lock = FileWriterLock(lock)
        self._owner = owner
        self._aside = aside
        self._held = True
        hold(file)

    def require(self) -> None:
        """A lost catalog is never taken for a new one: the rows of the tables would be gone from every answer.

        Raises:
            NotFound: when the file is missing.
        """
        if not self.file.is_file():
            raise NotFound(f"the catalog {self.file} is missing: put it back, or run `sonolake restore`")

    def attach(
        self,
        con: duckdb.DuckDBPyConnection,
        tables: str,
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
        if self._owner is not None:
            self._require_owner(con, self._owner, write=not reading)
        if not reading:
            handle(self.file)

    def lock_of(self, name: str) -> FileWriterLock:
        """See :class:`~sonolake.lake.catalogs.Catalog`."""
        file = self.lock.file.parent / name / ".lock"
        file.parent.mkdir(parents=True, exist_ok=True)
        return FileWriterLock(file)

    def write_copy(self, file: Path, snapshot: int) -> None:
        """See :class:`~sonolake.lake.catalogs.Catalog`."""
        copy_whole(self.file, file)
        if newest_snapshot(file) < snapshot:
            raise Damaged(
                f"the catalog {self.file} was replaced during a commit: what was committed is not in it"
            )

    def newest(self) -> int | None:
        """See :class:`~sonolake.lake.catalogs.Catalog`."""
        try:
            return newest_snapshot(self.file, whole=True) if self.file.is_file() else None
        except Damaged:
            return None

    def put_back(self, copy: Path) -> list[str]:
        """See :class:`~sonolake.lake.catalogs.Catalog`."""
        aside = [part for end in ("", "-wal", "-shm") if (part := set_aside(_beside(self.file, end)))]
        part = _beside(self.file, ".part")
        shutil.copyfile(copy, part)
        with part.open("rb") as written:
            os.fsync(written.fileno())
        part.replace(self.file)
        return [kept.name for kept in aside]

    def close(self) -> None:
        """Take away what reading left beside the lake and elsewhere."""
        if self._aside is not None:
            self._aside.cleanup()
            self._aside = None
        if self._held and let_go(self.file) and os.access(self.file.parent, os.W_OK):
            take_away_logs(self.file)
        self._held = False

    def _require_owner(self, con: duckdb.DuckDBPyConnection, owner: str, *, write: bool) -> None:
        """A file apart from its lake says whose it is: another lake's would be filled with this one's rows."""
        table = f"{self.metadata}.ducklake_metadata"
        known = con.execute(f"SELECT value FROM {table} WHERE key = {quoted(_OWNER)}").fetchone()
        if known is None and write:
            con.execute(f"INSERT INTO {table} (key, value) VALUES ({quoted(_OWNER)}, {quoted(owner)})")
        elif known is not None and known[0] != owner:
            con.execute("USE memory; DETACH lake")
            raise Refused(
                f"{self.file} is the catalog of the lake {known[0]}, not of {owner}: name another file"
            )

    def _readable(self) -> Path:
        """The file itself where SQLite can keep its log beside it, a copy of this moment elsewhere."""
        if os.access(self.file.parent, os.W_OK):
            return self.file
        if self._aside is None:
            self._aside = tempfile.TemporaryDirectory(prefix="sonolake-catalog-")
            copy_still(self.file, Path(self._aside.name) / self.file.name)
        return Path(self._aside.name) / self.file.name

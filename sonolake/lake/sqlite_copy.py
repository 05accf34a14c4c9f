"""Consistent copies of a SQLite file beside the processes that use it.

Closing any handle of a file drops all POSIX locks that the process holds on it, those of SQLite included ("How To
Corrupt An SQLite Database File", section 2.2). A handle on a catalog is kept until nobody in this process uses it.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import threading
from contextlib import closing, suppress
from pathlib import Path

_PIECE = 1 << 24
_JOURNAL_MODE = 18
"""Where a SQLite file says whether it has a write-ahead log: two bytes, 2 for a log, 1 for none (format, 1.3.3)."""

_guard = threading.Lock()
_users: dict[Path, int] = {}
_handles: dict[Path, list[int]] = {}


def hold(file: Path) -> None:
    """Say that this process uses ``file``."""
    with _guard:
        _users[file] = _users.get(file, 0) + 1


def let_go(file: Path) -> bool:
    """Say that one user of ``file`` has gone; whether it was the last one of this process."""
    with _guard:
        _users[file] -= 1
        if _users[file]:
            return False
        for handle in _handles.pop(file, ()):
            os.close(handle)
        del _users[file]
        return True


def handle(file: Path) -> int:
    """A handle on ``file`` as it is now, on what it was when it is gone; kept until the last user has gone."""
    with _guard:
        handles = _handles.setdefault(file, [])
        with suppress(FileNotFoundError):
            there = file.stat()
            if not handles or not os.path.samestat(os.fstat(handles[-1]), there):
                handles.append(os.open(file, os.O_RDONLY))
        if not handles:
            raise FileNotFoundError(f"{file} is not there")
        return handles[-1]


def copy_whole(file: Path, target: Path) -> None:
    """Copy ``file`` with what its log holds to ``target``, as one file; nobody may write to it meanwhile.

    The log is read first: a reader that closes may move it into the file at any time. A file that was taken away since
    :func:`handle` was called is copied from that handle.
    """
    log = b""
    with suppress(FileNotFoundError):
        log = _beside(file, "-wal").read_bytes()
    _copy(handle(file), target)
    if log:
        _beside(target, "-wal").write_bytes(log)
        with closing(sqlite3.connect(target)) as con:
            con.execute("PRAGMA journal_mode = DELETE")
    else:
        _without_log(target)


def copy_still(file: Path, target: Path) -> None:
    """Copy ``file`` and its log where nobody on this host can write, again while another host changes them."""
    before = None
    while before != (now := [_stamp(file), _stamp(_beside(file, "-wal"))]):
        before = now
        for end in ("", "-wal"):
            _beside(target, end).unlink(missing_ok=True)
            with suppress(FileNotFoundError):
                shutil.copyfile(_beside(file, end), _beside(target, end))


def take_away_statistics(copy: Path) -> None:
    """Take the minima and maxima of columns that were widened out of the ``copy`` of a catalog."""
    with closing(sqlite3.connect(copy)) as con, con:
        con.execute(
            "DELETE FROM ducklake_table_column_stats WHERE (table_id, column_id) IN "
            "(SELECT table_id, column_id FROM ducklake_column WHERE end_snapshot IS NOT NULL)"
        )


def take_away_logs(file: Path) -> None:
    """Let SQLite delete the logs that a reader left, unless somebody else has them open."""
    if _stamp(_beside(file, "-wal")) is not None:
        with suppress(sqlite3.Error), closing(sqlite3.connect(file)) as con:
            con.execute("SELECT 1 FROM sqlite_master").fetchone()


def _copy(handle: int, target: Path) -> None:
    size = os.fstat(handle).st_size
    with target.open("wb") as copy:
        done = 0
        while done < size and (piece := os.pread(handle, min(_PIECE, size - done), done)):
            copy.write(piece)
            done += len(piece)


def _without_log(file: Path) -> None:
    with file.open("r+b") as copy:
        copy.seek(_JOURNAL_MODE)
        copy.write(b"\x01\x01")


def _beside(file: Path, end: str) -> Path:
    return file.with_name(file.name + end)


def _stamp(path: Path) -> tuple[int, int] | None:
    with suppress(FileNotFoundError):
        stat = path.stat()
        return stat.st_mtime_ns, stat.st_size
    return None

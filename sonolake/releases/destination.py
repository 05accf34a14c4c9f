"""The folder that a release is pulled into: what may be there, and one pull at a time."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sonolake.errors import Refused, Unwritable
from sonolake.releases.disk import sha256_of, sync
from sonolake.releases.layout import MANIFEST, PART_SUFFIX, PULL_LOCK, PULLED_PREFIX


def require_destination(dest: Path, sha256: str) -> None:
    """An absent or empty folder passes, and one that holds the release of this manifest or a part of it.

    Raises:
        Refused: for anything else.
    """
    if not os.path.lexists(dest):
        return
    if not dest.exists():
        raise Refused(f"{dest} is a link to nothing: name a folder")
    if not dest.is_dir():
        raise Refused(f"{dest} is not a folder")
    names = {p.name for p in dest.iterdir()} - {PULL_LOCK, f"{MANIFEST}{PART_SUFFIX}"}
    if all(name.startswith(PULLED_PREFIX) for name in names):
        return
    if not (dest / MANIFEST).is_file():
        raise Refused(f"{dest} holds something that is not a release: pull into an empty folder")
    there = sha256_of(dest / MANIFEST)
    if there != sha256:
        raise Refused(f"{dest} holds another release (manifest {there}, not {sha256}): pull beside it")


@contextmanager
def destination(dest: Path) -> Iterator[None]:
    """Make ``dest`` and hold it: another pull into it waits until this one ends, and then finds what it brought.

    Raises:
        Unwritable: when it cannot be made or written to, or the disk fills up meanwhile.
    """
    from filelock import FileLock

    with writable(dest):
        dest.mkdir(parents=True, exist_ok=True)
        with FileLock(dest / PULL_LOCK):
            try:
                yield
            finally:
                (dest / PULL_LOCK).unlink(missing_ok=True)


def put(path: Path, data: bytes) -> None:
    """Have the file ``path`` hold ``data``, in one step, unless it does."""
    if path.is_file() and path.stat().st_size == len(data) and path.read_bytes() == data:
        return
    part = path.with_name(path.name + PART_SUFFIX)
    part.write_bytes(data)
    sync(part)
    part.replace(path)


@contextmanager
def writable(dest: Path) -> Iterator[None]:
    """Say it in our words when ``dest`` cannot be written."""
    try:
        yield
    except OSError as error:
        raise Unwritable(f"{dest} cannot be written: {_said(error)}") from error


def _said(error: OSError) -> str:
    place = f" ({os.fsdecode(error.filename)})" if error.filename is not None else ""
    cause = "a part of the path is a file" if error.errno in (errno.ENOTDIR, errno.EEXIST) else error.strerror
    return f"{cause or error}{place}"

"""The folder that a release is pulled into: what may be there, and one pull at a time."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sonolake.errors import Refused, SonolakeError, Unwritable
from sonolake.releases.checksums import checksums_text, found_hash, marked_hash, parse_checksums
from sonolake.releases.disk import sync
from sonolake.releases.layout import (
    CHECKSUMS,
    COMPLETE,
    MANIFEST,
    PART_SUFFIX,
    PULL_LOCK,
    PULLED_PREFIX,
    SELECTING,
    SELECTION,
)
from sonolake.releases.tables import FileRow


def require_destination(dest: Path, sha256: str, selection: str | None = None) -> None:
    """An absent or empty folder passes, and one that holds the same or a part of it.

    Args:
        dest: the folder.
        sha256: of the release's manifest.
        selection: what is to be chosen of it, as ``_SELECTION.json`` says it; None for the release, or splits of it.

    Raises:
        Refused: for anything else.
    """
    if not os.path.lexists(dest):
        return
    if not dest.exists():
        raise Refused(f"{dest} is a link to nothing: name a folder")
    if not dest.is_dir():
        raise Refused(f"{dest} is not a folder")
    begun, claims = (dest / MANIFEST).is_file(), _claims(dest)
    if not begun and not claims and not all(_is_start(p.name, selection) for p in dest.iterdir()):
        raise Refused(f"{dest} holds something that is not a release: pull into an empty folder")
    if claims and sha256 not in claims:
        there = ", ".join(sorted(claims))
        raise Refused(f"{dest} holds another release (manifest {there}, not {sha256}): pull beside it")
    marks = [p for name in (SELECTING, SELECTION) if (p := dest / name).is_file()]
    chosen = {mark.read_text(encoding="utf-8", errors="replace") for mark in marks}
    if chosen - {selection} or (begun and selection is not None and not chosen):
        holds = "items chosen otherwise" if chosen else "a release, or splits of it"
        raise Refused(f"{dest} holds {holds}: pull beside it")


def _claims(dest: Path) -> set[str]:
    """The manifests of which what is in ``dest`` can be: by manifest, mark and sums, of which one may be damaged."""
    found = {found_hash(dest), marked_hash(dest)}
    with suppress(SonolakeError):
        found.add(parse_checksums(dest / CHECKSUMS).get(MANIFEST))
    return {sha256 for sha256 in found if sha256}


def _is_start(name: str, selection: str | None) -> bool:
    """Whether a file is what a pull leaves that stopped before its manifest was there."""
    if name.startswith(PULLED_PREFIX):
        return selection is None
    return name == PULL_LOCK or name.removesuffix(PART_SUFFIX) in (MANIFEST, SELECTING)


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


def seal(folder: Path, files: Iterable[FileRow], manifest_sha256: str) -> None:
    """Have ``folder``, whose files are all there, say so: the sums, and the mark last."""
    put(folder / CHECKSUMS, checksums_text(files, manifest_sha256).encode())
    put(folder / COMPLETE, f"{manifest_sha256}\n".encode())


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

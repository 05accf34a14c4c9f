"""``SHA256SUMS``, in the form that ``sha256sum -c`` reads, and the mark that a release is whole."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from sonolake.errors import Damaged, NotFound
from sonolake.releases.disk import sha256_of
from sonolake.releases.layout import COMPLETE, MANIFEST, checked_path
from sonolake.releases.tables import FileRow

_SHA256 = re.compile("[0-9a-f]{64}")


def checksums_text(files: Iterable[FileRow], manifest_sha256: str) -> str:
    """A line a file, the manifest included, by path."""
    sums = {f.path: f.sha256 for f in files} | {MANIFEST: manifest_sha256}
    return "".join(f"{sums[path]}  {path}\n" for path in sorted(sums))


def parse_checksums(path: Path) -> dict[str, str]:
    """SHA-256 by path, from a ``SHA256SUMS``.

    Raises:
        NotFound: when it is not there.
        Damaged: when it is not one.
        InvalidInput: when it names a path outside the folder.
    """
    if not path.is_file():
        raise NotFound(f"{path} is not there")
    sums = {}
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        sha256, between, name = line[:64], line[64:66], line[66:]
        if between != "  " or not _SHA256.fullmatch(sha256):
            raise Damaged(f"{path}: not a line of sums: {line!r}")
        sums[checked_path(name)] = sha256
    return sums


def manifest_hash(folder: Path) -> str:
    """The manifest's SHA-256, after holding it against the mark.

    Raises:
        NotFound: without manifest or mark: the folder is no release, or one on its way.
        Damaged: when mark and manifest differ.
    """
    marked = marked_hash(folder)
    actual = found_hash(folder)
    if marked is None or actual is None:
        raise NotFound(
            f"{folder} is not a whole release: it lacks {COMPLETE if marked is None else MANIFEST}"
        )
    if marked != actual:
        raise Damaged(f"{folder}: {COMPLETE} names manifest {marked}, the one there is {actual}")
    return actual


def found_hash(folder: Path) -> str | None:
    """SHA-256 of the manifest that is there, or None."""
    path = folder / MANIFEST
    return sha256_of(path) if path.is_file() else None


def marked_hash(folder: Path) -> str | None:
    """What ``_COMPLETE`` says, or None when it is not there."""
    mark = folder / COMPLETE
    return mark.read_text(encoding="utf-8", errors="replace").strip() if mark.is_file() else None

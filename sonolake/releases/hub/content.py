"""What a release's files are on a hub: small ones are Git blobs, others are known by their SHA-256."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sonolake.releases.disk import BLOCK
from sonolake.releases.tables import FileRow

KEPT = (".gitattributes",)
"""Files of the repository's own, which are no part of a release."""


@dataclass(frozen=True)
class There:
    """A file of the repository: its Git id, and SHA-256 where it is stored as a large file."""

    size: int
    blob_id: str
    sha256: str | None


def tree_of(files: Iterable[Any]) -> dict[str, There]:
    """The files of a revision by path, as ``list_repo_tree`` gives them, folders left out."""
    found = {}
    for file in files:
        if hasattr(file, "blob_id"):
            sha256 = None if file.lfs is None else file.lfs.sha256
            found[file.path] = There(file.size, file.blob_id, sha256)
    return found


def is_same(folder: Path, file: FileRow, there: There | None) -> bool:
    """Whether the repository has this very file."""
    if there is None or there.size != file.bytes:
        return False
    if there.sha256 is not None:
        return there.sha256 == file.sha256
    return there.blob_id == blob_id(folder / file.path)


def blob_id(path: Path) -> str:
    """The id that Git gives the bytes of a file."""
    digest = hashlib.sha1(b"blob %d\0" % path.stat().st_size, usedforsecurity=False)
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            digest.update(block)
    return digest.hexdigest()


def surplus(files: Iterable[FileRow], there: Mapping[str, There]) -> list[str]:
    """What the repository has beyond a release."""
    return sorted(set(there) - {file.path for file in files} - set(KEPT))

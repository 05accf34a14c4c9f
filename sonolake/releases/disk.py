"""Files that are either there whole or not at all."""

from __future__ import annotations

import hashlib
import os
import shutil
from pathlib import Path

from sonolake.releases.layout import PART_SUFFIX

BLOCK = 1 << 20


def sha256_of(path: Path) -> str:
    """SHA-256 of a file, read in blocks."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_new(path: Path, data: bytes) -> None:
    """Write a file, making its folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def sync(path: Path) -> None:
    """Have the system put a file, or the names in a folder, on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sync_tree(folder: Path) -> None:
    """:func:`sync` for all that is in a folder, then the folder."""
    for path in sorted(folder.rglob("*"), reverse=True):
        sync(path)
    sync(folder)


def publish_folder(temporary: Path, final: Path) -> None:
    """Give a finished folder its name in one step: nobody sees it half done, whatever is killed when."""
    sync_tree(temporary)
    temporary.rename(final)
    sync(final.parent)


def replace_folder(temporary: Path, final: Path, aside: Path) -> None:
    """Put a finished folder in the place of ``final``, which is moved to ``aside`` first and then removed."""
    sync_tree(temporary)
    final.rename(aside)
    temporary.rename(final)
    sync(final.parent)
    remove(aside)


def link(there: Path, place: Path) -> bool:
    """Have ``place`` be the file ``there`` too, with no bytes of its own; False where the disk cannot do that."""
    aside = place.with_name(place.name + PART_SUFFIX)
    try:
        aside.unlink(missing_ok=True)
        os.link(there, aside)
    except OSError:
        return False
    aside.replace(place)
    return True


def remove(path: Path) -> None:
    """Remove a folder, file or link, if it is there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def fresh_folder(path: Path) -> None:
    """An empty folder at ``path``; what an interrupted run left there is removed."""
    remove(path)
    path.mkdir(parents=True)


def files_in(folder: Path) -> list[str]:
    """Relative POSIX paths of all files and links under ``folder``, sorted."""
    return sorted(
        p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_symlink() or not p.is_dir()
    )

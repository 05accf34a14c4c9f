"""The files under a folder of sounds, apart from every lake."""

from __future__ import annotations

import os
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path

from sonolake.errors import InvalidInput
from sonolake.lake.root import is_lake
from sonolake.s3 import is_s3
from sonolake.sources.manifest import Problem


def require_apart(source: Path, lake: str | Path | None = None) -> None:
    """Let a folder pass that lies in no lake and has ``lake``, which need not be there yet, outside of it.

    Raises:
        InvalidInput: otherwise; taken in, the lake would grow from its own files.
    """
    real = Path(os.path.realpath(source))
    around = next((folder for folder in (real, *real.parents) if is_lake(folder)), None)
    if around is not None:
        raise _lake_inside(source, f"the lake {around}")
    if (
        lake is not None
        and not is_s3(lake)
        and source.is_dir()
        and Path(os.path.realpath(lake)).is_relative_to(real)
    ):
        raise _lake_inside(source, f"a folder around the lake {lake}")


def _lake_inside(source: Path, received: str) -> InvalidInput:
    return InvalidInput(f"source {source}", "a folder apart from every lake", received)


@dataclass
class Walk:
    """Relative names of the files under a folder as spelt on disk, and what is wrong with folders that are shut."""

    names: list[str] = field(default_factory=list)
    shut: dict[str, Problem] = field(default_factory=dict)


def walk_folder(root: Path) -> Walk:
    """All files under ``root``; real folders go before links to folders."""
    walk = Walk()
    waiting, later = deque([""]), deque[str]()
    entered: set[tuple[int, int]] = set()
    while waiting or later:
        folder = (waiting or later).popleft()
        try:
            status = (root / folder).stat()
            entries = sorted(os.scandir(root / folder), key=lambda entry: entry.name)
            if is_lake(root / folder):
                raise _lake_inside(root, f"a folder with the lake {folder} in it")
        except OSError as error:
            walk.shut[folder] = "unreadable", f"a folder that cannot be listed: {error.strerror}"
            continue
        if (status.st_dev, status.st_ino) in entered:
            continue
        entered.add((status.st_dev, status.st_ino))
        for entry in entries:
            name = f"{folder}/{entry.name}" if folder else entry.name
            if entry.name.startswith("."):
                continue
            if not _is_folder(entry):
                walk.names.append(name)
            else:
                (later if entry.is_symlink() else waiting).append(name)
    return walk


def _is_folder(entry: os.DirEntry[str]) -> bool:
    """Whether it is a folder or a link to one; a loop of links is neither."""
    try:
        return entry.is_dir()
    except OSError:
        return False

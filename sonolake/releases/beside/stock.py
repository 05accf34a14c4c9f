"""What versions of a release that lie beside the destination have: whole files, and sounds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from sonolake.errors import Damaged, InvalidInput, SonolakeError
from sonolake.releases.beside.pieces import Place
from sonolake.releases.identity import read_identity
from sonolake.releases.layout import ITEMS, MANIFEST, SELECTING, SELECTION
from sonolake.releases.selection import Key, key_of
from sonolake.releases.tables import FileRow, read_items, read_manifest

MOST = 256
"""Folders beside the destination that are looked into."""


class Stock:
    """Files and sounds of the releases in ``folders``, as their manifests say; nothing is read before it is needed."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self.folders = folders
        self._files: dict[tuple[str, int], Path] = {}
        self._shards: list[tuple[Path, dict[Key, Path]]] = []
        for folder in folders:
            there = [file for file in read_manifest(folder) if _is_there(folder, file)]
            self._files |= {(file.sha256, file.bytes): folder / file.path for file in there}
            shards = {key_of(file): folder / file.path for file in there if file.config is not None}
            self._shards.append((folder, shards))

    def file(self, file: FileRow) -> Path | None:
        """A file that ought to have the same bytes."""
        return self._files.get((file.sha256, file.bytes))

    def sounds(self, wanted: Iterable[str]) -> dict[str, Place]:
        """Where those of the sounds with these SHA-256 lie that are there."""
        left = set(wanted)
        found: dict[str, Place] = {}
        for folder, shards in self._shards:
            columns = ["config", "split", "shard", "offset", "sha256"]
            try:
                items = read_items(folder / ITEMS)
            except Damaged:
                continue
            for batch in items.select(columns).to_batches():
                for row in batch.to_pylist():
                    path = shards.get((row["config"], row["split"], row["shard"]))
                    if path is not None and row["sha256"] in left and row["offset"] is not None:
                        found[row["sha256"]] = Place(path, row["offset"], row["sha256"])
        return found


def _is_there(folder: Path, file: FileRow) -> bool:
    path = folder / file.path
    return path.is_file() and not path.is_symlink() and path.stat().st_size == file.bytes


def versions_beside(dest: Path, name: str) -> list[Path]:
    """Folders beside ``dest`` that hold versions of release ``name``, or parts of them; newest names last."""
    parent = dest.absolute().parent
    if not parent.is_dir():
        return []
    folders = sorted(p for p in parent.iterdir() if p.is_dir() and not p.name.startswith("."))[:MOST]
    return [p for p in folders if p.name != dest.absolute().name and _holds(p, name)]


def _holds(folder: Path, name: str) -> bool:
    if not (folder / MANIFEST).is_file() or not (folder / ITEMS).is_file() or _is_selection(folder):
        return False
    try:
        read_manifest(folder)
        return read_identity(folder).name == name
    except (SonolakeError, OSError):
        return False


def _is_selection(folder: Path) -> bool:
    return (folder / SELECTION).exists() or (folder / SELECTING).exists()


def require_version(folder: Path) -> Path:
    """``folder`` if it holds a version of a release, or a part of one.

    Raises:
        NotFound, Damaged: when it does not.
        InvalidInput: when it holds chosen items, whose shards are their own.
    """
    if _is_selection(folder):
        raise InvalidInput(
            "beside", "a folder with a version, or splits of one", str(folder), "it holds chosen items"
        )
    read_manifest(folder)
    read_items(folder / ITEMS)
    return folder

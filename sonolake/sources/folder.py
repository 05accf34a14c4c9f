"""The items of a folder, or of a manifest beside its files: sorted, named in NFC, each once.

Hidden files, the manifest and the label files that it names are no items. What a manifest lists but the disk does
not have is refused item by item. Every real folder is entered once, so loops of links end.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from sonolake.errors import InvalidInput, NotFound
from sonolake.ids import sha256_hex
from sonolake.sources.manifest import SUFFIXES, Manifest, Row, conflict, item_name, merged, read_manifest
from sonolake.sources.records import Refusal, SourceItem

MANIFEST_NAMES: tuple[str, ...] = tuple(f"manifest{suffix}" for suffix in SUFFIXES)
"""A file of such a name at the top of a folder is its manifest."""
LABELS_HEADER = "labels"
"""A manifest's header for a label file that belongs to the item, such as the times and directions of its events."""


@dataclass(frozen=True)
class Folder:
    """What a folder or manifest offers: ``items`` and ``refusals``, each sorted by item name."""

    items: tuple[SourceItem, ...]
    refusals: tuple[Refusal, ...]


def read_folder(
    source: Path, manifest: Path | None = None, mapping: Mapping[str, str] | None = None
) -> Folder:
    """List what ``source`` offers, without reading any audio.

    Args:
        source: a folder, all of whose files are items, or a manifest, whose rows alone are.
        manifest: the folder's manifest; by default its own ``manifest.csv`` (or another suffix), if it has one.
        mapping: their manifest header to ours.

    Raises:
        NotFound: there is no such folder or manifest.
        InvalidInput: ``source`` is a file but no manifest, or the manifest is malformed.
    """
    if source.is_dir():
        found = manifest or _own_manifest(source)
        return _listed(source, list(_walk(source)), read_manifest(found, mapping), found)
    if not source.exists():
        raise NotFound(f"source {source}: there is no such folder or manifest")
    if source.suffix.lower() not in SUFFIXES:
        raise InvalidInput(
            f"source {source.name}", f"a folder or a manifest ({', '.join(SUFFIXES)})", source.suffix
        )
    return _listed(source.parent, [], read_manifest(source, mapping), source)


def _own_manifest(folder: Path) -> Path | None:
    return next((folder / name for name in MANIFEST_NAMES if (folder / name).is_file()), None)


def _walk(root: Path) -> Iterator[str]:
    """Relative names of the files under ``root`` as spelt on disk; real folders go before links to folders."""
    waiting, later = [""], list[str]()
    entered: set[tuple[int, int]] = set()
    while waiting or later:
        folder = waiting.pop(0) if waiting else later.pop(0)
        try:
            status = (root / folder).stat()
            entries = sorted(os.scandir(root / folder), key=lambda entry: entry.name)
        except PermissionError:
            yield folder
            continue
        if (status.st_dev, status.st_ino) in entered:
            continue
        entered.add((status.st_dev, status.st_ino))
        for entry in entries:
            name = f"{folder}/{entry.name}" if folder else entry.name
            if entry.name.startswith("."):
                continue
            if not _is_folder(entry):
                yield name
            else:
                (later if entry.is_symlink() else waiting).append(name)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    """Whether it is a folder or a link to one; a loop of links is neither."""
    try:
        return entry.is_dir()
    except OSError:
        return False


def _listed(root: Path, names: list[str], table: Manifest, manifest: Path | None) -> Folder:
    """Items of the files ``names`` and of the rows of ``table``; ``manifest`` and label files are left out."""
    rows, refused = _rows_on_disk(root, table)
    companions = {
        (root / row.tags[LABELS_HEADER]).resolve() for row in rows.values() if LABELS_HEADER in row.tags
    }
    companions |= {manifest.resolve()} if manifest else set()
    spelt = [name for name in {*names, *rows} if (root / name).resolve() not in companions]
    items: list[SourceItem] = []
    refusals = [refusal for path, refusal in refused.items() if path not in rows]
    for name, item in _unique_items(spelt).items():
        problem = _problem(root / name)
        row = rows.get(name, _NO_ROW)
        if name in refused:
            refusals.append(Refusal(item, refused[name].reason, refused[name].detail))
        elif problem:
            refusals.append(Refusal(item, *problem))
        else:
            items.append(SourceItem(item, root / name, row.fields, row.tags))
    once = {refusal.item: refusal for refusal in reversed(refusals)}
    return Folder(tuple(sorted(items, key=_by_item)), tuple(sorted(once.values(), key=_by_item)))


_NO_ROW = Row("", 0)


def _by_item(entry: SourceItem | Refusal) -> str:
    return entry.item


def _rows_on_disk(root: Path, table: Manifest) -> tuple[dict[str, Row], dict[str, Refusal]]:
    """The manifest's rows by the name on disk that each means, and the refusals by the same name."""
    rows: dict[str, Row] = {}
    refused: dict[str, Refusal] = {}
    for path, row in table.rows.items():
        name = _spelling_on_disk(root, path)
        if name is None:
            detail = f"line {row.line} of the manifest names it, and there is no such file"
            refused[path] = Refusal(item_name(path), "missing", detail)
            continue
        known = rows.setdefault(name, row)
        rows[name] = merged(known, row)
        problem = conflict(known, row)
        if path in table.refusals:
            refused[name] = table.refusals[path]
        elif problem:
            refused[name] = Refusal(item_name(name), *problem)
    return rows, refused


def _spelling_on_disk(root: Path, path: str) -> str | None:
    """``path`` if it is there, else the file that differs from it in Unicode normalisation only, else None."""
    if os.path.lexists(root / path):
        return path
    spelt: list[str] = []
    for part in path.split("/"):
        folder = root.joinpath(*spelt)
        siblings = sorted(entry.name for entry in folder.iterdir()) if folder.is_dir() else []
        match = next((name for name in siblings if item_name(name) == item_name(part)), None)
        if match is None:
            return None
        spelt.append(match)
    return "/".join(spelt)


def _unique_items(names: list[str]) -> dict[str, str]:
    """Item of each name; where two names are one in NFC, those not in NFC get a mark made of their bytes."""
    groups: dict[str, list[str]] = defaultdict(list)
    for name in sorted(names):
        groups[item_name(name)].append(name)
    return {
        name: item if len(group) == 1 or name == item else f"{item}#{sha256_hex(os.fsencode(name))[:8]}"
        for item, group in groups.items()
        for name in group
    }


def _problem(path: Path) -> tuple[str, str] | None:
    """Reason and detail when ``path`` cannot be opened as a file."""
    if not path.exists():
        return "missing", "a link whose target is not there"
    if not path.is_file():
        return "not_audio", "neither a regular file nor a link to one"
    return None

"""The items of a folder, or of a manifest beside its files: sorted, named in NFC, each once.

Hidden files, the manifest and the label files that it names are no items, unless a row lists them. What a manifest
lists but the disk does not have is refused item by item. Every real folder is entered once, so loops of links end.
A lake is no source.
"""

from __future__ import annotations

import codecs
import errno
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from sonolake.errors import InvalidInput, NotFound
from sonolake.sources.manifest import (
    SUFFIXES,
    Manifest,
    Problem,
    Row,
    conflict,
    merged,
    read_manifest,
)
from sonolake.sources.records import Refusal, SourceItem
from sonolake.sources.spelling import Spelling, unique_items
from sonolake.sources.walking import Walk, require_apart, walk_folder

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
        InvalidInput: ``source`` is a file but no manifest, the manifest is malformed, or there is a lake in the folder.
    """
    found = manifest_of(source, manifest)
    table = read_manifest(found, mapping)
    if source.is_dir():
        require_apart(source)
        return _listed(source, walk_folder(source), table, found)
    return _listed(source.parent, Walk(), table, found)


def manifest_of(source: Path, manifest: Path | None = None) -> Path | None:
    """The manifest that says what the files of ``source`` are, None where there is none.

    Raises:
        NotFound: there is no such source.
        InvalidInput: ``source`` is a file but no manifest, or a manifest for which there is another one.
    """
    if source.is_dir():
        return manifest or _own_manifest(source)
    if not source.exists():
        raise NotFound(f"source {source}: there is no such folder or manifest")
    if source.suffix.lower() not in SUFFIXES:
        raise InvalidInput(
            f"source {source.name}", f"a folder or a manifest ({', '.join(SUFFIXES)})", source.suffix
        )
    if manifest is not None:
        raise InvalidInput(
            "--manifest", f"a folder as its source, or none beside {source.name}", str(manifest)
        )
    return source


def _own_manifest(folder: Path) -> Path | None:
    return next((folder / name for name in MANIFEST_NAMES if (folder / name).is_file()), None)


def _listed(root: Path, walk: Walk, table: Manifest, manifest: Path | None) -> Folder:
    """Items of the files of a walk and of the rows of ``table``; ``manifest`` and label files are left out."""
    rows, refused = _rows_on_disk(root, table)
    refused |= walk.shut
    companions = set(_label_files(root, rows.values()))
    companions |= {os.path.realpath(manifest)} if manifest else set()
    files = [
        name for name in walk.names if name not in rows and os.path.realpath(root / name) not in companions
    ]
    items: list[SourceItem] = []
    refusals: list[Refusal] = []
    for name, item in unique_items([*rows, *files, *(path for path in refused if path not in rows)]).items():
        problem = refused.get(name) or _problem(root / name)
        row = rows.get(name, _NO_ROW)
        if problem:
            refusals.append(Refusal(item, *problem))
        else:
            items.append(SourceItem(item, root / name, row.fields, row.tags))
    return Folder(tuple(sorted(items, key=_by_item)), tuple(sorted(refusals, key=_by_item)))


_NO_ROW = Row("", 0)


def _by_item(entry: SourceItem | Refusal) -> str:
    return entry.item


def _label_files(root: Path, rows: Iterable[Row]) -> Iterator[str]:
    """Real paths of the label files that rows name; what is no text is no label file, whatever a row says."""
    for name in {row.tags[LABELS_HEADER] for row in rows if LABELS_HEADER in row.tags}:
        path = Path(os.path.realpath(root / name))
        if path.is_file() and _is_text(path):
            yield str(path)


def _is_text(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            head = file.read(4096)
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except (OSError, UnicodeDecodeError):
        return False
    return b"\0" not in head


def _rows_on_disk(root: Path, table: Manifest) -> tuple[dict[str, Row], dict[str, Problem]]:
    """The manifest's rows by the name on disk that each means, and what is wrong with some by the same name."""
    rows: dict[str, Row] = {}
    refused = {
        path: (refusal.reason, refusal.detail)
        for path, refusal in table.refusals.items()
        if path not in table.rows
    }
    spelling = Spelling(root)
    for path, row in table.rows.items():
        name = spelling.on_disk(path)
        if name is None:
            refused[path] = "missing", f"line {row.line} of the manifest names it, and there is no such file"
            continue
        known = rows.setdefault(name, row)
        rows[name] = merged(known, row)
        problem = conflict(known, row)
        if path in table.refusals:
            refused[name] = table.refusals[path].reason, table.refusals[path].detail
        elif problem:
            refused[name] = problem
    return rows, refused


def _problem(path: Path) -> Problem | None:
    """Reason and detail when ``path`` cannot be opened as a file."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return "missing", "a link whose target is not there"
    except OSError as error:
        loop = error.errno == errno.ELOOP
        return "unreadable", "a link that leads back to itself" if loop else f"no access: {error.strerror}"
    if stat.S_ISREG(mode):
        return None
    return "not_audio", "a folder" if stat.S_ISDIR(mode) else "neither a regular file nor a link to one"

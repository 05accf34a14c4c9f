"""From a release to a folder in another format: all of it, or nothing.

The folder is filled beside its final place under a hidden name and renamed when it is whole; a killed export leaves
nothing that looks like one, and the next removes what it left. ``_EXPORT.json`` in it says of which release it is and
what was chosen, so that the same export again finds it there. Memory holds a row group of the release at a time.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from sonolake.errors import Refused
from sonolake.loading.table import Readable
from sonolake.plural import counted
from sonolake.releases.destination import writable
from sonolake.releases.disk import files_in, fresh_folder, publish_folder
from sonolake.releases.exports.packing import json_text
from sonolake.releases.exports.source import Source, chosen
from sonolake.releases.exports.writer import Format, RefusedItem

MARK = "_EXPORT.json"


@dataclass(frozen=True)
class Exported:
    """What an export came to: ``taken`` items are ``done`` or ``refused``; files and bytes of the folder.

    ``outcome`` is ``already`` when the same export was there.
    """

    outcome: Literal["exported", "already"]
    taken: int
    done: int
    refused: tuple[RefusedItem, ...]
    files: int
    bytes: int


def export(
    table: Readable,
    form: Format,
    dest: Path,
    configs: Sequence[str] = (),
    splits: Sequence[str] = (),
    where: str | None = None,
    doi: str = "",
) -> Exported:
    """Write items of a release into the new folder ``dest``; those that are withheld are refused, the others written.

    Args:
        table: the release, or what was pulled of it.
        form: the format.
        dest: a folder that is not there yet, or is empty, or holds this very export.
        configs, splits: all when empty.
        where: condition on the columns of ``items.parquet``.
        doi: of the release, for formats that name one.

    Raises:
        InvalidInput: for a config, split or condition that there is not.
        NotFound: when nothing is chosen, or shards were not pulled.
        Refused: when all that is chosen is withheld or the format can hold none of it, or ``dest`` holds anything else.
        Damaged: when the release is not what its manifest says.
        Unwritable: when the folder cannot be written.
    """
    from filelock import FileLock

    source = replace(chosen(table, configs, splits, where), doi=doi)
    said = {
        "release": source.about.release, "manifest_sha256": table.manifest_sha256, "format": form.name,
        "tables": sorted({(records.config, split) for split, records in source.parts}), "where": where, "doi": doi,
    }  # fmt: skip
    beside = dest.parent / f".{dest.name}.exporting"
    with writable(dest):
        dest.parent.mkdir(parents=True, exist_ok=True)
        lock = beside.with_name(f"{beside.name}.lock")
        lock.touch()  # where no file can be made, a lock would be waited for without end
        with FileLock(lock):
            try:
                return _already(dest, said) or _made(source, form, said, beside, dest)
            finally:
                shutil.rmtree(beside, ignore_errors=True)
                lock.unlink(missing_ok=True)


def _already(dest: Path, said: dict[str, Any]) -> Exported | None:
    """What is there, when it is this export; None when there is nothing.

    Raises:
        Refused: for anything else.
    """
    if not os.path.lexists(dest):
        return None
    if dest.is_dir() and not dest.is_symlink() and not any(dest.iterdir()):
        dest.rmdir()
        return None
    try:
        mark = json.loads((dest / MARK).read_text(encoding="utf-8"))
        refused = tuple(RefusedItem(**one) for one in mark.pop("refused"))
        taken, done = mark.pop("taken"), mark.pop("done")
        same = mark == json.loads(json_text(said))
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        same = False
    if not same:
        raise Refused(f"{dest} holds something else: export into a folder that is not there yet")
    return Exported("already", taken, done, refused, *_size(dest))


def _made(source: Source, form: Format, said: dict[str, Any], beside: Path, dest: Path) -> Exported:
    fresh_folder(beside)
    done, refused = form.make(source, beside)
    if not done:
        raise Refused(f"{form.title} can hold none of {counted(len(refused), 'item')}: {refused[0].reason}")
    if (notice := source.table.release.notice) is not None:
        refused = [*(RefusedItem(item, notice.why(item)) for item in source.withheld), *refused]
    counts = {"taken": done + len(refused), "done": done, "refused": [vars(one) for one in refused]}
    (beside / MARK).write_text(json_text(said | counts) + "\n", encoding="utf-8")
    exported = Exported("exported", done + len(refused), done, tuple(refused), *_size(beside))
    publish_folder(beside, dest)
    return exported


def _size(folder: Path) -> tuple[int, int]:
    paths = files_in(folder)
    return len(paths), sum((folder / path).lstat().st_size for path in paths)

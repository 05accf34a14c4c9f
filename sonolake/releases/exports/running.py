"""From a release to a folder in another format: all of it, or nothing.

The folder is filled beside its final place under a hidden name and renamed when it is whole; a killed export leaves
nothing that looks like one, and the next removes what it left. ``_EXPORT.json`` in it says of which release it is and
what was chosen, so that the same export again finds it there. Memory holds a row group of the release at a time.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from sonolake.errors import InvalidInput, NotFound, Refused
from sonolake.loading.load import records_of
from sonolake.loading.order import Order
from sonolake.loading.records import AUDIO, Record, Records
from sonolake.loading.sound import ENCODED
from sonolake.loading.table import Readable
from sonolake.releases.destination import writable
from sonolake.releases.disk import files_in, fresh_folder, publish_folder
from sonolake.releases.exports.items import Item
from sonolake.releases.exports.packing import json_text
from sonolake.releases.exports.writer import About, Format, Unfit, Writer
from sonolake.releases.layout import SPLITS

MARK = "_EXPORT.json"


@dataclass(frozen=True)
class RefusedItem:
    """An item that the format cannot hold, and why."""

    item_id: str
    reason: str


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
) -> Exported:
    """Write items of a release into the new folder ``dest``.

    Args:
        table: the release, or what was pulled of it.
        form: the format.
        dest: a folder that is not there yet, or is empty, or holds this very export.
        configs, splits: all when empty.
        where: condition on the columns of ``items.parquet``.

    Raises:
        InvalidInput: for a config, split or condition that there is not.
        NotFound: when nothing is chosen, or shards were not pulled.
        Refused: when the format can hold none of it, or ``dest`` holds anything else.
        Damaged: when the release is not what its manifest says.
        Unwritable: when the folder cannot be written.
    """
    from filelock import FileLock

    chosen = _tables(table, configs, splits, where, form)
    about = About(*table.identity, table.manifest_sha256)
    said = {
        "release": about.release, "manifest_sha256": about.manifest_sha256, "format": form.name,
        "tables": sorted({(records.config, split) for split, records in chosen}), "where": where,
    }  # fmt: skip
    beside = dest.parent / f".{dest.name}.exporting"
    with writable(dest):
        dest.parent.mkdir(parents=True, exist_ok=True)
        lock = beside.with_name(f"{beside.name}.lock")
        with FileLock(lock):
            try:
                return _already(dest, said) or _made(chosen, form, about, said, beside, dest)
            finally:
                shutil.rmtree(beside, ignore_errors=True)
                lock.unlink(missing_ok=True)


def _tables(
    table: Readable, configs: Sequence[str], splits: Sequence[str], where: str | None, form: Format
) -> list[tuple[str, Records]]:
    """The chosen records by split, in the order of configs and splits."""
    _require("config", configs, table.configs)
    there = {config: [s for s in SPLITS if s in table.splits(config)] for config in table.configs}
    _require("split", splits, sorted({s for found in there.values() for s in found}, key=SPLITS.index))
    found = []
    for config in configs or table.configs:
        for split in (s for s in there[config] if not splits or s in splits):
            records = records_of(table, config, (split,), where, ENCODED)
            if len(records):
                found.append((split, records if form.sound else _silent(records)))
    if not found:
        raise NotFound(f"nothing of {table.name} is chosen by these configs, splits and condition")
    return found


def _require(what: str, asked: Sequence[str], there: Sequence[str]) -> None:
    if unknown := [one for one in asked if one not in there]:
        raise InvalidInput(what, f"one of {', '.join(there)}", unknown[0])


def _silent(records: Records) -> Records:
    return records.only([name for name in records.schema.names if name != AUDIO])


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


def _made(
    chosen: list[tuple[str, Records]],
    form: Format,
    about: About,
    said: dict[str, Any],
    beside: Path,
    dest: Path,
) -> Exported:
    fresh_folder(beside)
    writer = form.open(beside, about)
    done, refused = 0, list[RefusedItem]()
    try:
        for item in items_of(chosen):
            why = _written(writer, item)
            done += why is None
            refused += [] if why is None else [RefusedItem(item.item_id, why)]
    finally:
        writer.close()
    if not done:
        raise Refused(f"{form.title} can hold none of the {len(refused):,} items: {refused[0].reason}")
    counts = {"taken": done + len(refused), "done": done, "refused": [vars(one) for one in refused]}
    (beside / MARK).write_text(json_text(said | counts) + "\n", encoding="utf-8")
    exported = Exported("exported", done + len(refused), done, tuple(refused), *_size(beside))
    publish_folder(beside, dest)
    return exported


def _written(writer: Writer, item: Item) -> str | None:
    """None when the item was written, else why it was not."""
    try:
        writer.write(item)
    except Unfit as why:
        return str(why)
    return None


def items_of(chosen: Sequence[tuple[str, Records]]) -> Iterator[Item]:
    """The items of these records, shard by shard."""
    for split, records in chosen:
        for number, shard in enumerate(records.shards):
            for record in records.read([number], Order()):
                yield _item(record, records.config, split, shard.file.shard or 0)


def _item(record: Record, config: str, split: str, shard: int) -> Item:
    row = {name: value for name, value in record.items() if name not in (AUDIO, "split")}
    return Item(record["item_id"], config, split, shard, row, record.get(AUDIO))


def _size(folder: Path) -> tuple[int, int]:
    paths = files_in(folder)
    return len(paths), sum((folder / path).lstat().st_size for path in paths)

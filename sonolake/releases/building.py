"""From records to a release folder.

The folder is built beside its final place under a hidden name, proven, flushed and then renamed: no reader ever
sees half of one, and what a killed build leaves is removed by the next. Two builds of one name and version at once
must be kept apart by the caller (the lake's lock does).
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa
import pyarrow.compute as pc

from sonolake.errors import Refused
from sonolake.releases.checking import verify_release
from sonolake.releases.checksums import checksums_text, found_hash, marked_hash
from sonolake.releases.disk import (
    files_in,
    fresh_folder,
    publish_folder,
    remove,
    replace_folder,
    sha256_of,
    write_new,
)
from sonolake.releases.documents import file_row, write_documents
from sonolake.releases.layout import CHECKSUMS, COMPLETE, MANIFEST, UNLISTED, shard_path
from sonolake.releases.offsets import Mark, find_offsets
from sonolake.releases.proving import require_proofs
from sonolake.releases.records import ITEM_COLUMNS, Config, Content
from sonolake.releases.shards import Media, released_schema, shard_of, shards_for, write_shard
from sonolake.releases.tables import FileRow, ItemRow, write_items, write_lineage, write_manifest


@dataclass(frozen=True)
class Built:
    """What a build came to: the manifest's hash, whether the version is new, and how much it holds."""

    manifest_sha256: str
    outcome: Literal["published", "unchanged", "repaired"]
    files: int
    bytes: int


def build(content: Content, media: Media, dest: Path, recorded: str | None = None) -> Built:
    """Write release ``content`` as folder ``dest`` (``.../NAME/VERSION``); ``media`` gives bytes by SHA-256.

    The same content over a version that is there changes nothing where that is whole, and repairs it where it is not.

    Args:
        content: what the release holds.
        media: from SHA-256 to bytes.
        dest: the release's folder.
        recorded: SHA-256 of the version's manifest, where it is on record; otherwise what is left in ``dest`` tells.

    Raises:
        Refused: when the version is there with other content, or a proof of policy *must* fails.
        Damaged: when media are not what they are named.
    """
    temporary = dest.parent / f".{dest.name}.building"
    fresh_folder(temporary)
    try:
        files = _fill(content, media, temporary)
        sha256 = sha256_of(temporary / MANIFEST)
        require_proofs(temporary)
        if recorded is not None or os.path.lexists(dest):
            require_same(
                {recorded} if recorded else _claims(dest), sha256, f"{content.name} {content.version}"
            )
        return Built(sha256, _put(temporary, dest, sha256), len(files), sum(f.bytes for f in files))
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _put(temporary: Path, dest: Path, sha256: str) -> Literal["published", "unchanged", "repaired"]:
    """Give the finished folder its place, unless the same is there whole."""
    aside = dest.parent / f".{dest.name}.replaced.building"
    remove(aside)
    if not os.path.lexists(dest):
        publish_folder(temporary, dest)
        return "published"
    if not verify_release(dest, sha256):
        return "unchanged"
    replace_folder(temporary, dest, aside)
    return "repaired"


def _claims(dest: Path) -> set[str]:
    """The manifests of which what is left in ``dest`` can be."""
    found = {sha256 for sha256 in (marked_hash(dest), found_hash(dest)) if sha256 is not None}
    if not found:
        raise Refused(f"{dest} holds something that is not a release: move it away")
    return found


def require_same(there: set[str], sha256: str, name: str) -> None:
    """Let a manifest pass that is one of those ``there``, or when there is none.

    Raises:
        Refused: when the version was published with other content.
    """
    if there and sha256 not in there:
        raise Refused(
            f"{name} is already published with other content (manifest {', '.join(sorted(there))}, "
            f"now {sha256}): a version never changes, publish the next one"
        )


def _fill(content: Content, media: Media, folder: Path) -> list[FileRow]:
    data: dict[str, FileRow] = {}
    items: list[ItemRow] = []
    for config in content.configs:
        for row, entries in _write_config(config, media, folder):
            data[row.path] = row
            items += entries
    write_items(items, folder)
    write_lineage(content.lineage, folder)
    for path, blob in content.benchmark.items():
        write_new(folder / "benchmark" / path, blob)
    write_documents(content, items, list(data.values()), folder)
    return _seal(data, folder)


def _seal(data: dict[str, FileRow], folder: Path) -> list[FileRow]:
    """List every file, then sums, then the mark, which is the last thing written."""
    paths = [p for p in files_in(folder) if p not in UNLISTED]
    files = [data.get(p) or file_row(folder, p) for p in paths]
    write_manifest(files, folder)
    sha256 = sha256_of(folder / MANIFEST)
    write_new(folder / CHECKSUMS, checksums_text(files, sha256).encode())
    write_new(folder / COMPLETE, f"{sha256}\n".encode())
    return files


def _write_config(config: Config, media: Media, folder: Path) -> Iterator[tuple[FileRow, list[ItemRow]]]:
    schema = released_schema(config.schema, _common_rate(config))
    for split, table in config.ordered:
        shards = shards_for(table.num_rows, config.rows_per_shard)
        homes = pa.array([shard_of(i, shards) for i in table["item_id"].to_pylist()], pa.int32())
        for shard in range(shards):
            path = shard_path(config.name, split, shard, shards)
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            part = table.filter(pc.equal(homes, shard))
            marks = write_shard(part, schema, media, target)
            places = list(zip(find_offsets(target, marks), marks, strict=True))
            yield (
                replace(file_row(folder, path), config=config.name, split=split, shard=shard),
                _item_rows(config.name, split, shard, part, places),
            )


def _item_rows(
    config: str, split: str, shard: int, part: pa.Table, places: list[tuple[int | None, Mark | None]]
) -> list[ItemRow]:
    columns: dict[str, list[Any]] = {
        name: part[name].cast(kind).to_pylist() if name in part.column_names else [None] * part.num_rows
        for name, kind in ITEM_COLUMNS.items()
    }
    return [
        ItemRow(
            config=config,
            split=split,
            shard=shard,
            row=row,
            offset=offset,
            bytes=None if mark is None else mark.length,
            sha256=None if mark is None else mark.sha256,
            **{name: values[row] for name, values in columns.items()},
        )
        for row, (offset, mark) in enumerate(places)
    ]


def _common_rate(config: Config) -> int | None:
    """The sample rate in Hz that all items share, or None."""
    if "sample_rate" not in config.schema.names:
        return None
    rates = {r for _, t in config.ordered for r in t["sample_rate"].to_pylist() if r is not None}
    return int(rates.pop()) if len(rates) == 1 else None

"""From records to a release folder.

The folder is built beside its final place under a hidden name, proven, flushed and then renamed: no reader ever
sees half of one, and what a killed build leaves is removed by the next. Two builds of one name and version at once
must be kept apart by the caller (the lake's lock does).
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import pyarrow as pa
import pyarrow.compute as pc

from sonolake.errors import Refused
from sonolake.releases.changelog import changelog_md, changes_of
from sonolake.releases.checking import verify_release
from sonolake.releases.checksums import found_hash, marked_hash
from sonolake.releases.croissant import croissant_json
from sonolake.releases.described import with_description
from sonolake.releases.destination import seal
from sonolake.releases.differing import Difference, Side, compare, side_of_files
from sonolake.releases.disk import (
    files_in,
    fresh_folder,
    link,
    publish_folder,
    remove,
    replace_folder,
    sha256_of,
    write_new,
)
from sonolake.releases.documents import file_row, write_documents
from sonolake.releases.earlier import Earlier
from sonolake.releases.layout import CHANGELOG, MANIFEST, UNLISTED, shard_path
from sonolake.releases.origins import FolderOrigin
from sonolake.releases.proving import require_proofs
from sonolake.releases.records import ITEM_COLUMNS, Config, Content
from sonolake.releases.shards import Media, Place, released_schema, shard_of, shards_for, write_shard
from sonolake.releases.tables import (
    ITEMS_SCHEMA,
    FileRow,
    items_table,
    write_items,
    write_lineage,
    write_manifest,
)


@dataclass(frozen=True)
class Built:
    """What a build came to.

    Attributes:
        manifest_sha256: of the release.
        outcome: whether it is new, was there, or was made whole.
        files, bytes: how much it holds.
        reused_bytes: how many of these are stored already, in the version before.
        difference: to the version before; None for the first.
    """

    manifest_sha256: str
    outcome: Literal["published", "unchanged", "repaired"]
    files: int
    bytes: int
    reused_bytes: int = 0
    difference: Difference | None = None


def build(
    content: Content,
    media: Media,
    dest: Path,
    recorded: str | None = None,
    earlier: Earlier | None = None,
) -> Built:
    """Write release ``content`` as folder ``dest`` (``.../NAME/VERSION``); ``media`` gives bytes by SHA-256.

    The same content over a version that is there changes nothing where that is whole, and repairs it where it is not.

    Args:
        content: what the release holds.
        media: from SHA-256 to bytes.
        dest: the release's folder.
        recorded: SHA-256 of the version's manifest, where it is on record; otherwise what is left in ``dest`` tells.
        earlier: the version before; shards that it has already are linked to, not stored again.

    Raises:
        Refused: when the version is there with other content, is lower than its difference to the one before asks, or
            a proof of policy *must* fails.
        Damaged: when media are not what they are named.
    """
    temporary = dest.parent / f".{dest.name}.building"
    fresh_folder(temporary)
    try:
        there = recorded is not None or os.path.lexists(dest)
        filled = _fill(content, media, temporary, earlier, not there)
        sha256 = sha256_of(temporary / MANIFEST)
        require_proofs(temporary)
        if there:
            require_same(
                {recorded} if recorded else _claims(dest), sha256, f"{content.name} {content.version}"
            )
        outcome = _put(temporary, dest, sha256)
        size = sum(f.bytes for f in filled.files)
        return Built(sha256, outcome, len(filled.files), size, filled.reused_bytes, filled.difference)
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
            f"now {sha256}): a version never changes, publish the next one; `sonolake plan` says what changed"
        )


@dataclass(frozen=True)
class _Filled:
    """The files of a release, bytes of those that the version before has, and the difference to that."""

    files: list[FileRow]
    reused_bytes: int
    difference: Difference | None


def _fill(content: Content, media: Media, folder: Path, earlier: Earlier | None, new: bool) -> _Filled:
    data: dict[str, FileRow] = {}
    parts: list[pa.Table] = []
    reused = 0
    for config in content.configs:
        for row, part in _write_config(config, content.version, media, folder):
            data[row.path] = row
            parts.append(part)
            if earlier is not None and (there := earlier.has(row)) is not None:
                reused += row.bytes if link(there, folder / row.path) else 0
    items = items_table(parts)
    parts.clear()
    write_lineage(content.lineage, folder)
    for path, blob in content.benchmark.items():
        write_new(folder / "benchmark" / path, blob)
    difference = None
    if earlier is not None:
        difference = compare(earlier.side, _side(content, items, list(data.values()), folder))
        if new:
            earlier.require_follows(content, difference)
        items = earlier.dated(items, difference, content.version)
    write_items(with_description(items, content), folder)
    log = changelog_md(content, difference, "" if earlier is None else earlier.changelog)
    write_new(folder / CHANGELOG, log.encode())
    told = replace(content, changes=changes_of(content, difference))
    write_documents(told, items, list(data.values()), folder)
    return _Filled(_seal(data, folder), reused, difference)


def _side(content: Content, items: pa.Table, data: list[FileRow], folder: Path) -> Side:
    """What is being built, to be compared with the version before."""
    benchmark = [file_row(folder, f"benchmark/{path}") for path in content.benchmark]
    return side_of_files(
        f"{content.name}@{content.version}",
        FolderOrigin(folder),
        [*data, *benchmark],
        items,
        content.sources.to_pylist(),
        json.loads(croissant_json(content, [])),
    )


def _seal(data: dict[str, FileRow], folder: Path) -> list[FileRow]:
    """List every file, then sums, then the mark, which is the last thing written."""
    paths = [p for p in files_in(folder) if p not in UNLISTED]
    files = [data.get(p) or file_row(folder, p) for p in paths]
    write_manifest(files, folder)
    seal(folder, files, sha256_of(folder / MANIFEST))
    return files


def _write_config(
    config: Config, version: str, media: Media, folder: Path
) -> Iterator[tuple[FileRow, pa.Table]]:
    schema = released_schema(config.schema, _common_rate(config))
    for split, table in config.ordered:
        shards = shards_for(table.num_rows, config.rows_per_shard)
        homes = pa.array([shard_of(i, shards) for i in table["item_id"].to_pylist()], pa.int32())
        for shard in range(shards):
            path = shard_path(config.name, split, shard, shards)
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            part = table.filter(pc.equal(homes, shard))
            written = write_shard(part, schema, media, target)
            row = FileRow(path, written.sha256, written.bytes, config.name, split, shard)
            yield row, _items_of(row, version, part, written.places)


def _items_of(shard: FileRow, version: str, part: pa.Table, places: list[Place | None]) -> pa.Table:
    """The rows of a shard as ``items.parquet`` has them."""
    rows = part.num_rows
    there = {name: part[name] for name in ITEM_COLUMNS if name in part.column_names}
    columns = {
        **{field.name: pa.nulls(rows, field.type) for field in ITEMS_SCHEMA},
        **{name: column.cast(ITEM_COLUMNS[name]) for name, column in there.items()},
        "config": pa.repeat(shard.config, rows),
        "split": pa.repeat(shard.split, rows),
        "shard": pa.repeat(shard.shard, rows),
        "row": range(rows),
        **{name: [None if at is None else getattr(at, name) for at in places] for name in Place._fields},
        "since": pa.repeat(version, rows),
    }
    return pa.table(columns).cast(ITEMS_SCHEMA)


def _common_rate(config: Config) -> int | None:
    """The sample rate in Hz that all items share, or None."""
    if "sample_rate" not in config.schema.names:
        return None
    rates = {r for t in config.splits.values() for r in pc.unique(t["sample_rate"]).to_pylist()} - {None}
    return int(rates.pop()) if len(rates) == 1 else None

"""Which versions of which releases hold items of something, and in which of their files."""

from __future__ import annotations

import io
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from sonolake.errors import Damaged, NotFound
from sonolake.lake.lake import Lake
from sonolake.lake.storage import Storage
from sonolake.releases.attribution import descendants
from sonolake.releases.credits import credits_in
from sonolake.releases.layout import ATTRIBUTION_CSV, ITEMS, LINEAGE, MANIFEST, REPORT
from sonolake.releases.modest import table_in
from sonolake.releases.notice import notice_at
from sonolake.releases.on_record import origin_in, path_of
from sonolake.releases.tables import FileRow, parse_manifest
from sonolake.releases.takedown.target import Target

BENCHMARK = "benchmark/"
_WORD = re.compile(r"[\w@.+-]+")


@dataclass(frozen=True)
class Held:
    """A version, the ids of its items that go, and its files that hold any of them."""

    name: str
    version: str
    state: str
    items: tuple[str, ...]
    by_config: tuple[tuple[str, int], ...]
    files: tuple[str, ...]
    bytes: int
    whole: bool = False
    """Whether nothing else is left of the version."""
    done: bool = False
    """Whether all of it is withheld already."""

    @property
    def release(self) -> str:
        """``NAME@VERSION``."""
        return f"{self.name}@{self.version}"


def held_by_releases(lake: Lake, target: Target, things: Collection[str]) -> Iterator[Held]:
    """The versions on record that hold an item made of ``things``, or of a source that ``target`` names.

    Raises:
        Damaged: when one of them cannot be read.
    """
    for row in lake.rows("SELECT name, version, state FROM releases ORDER BY name, snapshot, version"):
        store = lake.storage.room("releases").room(path_of(row["name"], row["version"]))
        if next(iter(store.entries()), None) is not None:
            found = _held(store, row, target, things)
            if found.items:
                yield found


def _held(store: Storage, row: dict[str, Any], target: Target, things: Collection[str]) -> Held:
    try:
        items = _table(store, ITEMS)
        lineage = _table(store, LINEAGE)
        files = parse_manifest(store.read(MANIFEST), f"{store.uri}/{MANIFEST}")
        credited = _credited(store.read(ATTRIBUTION_CSV), target)
    except NotFound as error:
        release = f"{row['name']} {row['version']}"
        raise Damaged(f"{error}: publish {release} again, which makes it whole") from None
    gone = descendants(lineage, {*things, *credited})
    rows = items.select(["item_id", "config", "split", "shard", "sha256"]).to_pylist()
    chosen = [one for one in rows if one["item_id"] in gone or one["sha256"] in gone]
    ids = {one["item_id"] for one in chosen}
    shards = {(one["config"], one["split"], one["shard"]) for one in chosen}
    found = [file for file in files if (file.config, file.split, file.shard) in shards]
    found += [file for file in files if _may_show(file) and ids and _shows(store, file, ids | gone)]
    counts: dict[str, int] = defaultdict(int)
    for one in chosen:
        counts[one["config"]] += 1
    return Held(
        row["name"],
        row["version"],
        row["state"],
        tuple(sorted(ids)),
        tuple(sorted(counts.items())),
        tuple(sorted(file.path for file in found)),
        sum(file.bytes for file in found),
        len(chosen) == len(rows),
        bool(ids) and _withheld(store, row["state"], ids, [file.path for file in found]),
    )


def _withheld(store: Storage, state: str, items: Collection[str], files: Iterable[str]) -> bool:
    if state != "retracted" or any(store.stat(path) is not None for path in files):
        return False
    notice = notice_at(origin_in(store))
    return notice is not None and set(items) <= set(notice.items)


def _table(store: Storage, path: str) -> pa.Table:
    return table_in(store.read(path))


def _credited(attribution: bytes, target: Target) -> set[str]:
    """The ids of the assets that a release credits to the target, whatever the lake still has of them."""
    column = {"source": "source_id", "author": "author"}.get(target.kind)
    rows = credits_in(io.StringIO(attribution.decode("utf-8")))
    return {row["asset_id"] for row in rows if column is not None and row[column] == target.name}


def _may_show(file: FileRow) -> bool:
    """Whether a file, beside the shards, has sounds or words of single items."""
    return file.path == REPORT or file.path.startswith(BENCHMARK)


def _shows(store: Storage, file: FileRow, ids: Collection[str]) -> bool:
    try:
        data = store.read(file.path)
    except NotFound:
        return False
    if file.path.endswith(".parquet"):
        return any(names(repr(row), ids) for row in table_in(data).to_pylist())
    return names(data.decode("utf-8", "replace"), ids)


def names(text: str, ids: Collection[str]) -> bool:
    """Whether a text has one of the ids in it, as a word."""
    words = set(_WORD.findall(text))
    return not words.isdisjoint(ids) or any(one in text for one in ids if not _WORD.fullmatch(one))

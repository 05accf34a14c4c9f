"""What is compared: a release where it lies, one that is being built, or rows that are yet in no release."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from sonolake.errors import Damaged, Refused
from sonolake.ids import sha256_hex
from sonolake.releases.choosing import items_of
from sonolake.releases.croissant import croissant_json
from sonolake.releases.differing.leaves import SOUND
from sonolake.releases.layout import ATTRIBUTION_CSV, CROISSANT
from sonolake.releases.modest import table_in
from sonolake.releases.offered import Offered
from sonolake.releases.origins import Origin, read_whole
from sonolake.releases.ranged import open_shard
from sonolake.releases.records import AUDIO_COLUMN, SOURCE_COLUMNS, Content
from sonolake.releases.shards import AUDIO_BYTES, leaves
from sonolake.releases.tables import ITEMS_SCHEMA, FileRow

BENCHMARK = "benchmark/"
RECORDS = (".jsonl", ".parquet")
"""Files of ``benchmark/`` that hold records; the others there say something about them."""
_ABOUT = ("name", "alternateName", "description", "license", "creator", "publisher", "inLanguage", "keywords")
"""Fields of ``croissant.json`` that say something of the whole, beside ``rai:…``."""
_NUMBER = re.compile(r"\d[\d,.]*")


@dataclass(frozen=True)
class Side:
    """One of two sides.

    Attributes:
        name: what messages call it.
        items: ``item_id``, ``config``, ``split``, ``sha256`` (of the sound; null without), ``since`` (null if unknown).
        schemas: columns by config.
        rows: of a config, without sound, but for the shards at these paths.
        shards: SHA-256 by path; none for rows that are in no release.
        sources: who made what it is made from: ``SOURCE_COLUMNS``, as text.
        about: fields of ``croissant.json`` that say something of the whole; None where it is not known.
        records: SHA-256 of the files of ``benchmark/`` with records; None where they are not known.
        read: a file of ``benchmark/``.
    """

    name: str
    items: pa.Table
    schemas: Mapping[str, pa.Schema]
    rows: Callable[[str, Collection[str]], Iterator[pa.Table]]
    sources: Sequence[Mapping[str, str]]
    shards: Mapping[str, str] = field(default_factory=dict)
    about: Mapping[str, str] | None = None
    records: Mapping[str, str] | None = None
    read: Callable[[str], bytes] = lambda path: b""

    def lines(self, path: str) -> set[Any]:
        """The records of a file of ``benchmark/``."""
        data = self.read(path)
        if path.endswith(".parquet"):
            return {repr(row) for row in table_in(data).to_pylist()}
        return set(data.splitlines())


def side_of_release(release: Offered, name: str = "") -> Side:
    """A release where it lies; its shards are read when they are asked for, but for those that are withheld.

    Raises:
        Damaged: when it is not what its manifest says.
        Refused: when it is of a form that does not say the hash of each sound.
        Unreachable: when the place does not answer.
    """
    origin = release.origin
    identity = release.identity()
    items = items_of(release)
    if items["sha256"].null_count != items["offset"].null_count:
        raise Refused(f"{origin.name} is of an older form and does not say the hash of each sound")
    return side_of_files(
        name or f"{identity.name}@{identity.version}",
        origin,
        [file for file in release.files if file.path not in release.withheld],
        items,
        _sources_in(read_whole(origin, ATTRIBUTION_CSV, 1 << 30)),
        json.loads(read_whole(origin, CROISSANT)),
    )


def side_of_files(
    name: str,
    origin: Origin,
    files: Sequence[FileRow],
    items: pa.Table,
    sources: Iterable[Mapping[str, Any]],
    croissant: Mapping[str, Any],
) -> Side:
    """The files of a release: its shards, its table of items, its sources, its description."""
    shards: dict[str, list[FileRow]] = {}
    for file in files:
        if file.config is not None:
            shards.setdefault(file.config, []).append(file)

    def rows(config: str, skipped: Collection[str]) -> Iterator[pa.Table]:
        for file in shards[config]:
            if file.path not in skipped:
                yield from _without_sound(open_shard(origin, file), f"{origin.name}/{file.path}")

    return Side(
        name,
        items.select(_ITEMS.names),
        {config: open_shard(origin, some[0]).schema_arrow for config, some in shards.items()},
        rows,
        [_as_text(source) for source in sources],
        {file.path: file.sha256 for some in shards.values() for file in some},
        _about_in(croissant),
        {f.path: f.sha256 for f in files if f.path.startswith(BENCHMARK) and f.path.endswith(RECORDS)},
        lambda path: read_whole(origin, path, 1 << 30),
    )


def side_of_tables(
    name: str, tables: Mapping[str, Mapping[str, pa.Table]], sources: pa.Table, **more: Any
) -> Side:
    """Rows that are in no release yet: by config and split, as a :class:`~sonolake.releases.Config` has them."""
    parts = [
        pa.table({
            "item_id": table["item_id"],
            "config": pa.array([config] * table.num_rows, pa.string()),
            "split": pa.array([split] * table.num_rows, pa.string()),
            "sha256": _sounds_of(table),
                "since": pa.nulls(table.num_rows, pa.string()),
        }).cast(_ITEMS)
        for config, splits in tables.items()
        for split, table in splits.items()
    ]  # fmt: skip

    def rows(config: str, skipped: Collection[str]) -> Iterator[pa.Table]:
        for table in tables[config].values():
            yield table.drop_columns([c for c in SOUND if c in table.column_names])

    return Side(
        name,
        pa.concat_tables(parts) if parts else _ITEMS.empty_table(),
        {config: next(iter(splits.values())).schema for config, splits in tables.items()},
        rows,
        [_as_text(source) for source in sources.select(SOURCE_COLUMNS).to_pylist()],
        **more,
    )


def side_of_content(content: Content, name: str = "") -> Side:
    """What a release would be made from."""
    benchmark = {f"{BENCHMARK}{path}": data for path, data in content.benchmark.items()}
    return side_of_tables(
        name or f"{content.name}@{content.version}",
        {config.name: config.splits for config in content.configs},
        content.sources,
        about=_about_in(json.loads(croissant_json(content, []))),
        records={path: sha256_hex(data) for path, data in benchmark.items() if path.endswith(RECORDS)},
        read=benchmark.__getitem__,
    )


_ITEMS = pa.schema([ITEMS_SCHEMA.field(name) for name in ("item_id", "config", "split", "sha256", "since")])


def _sounds_of(table: pa.Table) -> pa.ChunkedArray | pa.Array:
    there = AUDIO_COLUMN in table.column_names
    return table[AUDIO_COLUMN] if there else pa.nulls(table.num_rows, pa.string())


def _without_sound(shard: pq.ParquetFile, where: str) -> Iterator[pa.Table]:
    columns = [
        leaf for leaf in leaves(shard.schema_arrow) if leaf != AUDIO_BYTES and not leaf.startswith("audio.")
    ]
    try:
        for group in range(shard.metadata.num_row_groups):
            yield shard.read_row_group(group, columns=columns)
    except (pa.ArrowException, OSError) as error:
        raise Damaged(f"{where} cannot be read: {error}") from error


def _sources_in(csv: bytes) -> list[dict[str, Any]]:
    """The sources in an ``ATTRIBUTION.csv``, whose last columns, of items, may be long."""
    from pyarrow import csv as reading

    table = reading.read_csv(
        pa.BufferReader(csv),
        reading.ReadOptions(use_threads=False, block_size=max(1, len(csv))),
        reading.ParseOptions(newlines_in_values=True),
        reading.ConvertOptions(
            column_types=dict.fromkeys(SOURCE_COLUMNS, pa.string()), include_columns=list(SOURCE_COLUMNS)
        ),
    )
    return list(table.to_pylist())


def _about_in(croissant: Mapping[str, Any]) -> dict[str, str]:
    """What a description says, numbers left out: counts in it follow from the items."""
    said = {key: croissant.get(key) for key in croissant if key in _ABOUT or key.startswith("rai:")}
    for table in croissant.get("recordSet", ()):
        said[f"description of {table['@id']}"] = table.get("description")
        said |= {f"meaning of {one['@id']}": one.get("description") for one in table.get("field", ())}
    return {key: _NUMBER.sub("", json.dumps(value)) for key, value in said.items()}


def _as_text(source: Mapping[str, Any]) -> dict[str, str]:
    """A source as its row of ``ATTRIBUTION.csv`` has it."""
    return {key: "" if source[key] is None else str(source[key]) for key in SOURCE_COLUMNS}

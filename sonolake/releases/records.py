"""What a release is made from: plain frozen records, checked when made, with no lake behind them."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from sonolake.errors import InvalidInput
from sonolake.releases.layout import SPLITS, checked_name, checked_path, checked_version
from sonolake.releases.licences import Profile, checked_profile
from sonolake.releases.samples import Chart, Check, ReportSample

AUDIO_COLUMN = "audio_asset"
"""The column that names an item's bytes by their SHA-256; a release has ``audio`` in its place."""
SPEAKER_COLUMN = "speaker"
"""The column that says whose voice an item is; each is in one split."""
ITEM_COLUMNS: Mapping[str, pa.DataType] = {
    "item_id": pa.string(),
    "licence": pa.string(),
    "duration_s": pa.float64(),
    "sample_rate": pa.int32(),
    "channels": pa.int32(),
}
"""Columns of a config that ``items.parquet`` repeats; the first two must be there."""
SOURCE_COLUMNS = (
    "asset_id",
    "source_id",
    "title",
    "author",
    "licence",
    "licence_url",
    "source_url",
    "changes",
    "synthetic",
)
LINEAGE_COLUMNS = ("child", "parent", "role")


@dataclass(frozen=True)
class Config:
    """One table of a release, with its splits.

    Args:
        name: folder under ``data/``, such as ``cares``.
        title: what a person calls it.
        description: one or two sentences.
        splits: a table a split (``train``, ``validation``, ``test``), all of one schema; ``item_id`` is unique in
            the config, ``licence`` an SPDX id; ``audio_asset`` (SHA-256 or null), ``duration_s`` (seconds),
            ``sample_rate`` (Hz) and ``channels`` are for items with sound.
        meanings: what each column means, with its unit.
        task_categories: tasks in the words of the Hugging Face hub.
        rows_per_shard: rows a shard holds at most on average; shards are a power of two.
    """

    name: str
    title: str
    description: str
    splits: Mapping[str, pa.Table]
    meanings: Mapping[str, str]
    task_categories: tuple[str, ...] = ()
    rows_per_shard: int = 64

    def __post_init__(self) -> None:
        checked_name("config", self.name)
        if not self.splits or not set(self.splits) <= set(SPLITS):
            raise InvalidInput(f"splits of {self.name}", f"some of {SPLITS}", tuple(self.splits))
        if self.rows_per_shard < 1:
            raise InvalidInput(f"rows_per_shard of {self.name}", "1 or more", self.rows_per_shard)
        _check_tables(self)

    @property
    def schema(self) -> pa.Schema:
        """The columns, ``audio_asset`` included where there is sound."""
        return next(iter(self.splits.values())).schema.remove_metadata()

    @property
    def ordered(self) -> list[tuple[str, pa.Table]]:
        """Splits in the order train, validation, test, their rows by ``item_id``."""
        return [(s, _by_id(self.splits[s])) for s in SPLITS if s in self.splits]

    @property
    def rows(self) -> int:
        """Rows of all splits."""
        return sum(t.num_rows for t in self.splits.values())


def _by_id(table: pa.Table) -> pa.Table:
    """The rows by ``item_id``; no copy of a table that has them so."""
    ids = table["item_id"]
    sorted_already = pc.all(pc.less_equal(ids[:-1], ids[1:])).as_py()
    return table if sorted_already or table.num_rows < 2 else table.sort_by("item_id")


@dataclass(frozen=True)
class OwnProof:
    """A proof that a release brings beside those that every release has.

    Args:
        id: of small letters, digits and ``-``; the name of its file.
        policy: ``must`` selects offending rows and expects none; ``report`` states the rows that it selects.
        meaning: one sentence.
        sql: one SELECT of DuckDB, without a semicolon; ``getvariable('root')`` is where the release lies.
        config: the table whose shards it reads, as ``getvariable('shards')``; empty for none.

    Raises:
        InvalidInput: for an id or a policy that cannot be, or a meaning of more than a line.
    """

    id: str
    policy: str
    meaning: str
    sql: str
    config: str = ""

    def __post_init__(self) -> None:
        checked_name("proof", self.id)
        if self.policy not in ("must", "report"):
            raise InvalidInput(f"policy of proof {self.id}", "must or report", self.policy)
        if "\n" in self.meaning or not self.meaning:
            raise InvalidInput(f"meaning of proof {self.id}", "one line", self.meaning)


@dataclass(frozen=True, order=True)
class LeftOut:
    """How many items of a config are not in a release, and why."""

    config: str
    why: str
    items: int


@dataclass(frozen=True)
class Content:
    """All that goes into one version of a release.

    Args:
        name: release name; version: ``MAJOR.MINOR.PATCH``; date: ``YYYY-MM-DD``, as given, never the clock's.
        title: what a person calls it; summary: a paragraph.
        licence: of the whole, an SPDX id or expression.
        configs: the tables.
        sources: a row an asset that anything in the release is made from (``SOURCE_COLUMNS``; ``synthetic`` boolean).
        lineage: ``child`` (an item or something between), ``parent`` (an asset, template, room, voice) and ``role``
            (``take``, ``ambience``, ``response``, ``speech``, ``foa``, ``template``, ``room``, ``voice``, ``model``).
        notes: limitations, a sentence each; changes: what else to say of this version, a line each.
        languages: ISO 639-1 codes; tags: words for hubs; creator: who publishes; url: home page, if any.
        charts: what the report counts; samples: what it plays; checks: tables of what was looked for.
        profile: what it is for, which its licences allow; left_out: what the lake has beside it, and why.
        benchmark: files under ``benchmark/``, by their path there; queries: SQL of the lake by config, also of
            those without rows; proofs: what this release proves beside the usual.

    In the sentences, what stands between backticks is code, and :func:`proof_link` says which proof has the figures.
    """

    name: str
    version: str
    date: str
    title: str
    summary: str
    licence: str
    configs: tuple[Config, ...]
    sources: pa.Table
    lineage: pa.Table
    notes: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    tags: tuple[str, ...] = ("audio",)
    creator: str = "The sonolake authors"
    url: str = ""
    charts: tuple[Chart, ...] = ()
    samples: tuple[ReportSample, ...] = ()
    checks: tuple[Check, ...] = ()
    benchmark: Mapping[str, bytes] = field(default_factory=dict)
    queries: Mapping[str, str] = field(default_factory=dict)
    proofs: tuple[OwnProof, ...] = ()
    profile: Profile = "research"
    left_out: tuple[LeftOut, ...] = ()

    def __post_init__(self) -> None:
        checked_name("release", self.name)
        checked_profile(self.profile)
        checked_version(self.version)
        _check_date(self.date)
        names = [c.name for c in self.configs]
        if not names or len(set(names)) != len(names):
            raise InvalidInput("configs", "one or more, names unique", names)
        _require("sources", self.sources, SOURCE_COLUMNS)
        _require("lineage", self.lineage, LINEAGE_COLUMNS)
        for path in self.benchmark:
            checked_path(path)

    def config(self, name: str) -> Config:
        """The config of that name.

        Raises:
            InvalidInput: when there is none.
        """
        for config in self.configs:
            if config.name == name:
                return config
        raise InvalidInput("config", f"one of {[c.name for c in self.configs]}", name)


def _check_date(date: str) -> None:
    try:
        right = datetime.date.fromisoformat(date).isoformat() == date
    except ValueError:
        right = False
    if not right:
        raise InvalidInput("date", "YYYY-MM-DD", date)


def _require(what: str, table: pa.Table, columns: tuple[str, ...]) -> None:
    missing = [c for c in columns if c not in table.column_names]
    if missing:
        raise InvalidInput(f"columns of {what}", f"{columns}", tuple(table.column_names), f"no {missing}")


def _check_tables(config: Config) -> None:
    schema = config.schema
    seen: set[Any] = set()
    for split, table in config.splits.items():
        where = f"{config.name}/{split}"
        _require(where, table, ("item_id", "licence"))
        if table.schema.remove_metadata() != schema:
            raise InvalidInput(f"schema of {where}", str(schema), str(table.schema), "splits built apart")
        ids = table["item_id"].to_pylist()
        if None in ids or len(set(ids)) != len(ids) or seen & set(ids):
            raise InvalidInput(
                f"item_id of {where}", "unique in the config, never null", len(ids) - len(set(ids))
            )
        seen |= set(ids)
    unexplained = [c for c in schema.names if c != AUDIO_COLUMN and not config.meanings.get(c)]
    if unexplained:
        raise InvalidInput(f"meanings of {config.name}", "a meaning for every column", unexplained)
    if "audio" in schema.names:
        raise InvalidInput(f"columns of {config.name}", "audio_asset, which becomes audio", "audio")

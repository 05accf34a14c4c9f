"""A release without some of its items, made of its own files: the same columns and splits, everything said anew."""

from __future__ import annotations

import io
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from sonolake.errors import Refused
from sonolake.releases.credits import credits_in
from sonolake.releases.described import description_in, texts_in
from sonolake.releases.figures.prose import PROOF_LINK, named
from sonolake.releases.layout import ATTRIBUTION_CSV, ITEMS, LINEAGE
from sonolake.releases.licences import licence_of_collection
from sonolake.releases.modest import table_in
from sonolake.releases.offered import Offered
from sonolake.releases.origins import read_whole
from sonolake.releases.ranged import Sound, open_shard, read_sounds
from sonolake.releases.records import AUDIO_COLUMN, SOURCE_COLUMNS, Config, Content
from sonolake.releases.selection import key_of
from sonolake.releases.shards import leaves
from sonolake.releases.tables import FileRow
from sonolake.releases.takedown.held import BENCHMARK, names
from sonolake.releases.takedown.showing import samples_of

_SOURCES = pa.schema([(name, pa.string()) for name in SOURCE_COLUMNS if name != "synthetic"]).append(
    pa.field("synthetic", pa.bool_())
)
_MOST = 1 << 30
"""Bytes of an index table or an attribution that are read whole."""


@dataclass(frozen=True)
class Patch:
    """The content of the version ``release`` without the items ``withheld``, and the sounds of the others."""

    release: Offered
    withheld: frozenset[str]
    named: frozenset[str] = frozenset()
    """Ids of what else goes, such as the questions of a clip: records that name any go, too."""

    def content(self, version: str, date: str, change: str) -> Content:
        """What the new version holds.

        Args:
            version: its number.
            date: YYYY-MM-DD.
            change: what its changelog says, a line.

        Raises:
            Refused: when nothing is left, or the version was published by a sonolake that kept no description.
            Damaged: when the version is not what its manifest says.
        """
        content = self._content(version, date, change)
        return replace(content, samples=tuple(samples_of(content, self.media)))

    def require(self) -> None:
        """Let a version pass of which it can be made.

        Raises:
            Refused, Damaged: as :meth:`content`.
        """
        self._content("0.0.0", "2000-01-01", "")

    def _content(self, version: str, date: str, change: str) -> Content:
        """All of it but the samples."""
        identity = self.release.identity()
        said = description_in(self._items.schema)
        if said is None:
            raise Refused(
                f"{identity.name} {identity.version} was published by an earlier version of sonolake, and nothing can "
                "be made of it alone: take down with --no-patch, then publish the next version from the lake"
            )
        configs = tuple(self._configs(said))
        if not configs:
            raise Refused(
                f"nothing would be left of {identity.name} {identity.version}: --no-patch makes none"
            )
        lineage = _edges_of(self._lineage, [i for c in configs for t in c.splits.values() for i in _ids(t)])
        return Content(
            name=identity.name,
            version=version,
            date=date,
            licence=licence_of_collection(
                one for c in configs for t in c.splits.values() for one in _licences(t)
            ),
            configs=configs,
            sources=self._sources(set(lineage["parent"].to_pylist())),
            lineage=lineage,
            changes=(change,),
            benchmark=dict(self._benchmark()),
            **self._texts(said, configs),
        )

    def media(self, asset_id: str) -> bytes:
        """The bytes of a sound of the version."""
        path, sound = self._sounds[asset_id]
        (data,) = read_sounds(self.release.origin, path, [sound])
        return data

    @cached_property
    def _items(self) -> pa.Table:
        return self._table(ITEMS)

    @cached_property
    def _lineage(self) -> pa.Table:
        return self._table(LINEAGE)

    def _table(self, path: str) -> pa.Table:
        return table_in(read_whole(self.release.origin, path, _MOST))

    @cached_property
    def _rows(self) -> Mapping[Any, list[dict[str, Any]]]:
        """Rows of ``items.parquet`` by config, split and shard, in the shard's order."""
        found: dict[Any, list[dict[str, Any]]] = defaultdict(list)
        for row in self._items.to_pylist():
            found[row["config"], row["split"], row["shard"]].append(row)
        return {key: sorted(rows, key=lambda row: row["row"]) for key, rows in found.items()}

    @cached_property
    def _sounds(self) -> Mapping[str, tuple[str, Sound]]:
        paths = {key_of(file): file.path for file in self.release.files if file.config is not None}
        return {
            row["sha256"]: (paths[key], Sound(row["item_id"], row["offset"], row["bytes"], row["sha256"]))
            for key, rows in self._rows.items()
            for row in rows
            if row["sha256"]
        }

    def _configs(self, said: Mapping[str, Any]) -> Iterator[Config]:
        for one in said["configs"]:
            parts: dict[str, list[pa.Table]] = defaultdict(list)
            for file in self.release.files:
                if file.config == one["name"] and file.split is not None:
                    parts[file.split].append(self._shard(file))
            splits = {split: pa.concat_tables(tables) for split, tables in parts.items()}
            filled = {split: table for split, table in splits.items() if table.num_rows}
            if filled:
                yield Config(**{**one, "task_categories": tuple(one["task_categories"]), "splits": filled})

    def _shard(self, file: FileRow) -> pa.Table:
        """The rows of a shard that stay, with the id of their sound in place of the sound."""
        shard = open_shard(self.release.origin, file)
        others = [leaf for leaf in leaves(shard.schema_arrow) if not leaf.startswith("audio.")]
        table = shard.read(columns=others).replace_schema_metadata(None)
        rows = self._rows.get(key_of(file), [])
        if "audio" in shard.schema_arrow.names:
            sounds = pa.array([row["sha256"] for row in rows], pa.string())
            table = table.add_column(shard.schema_arrow.names.index("audio"), AUDIO_COLUMN, sounds)
        stays = [row["item_id"] not in self.withheld for row in rows]
        return table.filter(pa.array(stays, pa.bool_()))

    def _sources(self, used: Collection[str]) -> pa.Table:
        text = read_whole(self.release.origin, ATTRIBUTION_CSV, _MOST).decode("utf-8")
        rows = [
            {name: row[name] or None for name in SOURCE_COLUMNS} | {"synthetic": row["synthetic"] == "True"}
            for row in credits_in(io.StringIO(text))
            if row["asset_id"] in used
        ]
        return pa.Table.from_pylist(rows, _SOURCES)

    def _benchmark(self) -> Iterator[tuple[str, bytes]]:
        """The files of the benchmark, without the records that name an item that is withheld."""
        for file in self.release.files:
            if file.path.startswith(BENCHMARK):
                data = read_whole(self.release.origin, file.path, _MOST)
                kept = _without(file.path, data, self.withheld | self.named)
                if kept is not None:
                    yield file.path.removeprefix(BENCHMARK), kept

    def _texts(self, said: Mapping[str, Any], configs: tuple[Config, ...]) -> dict[str, Any]:
        """Texts that hold of what is left: its own counts in the summary, no notes with figures that were proven."""
        texts = texts_in(said)
        before = Counter(row["config"] for rows in self._rows.values() for row in rows)
        left = {config.name: config.rows for config in configs}
        counts = {
            f"{before[one['name']]} {named(one['title'])}": f"{left.get(one['name']) or 'no'} {named(one['title'])}"
            for one in said["configs"]
        }
        return {
            **texts,
            "summary": counted_anew(texts["summary"], counts),
            "notes": tuple(note for note in texts["notes"] if not PROOF_LINK.search(note)),
            "charts": tuple(chart for chart in texts["charts"] if chart.config in left),
            "proofs": tuple(proof for proof in texts["proofs"] if proof.config in ("", *left)),
        }


def counted_anew(text: str, counts: Mapping[str, str]) -> str:
    """``text`` with other counts, each by what it was: ``2 scenes without a sound`` are no ``2 scenes``."""
    longest_first = sorted(counts, key=len, reverse=True)
    return re.sub(rf"\b(?:{'|'.join(map(re.escape, longest_first))})", lambda found: counts[found[0]], text)


def _ids(table: pa.Table) -> list[str]:
    ids: list[str] = table["item_id"].to_pylist()
    return ids


def _licences(table: pa.Table) -> list[str]:
    licences: list[str] = table["licence"].to_pylist()
    return licences


def _edges_of(lineage: pa.Table, items: Iterable[str]) -> pa.Table:
    """The edges from ``items`` back, whatever lies between."""
    parents = defaultdict(set)
    for edge in lineage.to_pylist():
        parents[edge["child"]].add(edge["parent"])
    waiting = list(items)
    seen = set(waiting)
    while waiting:
        new = parents[waiting.pop()] - seen
        seen |= new
        waiting += new
    return lineage.filter(pc.is_in(lineage["child"], pa.array(sorted(seen), pa.string())))


def _without(path: str, data: bytes, withheld: Collection[str]) -> bytes | None:
    """A file of the benchmark without what names an item; None for one that cannot be without."""
    if path.endswith(".parquet"):
        table = table_in(data)
        stays = [not names(repr(row), withheld) for row in table.to_pylist()]
        if all(stays):
            return data
        out = pa.BufferOutputStream()
        pq.write_table(table.filter(pa.array(stays, pa.bool_())), out)
        return bytes(out.getvalue())
    if path.endswith((".jsonl", ".csv", ".tsv")):
        lines = data.decode("utf-8").splitlines(keepends=True)
        return "".join(line for line in lines if not names(line, withheld)).encode()
    return None if names(data.decode("utf-8", "replace"), withheld) else data

"""What a release says of itself, gathered for documents about it: nothing else is known, and nothing is guessed."""

from __future__ import annotations

import json
import re
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.compute as pc
import pyarrow.parquet as pq

from sonolake.errors import InvalidInput
from sonolake.releases.credits import credits_in
from sonolake.releases.croissant import MADE_WITH
from sonolake.releases.exports.source import About, Source
from sonolake.releases.fetching import fetch
from sonolake.releases.layout import ATTRIBUTION_CSV, CROISSANT, LINEAGE, SPLITS
from sonolake.releases.licences import licence_of_collection
from sonolake.releases.pace import Gate, Rate

_DOI = re.compile(r"10\.\d{4,9}/[^\s\"<>]+")
MOST_PARENTS = 20
"""Names of programs, models and voices that are listed a role."""


NO_LIMITS = "See the card."
"""What a description says where no limitation is known."""


@dataclass(frozen=True)
class Part:
    """Items of a table in a split: how many, of how many hours, with how many channels."""

    config: str
    split: str
    items: int
    hours: float
    channels: tuple[int, ...]


@dataclass(frozen=True)
class Facts:
    """A release in facts.

    Attributes:
        about: name, version, date, hash of the manifest.
        title, summary, creator, url: as the release has them; url is empty where there is none.
        keywords, languages: words; ISO 639-1 codes.
        licence: of what is chosen, an SPDX id or expression. licences: items by licence.
        notes: its limitations, a sentence each.
        tables: descriptions of tables by name. columns: meanings by table and column. parts: their splits.
        sources, synthetic: how many, and how many of these a program made. source_licences: sources by licence.
        places: addresses that sources are from. roles: things that items are made from, by role.
        made_with: programs, models and voices by role.
        doi: empty where there is none.
    """

    about: About
    title: str
    summary: str
    creator: str
    url: str
    keywords: tuple[str, ...]
    languages: tuple[str, ...]
    licence: str
    licences: Mapping[str, int]
    notes: tuple[str, ...]
    tables: Mapping[str, str]
    columns: Mapping[str, Mapping[str, str]]
    parts: tuple[Part, ...]
    sources: int
    synthetic: int
    source_licences: Mapping[str, int]
    places: tuple[str, ...]
    roles: Mapping[str, int]
    made_with: Mapping[str, tuple[str, ...]]
    doi: str

    @property
    def spdx(self) -> str:
        """The SPDX id of the licence; empty where it is of several, or of one that SPDX does not know."""
        return "" if " AND " in self.licence or self.licence.startswith("LicenseRef-") else self.licence


def facts_of(source: Source, doi: str = "") -> Facts:
    """The facts of what is chosen of a release.

    Args:
        source: the chosen items.
        doi: such as ``10.5281/zenodo.123``, where one is known.

    Raises:
        InvalidInput: for a DOI that is none.
        Damaged: when a file is not what the manifest says.
    """
    if doi and not _DOI.fullmatch(doi):
        raise InvalidInput("DOI", "10.NNNN/NAME, such as 10.5281/zenodo.123", doi)
    with tempfile.TemporaryDirectory(prefix="sonolake-") as apart:
        folder = Path(apart)
        for file in source.table.release.files:
            if file.path in (CROISSANT, ATTRIBUTION_CSV, LINEAGE):
                fetch(source.table.release.origin, folder, file, Gate(Rate()))
        said = json.loads((folder / CROISSANT).read_bytes())
        credited = _credited(folder / ATTRIBUTION_CSV)
        roles, made_with = _lineage(folder / LINEAGE)
    licences = _licences(source)
    configs = {records.config for _, records in source.parts}
    sets = {one["name"]: one for one in said["recordSet"] if one["name"] in configs}
    url = str(said.get("url", ""))
    return Facts(
        source.about,
        str(said.get("alternateName") or said["name"]),
        str(said["description"]),
        str(said["creator"]["name"]),
        url if url.startswith("http") else "",
        tuple(said.get("keywords", ())),
        tuple(code for code in said.get("inLanguage", ()) if code != "zxx"),
        licence_of_collection(licences),
        licences,
        tuple(note for note in said.get("rai:dataLimitations", ()) if note != NO_LIMITS),
        {name: str(one.get("description", "")) for name, one in sets.items()},
        {
            name: {f["name"]: str(f.get("description", "")) for f in one["field"]}
            for name, one in sets.items()
        },
        tuple(_part(source, split, records.config) for split, records in source.parts),
        *credited,
        roles,
        made_with,
        doi,
    )


def _licences(source: Source) -> dict[str, int]:
    found: Counter[str] = Counter()
    for row in _rows(source, {(split, records.config) for split, records in source.parts}):
        found[row["licence"]] += 1
    return dict(sorted(found.items()))


def _rows(source: Source, wanted: Iterable[tuple[str, str]]) -> list[dict[str, Any]]:
    chosen = {
        (records.config, item)
        for _, records in source.parts
        for shard in records.shards
        for item in shard.rows["item_id"].to_pylist()
    }
    keys = set(wanted)
    rows = source.table.items.select(["item_id", "config", "split", "licence", "duration_s", "channels"])
    return [
        r
        for r in rows.to_pylist()
        if (r["split"], r["config"]) in keys and (r["config"], r["item_id"]) in chosen
    ]


def _part(source: Source, split: str, config: str) -> Part:
    rows = _rows(source, [(split, config)])
    hours = sum(row["duration_s"] or 0.0 for row in rows) / 3600
    return Part(
        config, split, len(rows), hours, tuple(sorted({r["channels"] for r in rows if r["channels"]}))
    )


def _credited(path: Path) -> tuple[int, int, dict[str, int], tuple[str, ...]]:
    """Sources, those made by a program, sources by licence, and the addresses they are from."""
    licences: Counter[str] = Counter()
    places: set[str] = set()
    synthetic = 0
    with path.open(encoding="utf-8", newline="") as lines:
        for row in credits_in(lines):
            licences[row["licence"]] += 1
            synthetic += row["synthetic"] == "True"
            places |= {row["source_url"]} - {""}
    return licences.total(), synthetic, dict(sorted(licences.items())), tuple(sorted(places))


def _lineage(path: Path) -> tuple[dict[str, int], dict[str, tuple[str, ...]]]:
    edges = pq.read_table(path, columns=["parent", "role"]).group_by(["parent", "role"]).aggregate([])
    roles = Counter(edges["role"].to_pylist())
    named = {}
    for role in MADE_WITH:
        parents = pc.unique(edges.filter(pc.equal(edges["role"], role))["parent"]).to_pylist()
        if parents:
            named[role] = tuple(sorted(parents)[:MOST_PARENTS])
    return dict(sorted(roles.items())), named


def in_order(parts: Iterable[Part]) -> list[Part]:
    """By table, then train, validation, test."""
    return sorted(parts, key=lambda p: (p.config, SPLITS.index(p.split)))

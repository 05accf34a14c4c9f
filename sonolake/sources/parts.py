"""Long recordings as several items: how parts are called and described, and what a lake has of a recording.

A part is called by its seconds, ``talk.mp3#t=0.000,571.250`` (Media Fragments URI 1.0, 4.2.1). All parts of one
recording have one source, so that they share a split.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain

from sonolake.audio.canonical import Piece
from sonolake.audio.decode import MAX_SECONDS
from sonolake.errors import InvalidInput
from sonolake.lake import Lake
from sonolake.lake.catalog import among
from sonolake.sources.folder import LABELS_HEADER
from sonolake.sources.intake import Intake
from sonolake.sources.licences import forbids_changes, normalise
from sonolake.sources.records import SourceItem
from sonolake.sources.seen import LASTING

PART = "#t="
"""Before the seconds at which a part begins and ends."""
CUT = ("speech", "ambience")
"""Kinds of which a part is as good as the whole."""
LEAST_MINUTES, MOST_MINUTES = 1.0, 60.0
_SUFFIX = f"{PART}[0-9.]+,[0-9.]+$"
_BASE = f"regexp_replace(item, '{_SUFFIX}', '')"


@dataclass(frozen=True)
class Cutting:
    """When the recording of a file is cut, and into what.

    Attributes:
        whole_s: a longer one is cut, and one that would not fit into memory.
        part_s: seconds of the longest part.
    """

    whole_s: float = MAX_SECONDS
    part_s: float = 600.0


def require_minutes(minutes: float) -> float:
    """The length of a part.

    Raises:
        InvalidInput: when it is out of range.
    """
    if not LEAST_MINUTES <= minutes <= MOST_MINUTES:
        raise InvalidInput("--part-minutes", f"{LEAST_MINUTES:g} to {MOST_MINUTES:g}", minutes)
    return minutes


def may_be_cut(kind: str, item: SourceItem, licence: str) -> bool:
    """Whether parts of it can be taken for it: not where labels say what is when in the whole, nor where its licence
    allows no derivatives; ``licence`` is that of items that state none."""
    return kind in CUT and LABELS_HEADER not in item.tags and may_be_changed(item.fields, licence)


def may_be_changed(fields: Mapping[str, str], licence: str) -> bool:
    """Whether the licence of what has these fields, or ``licence`` where they state none, lets it be changed."""
    return not forbids_changes(normalise(fields.get("licence") or licence).spdx)


def items_of(item: SourceItem, pieces: Iterable[Piece], said_by: str) -> Iterator[SourceItem]:
    """The pieces of a recording as items; one that is the whole keeps its name.

    Args:
        item: the recording.
        pieces: at least one.
        said_by: begins the tags that say what a piece is of the recording, ``web`` or ``file``.
    """
    rest = iter(pieces)
    first, second = next(rest), next(rest, None)
    if second is None:
        yield replace(item, path=first.path, tags={**item.tags, **_about(first, said_by)})
        return
    fields = part_fields(item.fields)
    tags = {name: text for name, text in item.tags.items() if name != "tagged"}
    for piece in chain((first, second), rest):
        yield SourceItem(
            f"{item.item}{PART}{_seconds(piece)}", piece.path, fields, {**tags, **_about(piece, said_by)}
        )


def base_of(item: str) -> str:
    """The name of the recording that an item is a part of; its own where it is none."""
    return re.sub(_SUFFIX, "", item)


def part_fields(fields: Mapping[str, str]) -> dict[str, str]:
    """What is true of a part, too: not what is said in the whole."""
    return {name: text for name, text in fields.items() if name != "transcript"}


@dataclass(frozen=True)
class OnRecord:
    """What a lake has of one recording.

    Attributes:
        items: ids of assets ("" for none) by the names of items, the recording's or its parts'.
        wholes: how the SHA-256 of the recording begins, or all of it, where rows of its parts say so.
        refusals: reason and attempt of those items that were refused.
    """

    items: Mapping[str, str]
    wholes: frozenset[str]
    refusals: tuple[tuple[str, str], ...]

    def parts_of(self, name: str) -> list[str]:
        """The names of its parts."""
        return [item for item in self.items if item != name]

    def is_of(self, sha256: str) -> bool:
        """Whether it is known to be of the recording with these bytes."""
        return any(sha256.startswith(whole) for whole in self.wholes)

    def settled(self, attempts: Iterable[str]) -> bool:
        """Whether nothing is to be tried again, with ``attempts`` being what it would be tried with."""
        tried = set(attempts)
        return all(attempt in tried if attempt else reason in LASTING for reason, attempt in self.refusals)


def on_record(lake: Lake, intake: Intake, names: Iterable[str]) -> dict[str, OnRecord]:
    """What ``lake`` has of recordings, by their names; those that it does not know are left out.

    Args:
        lake: the lake.
        intake: how they are taken.
        names: of the recordings.
    """
    wanted = among(names)
    where = f"(item IN {wanted} OR (contains(item, '{PART}') AND {_BASE} IN {wanted}))"
    rows = lake.rows(
        f"SELECT {_BASE} AS base, * FROM ("
        "SELECT item, asset_id, '' AS reason, '' AS attempt, json_extract_string(tags, '$.file_sha256') AS whole "
        f"FROM assets WHERE kind = ? AND {where} "
        "UNION SELECT d.item, d.asset_id, '', '', "
        "nullif(regexp_extract(d.source_id, '^file:.*#([0-9a-f]{12})$', 1), '') "
        f"FROM duplicates d WHERE {where} "
        "UNION SELECT d.item, d.asset_id, '', '', json_extract_string(a.tags, '$.file_sha256') "
        f'FROM (FROM duplicates WHERE {where}) d LEFT JOIN assets a ON a.asset_id = d."of" '
        "UNION SELECT item, coalesce(asset_id, ''), reason, attempt, NULL "
        f"FROM quarantine WHERE step = ? AND {where})",
        [intake.kind, intake.step],
    )
    found: dict[str, list[dict[str, str]]] = defaultdict(list)
    for row in rows:
        found[row["base"]].append(row)
    return {name: _gathered(of) for name, of in found.items()}


def _gathered(rows: list[dict[str, str]]) -> OnRecord:
    items: dict[str, str] = {}
    for row in rows:
        if row["asset_id"] or row["item"] not in items:
            items[row["item"]] = row["asset_id"]
    wholes = frozenset(row["whole"] for row in rows if row["whole"])
    return OnRecord(items, wholes, tuple((r["reason"], r["attempt"]) for r in rows if r["reason"]))


def _about(piece: Piece, said_by: str) -> dict[str, str]:
    said = {"codec": piece.codec, "flags": ",".join(piece.flags), "within": _seconds(piece)}
    return {f"{said_by}_{name}": text for name, text in said.items() if text}


def _seconds(piece: Piece) -> str:
    return f"{piece.start_s:.3f},{piece.end_s:.3f}"

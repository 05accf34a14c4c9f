"""What is taken down: a source, a speaker or an author, and the sounds of a lake that this means."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal, get_args

from sonolake.errors import InvalidInput, NotFound
from sonolake.ids import sha256_hex
from sonolake.lake.declaring import has_table
from sonolake.lake.lake import Lake

Kind = Literal["source", "speaker", "author"]
MADE = ("scene", "clip")
"""Kinds of assets that were made: they are nobody's source."""
_COLUMNS = (
    "asset_id, source_id, item, kind, title, author, speaker, licence, duration_s, pcm_hash, fingerprint"
)
_ASSET_ID = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class Target:
    """What is named: a source by its id (or a sound by its asset id or address), a speaker or an author.

    Raises:
        InvalidInput: for a kind that is none of these, or no name.
    """

    kind: Kind
    name: str

    def __post_init__(self) -> None:
        if self.kind not in get_args(Kind) or not self.name.strip():
            raise InvalidInput("what to take down", "a source id, a speaker or an author", self.name)

    @property
    def takedown(self) -> str:
        """The id that ties its tombstones together."""
        return f"takedown-{sha256_hex(f'{self.kind} {self.name}'.encode())[:20]}"

    @property
    def told(self) -> str:
        """What notices call it."""
        return f"{self.kind} {self.name}"


def assets_of(lake: Lake, target: Target) -> list[dict[str, Any]]:
    """The rows of ``assets`` that ``target`` means, by id.

    A source that came as a duplicate means the sound that was there before: that is the same sound.
    """
    if target.kind != "source":
        where, names = f"{target.kind} = $name AND kind NOT IN (SELECT unnest($made))", {"made": list(MADE)}
        return _rows(lake, where, target.name, names)
    if _ASSET_ID.fullmatch(target.name):
        return _rows(lake, "asset_id = $name", target.name)
    same = 'SELECT "of" FROM duplicates WHERE source_id = $name OR item = $name'
    where = f"source_id = $name OR (item = $name AND contains(item, ':')) OR asset_id IN ({same})"
    return _rows(lake, where, target.name)


def _rows(lake: Lake, where: str, name: str, more: dict[str, Any] | None = None) -> list[dict[str, Any]]:
    query = f"SELECT {_COLUMNS} FROM assets WHERE {where} ORDER BY asset_id"
    return lake.rows(query, {"name": name, **(more or {})})


def require_known(lake: Lake, target: Target) -> None:
    """Let a target pass that the lake has, or had.

    Raises:
        NotFound: when it knows nothing of that name.
    """
    if assets_of(lake, target) or tombstones_of(lake, target):
        return
    column = "source_id" if target.kind == "source" else target.kind
    near = lake.rows(
        f"SELECT DISTINCT {column} AS name FROM assets WHERE {column} IS NOT NULL AND kind NOT IN "
        f"(SELECT unnest($made)) ORDER BY jaro_winkler_similarity({column}, $name) DESC, name LIMIT 3",
        {"made": list(MADE), "name": target.name},
    )
    said = ", ".join(row["name"] for row in near)
    most_alike = f"; the most alike of those that there are: {said}" if said else ""
    raise NotFound(f"no {target.told} in {lake.place}{most_alike}")


def tombstones_of(lake: Lake, target: Target) -> list[dict[str, Any]]:
    """The rows of ``tombstones`` of an earlier takedown of the same."""
    if not has_table(lake.sql, "tombstones"):
        return []
    return lake.rows("FROM tombstones WHERE takedown = ? ORDER BY kind, thing", [target.takedown])

"""What a rebuild knows of a release: its items, what made them, and all that was published beside their sounds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from sonolake.errors import InvalidInput, NotFound, Refused
from sonolake.releases.layout import ITEMS, LINEAGE
from sonolake.releases.modest import read_index
from sonolake.releases.rebuilding.comparing import by_child
from sonolake.releases.selection import Key
from sonolake.releases.tables import LINEAGE_SCHEMA, read_items


@dataclass(frozen=True)
class Written:
    """The index tables of a release, in ``folder``, each as its manifest says."""

    folder: Path

    @cached_property
    def items(self) -> list[dict[str, Any]]:
        """The rows of ``items.parquet``.

        Raises:
            Refused: for a release that does not say the hash of each sound.
        """
        rows: list[dict[str, Any]] = read_items(self.folder / ITEMS).to_pylist()
        if any(row["offset"] is not None and not row.get("sha256") for row in rows):
            raise Refused(f"{self.folder} is of an older form and does not say the hash of each sound")
        return rows

    @cached_property
    def lineage(self) -> list[dict[str, Any]]:
        """The rows of ``lineage.parquet``."""
        return _lineage(self.folder / LINEAGE)

    @cached_property
    def by_shard(self) -> Mapping[Key, Sequence[str | None]]:
        """SHA-256 of the sounds of each shard, in the order of its rows."""
        found: dict[Key, list[str | None]] = defaultdict(list)
        for row in sorted(self.items, key=lambda row: row["row"]):
            found[row["config"], row["split"], row["shard"]].append(row["sha256"])
        return found

    @cached_property
    def models(self) -> Mapping[str, Mapping[str, str]]:
        """The models that each item was made with: spec by role."""
        return {
            child: {
                e["role"]: e["parent"].partition(":")[2].rpartition("@")[0] for e in edges if _is_model(e)
            }
            for child, edges in by_child(self.lineage).items()
        }

    def item(self, beginning: str, config: str = "") -> dict[str, Any]:
        """The row of the item whose id is, or begins so.

        Raises:
            NotFound: when there is none.
            InvalidInput: when several begin so.
        """
        fit = [r for r in self.items if r["item_id"].startswith(beginning) and config in ("", r["config"])]
        found = [row for row in fit if row["item_id"] == beginning] or fit
        if not found:
            raise NotFound(f"no item of the release has an id that begins with {beginning!r}")
        if len({row["item_id"] for row in found}) > 1:
            some = ", ".join(sorted({row["item_id"] for row in found})[:5])
            raise InvalidInput("item", "the beginning of one id", beginning, f"it begins {some}")
        return found[0]


def _lineage(path: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = read_index(
        path, LINEAGE_SCHEMA, str(path), LINEAGE, path.stat().st_size
    ).to_pylist()
    return rows


def _is_model(edge: Mapping[str, Any]) -> bool:
    return str(edge["parent"]).startswith("model:")

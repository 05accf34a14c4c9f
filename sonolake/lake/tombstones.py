"""What was taken down, and how an intake knows it again: by its names, its bytes, its samples and its sound."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sonolake.lake.declaring import Query
from sonolake.lake.sounds import Sound, Sounds
from sonolake.lake.step import Duplicate, Quarantined

TAKEN_DOWN = "taken_down"
"""The reason of refusal; what has it is not asked for again, and its bytes are not kept."""
NAMES = {"source": "source_id", "speaker": "speaker", "author": "author", "item": "item"}
"""Kinds of tombstones that refuse by a name, and the column of ``assets`` that has it."""
_BARRED = (
    "SELECT kind, thing, pcm_hash, fingerprint, reason FROM tombstones "
    f"WHERE kind IN ({', '.join(map(repr, (*NAMES, 'sound')))}) ORDER BY ALL"
)


def _no_names() -> dict[str, dict[str, str]]:
    return defaultdict(dict)


@dataclass
class Barred:
    """The tombstones of a lake, as an intake asks them; reasons by name, and an index of sounds."""

    _names: dict[str, dict[str, str]] = field(default_factory=_no_names)
    _sounds: Sounds = field(default_factory=Sounds)
    _reasons: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, query: Query) -> Barred:
        """Those of the lake that ``query`` asks."""
        barred = cls()
        for row in query(_BARRED).to_pylist():
            if row["kind"] in NAMES:
                barred._names[row["kind"]][row["thing"]] = row["reason"]
            else:
                barred._add(row)
        return barred

    def _add(self, row: Mapping[str, Any]) -> None:
        self._sounds.add(Sound.of({**row, "asset_id": row["thing"], "item": "taken down"}))
        self._reasons[row["thing"]] = row["reason"]

    def by_name(self, row: Mapping[str, object], asset_id: str = "") -> Quarantined | None:
        """The refusal of what has a name, or the bytes ``asset_id``, that was taken down.

        Args:
            row: ``source_id``, ``speaker``, ``author`` and ``item``, as far as they are known.
            asset_id: SHA-256 of its bytes.
        """
        for kind, column in NAMES.items():
            name = str(row.get(column) or "")
            if name in self._names[kind]:
                return _refused(f"its {kind} {name}", self._names[kind][name])
        return _refused("its bytes", self._reasons[asset_id]) if self._sounds.get(asset_id) else None

    def by_sound(self, row: Mapping[str, object]) -> Quarantined | None:
        """The refusal of an asset that was taken down by any of its names, or whose bytes, samples or sound were."""
        refused = self.by_name(row, str(row.get("asset_id") or ""))
        if refused is not None:
            return refused
        verdict = self._sounds.verdict(Sound.of({**row, "item": ""}))
        if not isinstance(verdict, Duplicate):
            return None
        return _refused(f"its {verdict.how}", self._reasons[verdict.of])


def _refused(what: str, reason: str) -> Quarantined:
    return Quarantined(TAKEN_DOWN, f"taken down, known again by {what}: {reason}")

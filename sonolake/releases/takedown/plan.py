"""What a takedown means, before anything is done: sounds, what was made of them, and the releases that hold any."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from sonolake.lake.catalog import among
from sonolake.lake.lake import Lake
from sonolake.releases.takedown.held import Held, held_by_releases
from sonolake.releases.takedown.target import Target, assets_of, require_known, tombstones_of

_MADE = """
WITH RECURSIVE made AS (
    SELECT child FROM lineage WHERE parent IN {sounds} AND role <> 'source'
    UNION SELECT l.child FROM lineage l JOIN made m ON l.parent = m.child)
SELECT DISTINCT child FROM made
UNION SELECT asset_id FROM assets WHERE item IN (SELECT child FROM made)
ORDER BY ALL
"""


@dataclass(frozen=True)
class Plan:
    """What goes.

    Attributes:
        target: what was named.
        assets: rows of ``assets`` of the sounds.
        sources: source ids that are refused from now on: those of which all sounds go.
        made: ids of all that was made of them: scenes, clips, questions, utterances and their sounds.
        duplicates: SHA-256 of other bytes of these sounds, which came and were not taken.
        releases: the versions that hold any of it.
        before: tombstones of an earlier takedown of the same, which is finished when it was cut short.
    """

    target: Target
    assets: tuple[dict[str, Any], ...]
    sources: tuple[str, ...]
    made: tuple[str, ...]
    duplicates: tuple[str, ...]
    releases: tuple[Held, ...]
    before: tuple[dict[str, Any], ...] = ()

    @property
    def sounds(self) -> set[str]:
        """Asset ids of the sounds themselves, those of an earlier takedown included."""
        return {row["asset_id"] for row in self.assets} | self._before("sound")

    @property
    def things(self) -> set[str]:
        """Every id that goes, also those of an earlier takedown."""
        return self.sounds | set(self.made) | self._before("made")

    @property
    def finished(self) -> bool:
        """Whether it was done before and nothing has come since."""
        over = all(row["finished"] is not None for row in self.before)
        return (
            bool(self.before)
            and over
            and not self.assets
            and not self.made
            and all(one.done for one in self.releases)
        )

    def counts(self) -> dict[str, int]:
        """How many of what was made, by the first word of its id; sounds and other media as ``sound``."""
        names = (thing.partition("-")[0] if "-" in thing else "sound" for thing in self.made)
        names = ("muted scene" if name == "muted" else name for name in names)
        return dict(sorted(Counter(names).items()))

    def _before(self, kind: str) -> set[str]:
        return {row["thing"] for row in self.before if row["kind"] == kind}


def plan_of(lake: Lake, target: Target) -> Plan:
    """What taking ``target`` down means; nothing is written.

    Raises:
        NotFound: when the lake never had it.
        Damaged: when a release cannot be read.
    """
    require_known(lake, target)
    assets = assets_of(lake, target)
    before = tombstones_of(lake, target)
    sounds = {row["asset_id"] for row in assets} | {r["thing"] for r in before if r["kind"] == "sound"}
    made = set(made_of(lake, sounds)) - sounds
    known = made | {row["thing"] for row in before if row["kind"] == "made"}
    return Plan(
        target,
        tuple(assets),
        tuple(
            sorted(
                {
                    *_whole_sources(lake, target, sounds),
                    *(r["thing"] for r in before if r["kind"] == "source"),
                }
            )
        ),
        tuple(sorted(made)),
        _duplicates_of(lake, sounds),
        tuple(held_by_releases(lake, target, sounds | known)),
        tuple(before),
    )


def made_of(lake: Lake, sounds: Collection[str]) -> list[str]:
    """The ids of all that the lake made of these sounds, whatever lies between."""
    return [row["child"] for row in lake.rows(_MADE.format(sounds=among(sorted(sounds))))]


def _whole_sources(lake: Lake, target: Target, sounds: Collection[str]) -> list[str]:
    """Source ids all of whose sounds go; that of a sound that was named by itself stays."""
    wanted = among(sorted(sounds))
    rows = lake.rows(
        "SELECT source_id FROM assets WHERE source_id IS NOT NULL "
        f"GROUP BY source_id HAVING bool_and(asset_id IN {wanted})"
    )
    found = {row["source_id"] for row in rows}
    if target.kind == "source":
        return [target.name] if target.name in found else []
    return sorted(found)


def _duplicates_of(lake: Lake, sounds: Iterable[str]) -> tuple[str, ...]:
    rows: pa.Table = lake.sql(
        f'SELECT DISTINCT asset_id FROM duplicates WHERE "of" IN {among(sorted(sounds))} AND asset_id <> "of" '
        "ORDER BY ALL"
    )
    return tuple(rows["asset_id"].to_pylist())

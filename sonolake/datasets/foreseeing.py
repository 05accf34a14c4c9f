"""What the next version of a release would differ in: the lake as it is now, held against the last version."""

from __future__ import annotations

import json
from dataclasses import dataclass

from sonolake.datasets.allowing import allowed
from sonolake.datasets.origins import lineage_of, sources_of
from sonolake.datasets.tables import splits_of
from sonolake.errors import NotFound, Refused
from sonolake.lake.lake import Lake
from sonolake.releases import Content
from sonolake.releases.differing import (
    Bump,
    Difference,
    Side,
    compare,
    next_version,
    side_of_content,
    side_of_release,
    side_of_tables,
)
from sonolake.releases.licences import Profile, checked_profile
from sonolake.releases.offered import offered
from sonolake.releases.on_record import last_version, origin_of

WORDS, BENCHMARK = "the words of the card and of descriptions", "the files of benchmark/"
"""What the queries of a version do not give: only what publishes it has these."""


@dataclass(frozen=True)
class Foreseen:
    """The last version, what the next would differ in, the lowest that it may be, and what was not compared."""

    last: str
    difference: Difference
    least: str
    not_compared: tuple[str, ...] = ()

    @property
    def bump(self) -> Bump:
        """The part of the version that has to rise at least."""
        return self.difference.bump


def foresee(lake: Lake, name: str, content: Content | None = None) -> Foreseen:
    """What would be published now as the next version of release ``name``, item by item.

    Args:
        lake: the lake.
        name: the release.
        content: what would be published; where it is left out, what the queries give that the last version was read
            by. Then :data:`WORDS` and :data:`BENCHMARK` are not compared, and the answer says so.

    Raises:
        NotFound: when no version was published yet.
        Refused: when the last version does not say what it was read by.
        Damaged: when the last version cannot be read.
    """
    last = last_version(lake, name)
    (row,) = lake.rows("FROM releases WHERE name = ? AND version = ?", [name, last])
    release = offered(origin_of(lake, name, last), row["manifest_sha256"])
    old = side_of_release(release, f"{name}@{last}")
    if content is None:
        profile = checked_profile(row.get("profile") or "research")
        new = _side_now(lake, name, last, profile)
    else:
        new = side_of_content(content, "the lake now")
    difference = compare(old, new)
    unseen = (WORDS, BENCHMARK) if content is None else ()
    return Foreseen(last, difference, next_version(last, difference.bump), unseen)


def _side_now(lake: Lake, name: str, last: str, profile: Profile) -> Side:
    """What the queries give now that a version was read by: the last one that says it, as patches do not."""
    rows = lake.rows("FROM releases WHERE name = ? ORDER BY snapshot DESC", [name])
    queries = next((said for row in rows if (said := row.get("queries"))), None)
    if queries is None:
        raise Refused(
            f"{name} {last} does not say by which queries it was read: ask python -m flows plan {name}, "
            "or publish the next version by what published this one"
        )
    snapshot = lake.snapshot
    found = {config: splits_of(lake, snapshot, query) for config, query in json.loads(queries).items()}
    tables, _ = allowed(lake, snapshot, found, profile)
    items = [one for splits in tables.values() for t in splits.values() for one in t["item_id"].to_pylist()]
    if not items:
        raise NotFound(f"nothing of {name} is in {lake.place} any more, or it may not be handed on")
    return side_of_tables(
        "the lake now", tables, sources_of(lake, snapshot, lineage_of(lake, snapshot, items))
    )

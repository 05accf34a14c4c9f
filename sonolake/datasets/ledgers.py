"""Splits: the ledgers extended by what is in the lake and has no split yet."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import pyarrow as pa

from sonolake.lake.lake import Lake
from sonolake.lake.run import Run
from sonolake.lake.step import Already, Batch, Counts, Done, Quarantined
from sonolake.lake.transaction import Transaction
from sonolake.splits import (
    TEMPLATES,
    Member,
    Quotas,
    Short,
    assign,
    from_table,
    known_speaker,
    quotas_for,
    shortages,
    speaker_key,
    to_table,
)

PARTITIONED = ("take", "ambience", "response")
"""Kinds of assets that have a partition of their own; the others follow a template, room, speaker or source."""

_STRATUM = {"take": "event", "ambience": "location", "response": "location"}
_ROOMS = (
    (
        "response",
        "simulated",
        "azimuth_deg IS NOT NULL AND elevation_deg IS NOT NULL AND distance_m IS NOT NULL",
    ),
    ("foa", "recorded", "coalesce(labels, '') <> ''"),
)
"""What rooms are of: kind, stratum, and whether an asset says where its sounds come from."""
_LEDGERS = "SELECT * FROM splits UNION ALL BY NAME SELECT * FROM partitions"


def duplicate_sources(lake: Lake) -> dict[str, set[str]]:
    """The keys of the other sources that offered the sound of an asset, by asset id."""
    others: dict[str, set[str]] = defaultdict(set)
    for row in lake.rows("SELECT of, source_id FROM duplicates WHERE source_id <> ''"):
        others[row["of"]].add(f"source:{row['source_id']}")
    return others


def asset_members(lake: Lake, kind: str) -> list[Member]:
    """The assets of ``kind`` that ask for a partition: each tied to its sources, its samples and its duplicates.

    Four-channel responses are left out: they follow their room.
    """
    others = duplicate_sources(lake)
    rows = lake.rows(
        f"SELECT asset_id, source_id, pcm_hash, {_STRATUM[kind]} AS stratum FROM assets "
        "WHERE kind = ? AND NOT (kind = 'response' AND channels >= 4) ORDER BY asset_id",
        [kind],
    )
    return [
        Member(
            row["asset_id"],
            frozenset({f"source:{row['source_id']}", f"pcm:{row['pcm_hash']}"} | others[row["asset_id"]]),
            row["stratum"] or "",
        )
        for row in rows
    ]


def extend(
    run: Run, table: str, kind: str, members: Iterable[Member], quotas: Quotas, pooled: bool = False
) -> Counts:
    """Give every member without a split one, in one commit; nobody who has one moves.

    ``pooled`` quotas hold over all strata at once. A newcomer that ties two groups of different splits is set aside in
    the quarantine.
    """
    members = sorted(members, key=lambda member: member.item)
    batch = Batch(f"split-{kind}", kind)
    for member in members:
        batch.put(member.item, Done())

    def settle(tx: Transaction, batch: Batch) -> None:
        ledger = from_table(tx.sql(_LEDGERS))
        result = assign(kind, members, ledger, quotas, pooled=pooled)
        rows = {row.item: row for row in result.rows}
        aside = {one.item: one for one in result.set_aside}
        for item, _ in batch.done():
            if item in rows:
                batch.change(item, Done({table: to_table([rows[item]]).to_pylist()}))
            elif item in aside:
                batch.change(item, Quarantined(aside[item].reason, aside[item].detail))
            else:
                batch.change(item, Already())

    return run.commit(batch, settle)


def split_assets(run: Run, kind: str, quotas: Quotas | None = None) -> Counts:
    """Partition the takes, ambiences or one-channel responses of the lake, stratum by stratum.

    Args:
        run: in whose name.
        kind: one of :data:`PARTITIONED`; a stratum is an event, or a location.
        quotas: whole weights of the splits; :func:`sonolake.splits.quotas_for` when left out.
    """
    members = asset_members(run.lake, kind)
    return extend(run, "partitions", kind, members, quotas or quotas_for(kind))


def split_rooms(run: Run) -> Counts:
    """Split the rooms of four-channel responses (train, validation) and of recordings (validation, test).

    Rooms of which nothing says where sounds come from are a stratum of their own, so that they take no other's place.
    """
    counts = Counts()
    for kind, origin, told in _ROOMS:
        rooms = run.lake.rows(
            f"SELECT room, list(DISTINCT source_id) AS sources, bool_or({told}) AS told FROM assets "
            "WHERE kind = ? AND channels >= 4 AND room IS NOT NULL GROUP BY room ORDER BY room",
            [kind],
        )
        members = [
            Member(
                row["room"],
                _keys_of_room(row["room"], row["sources"]),
                origin if row["told"] else f"{origin}, unlabelled",
            )
            for row in rooms
        ]
        counts = counts + extend(run, "splits", "room", members, quotas_for("room", origin))
    return counts


def _keys_of_room(room: str, sources: Iterable[str]) -> frozenset[str]:
    """A room is tied to the sources of what was recorded in it: one upload never comes in two splits."""
    return frozenset({f"room:{room}", *(f"source:{one}" for one in sources)})


def split_sources(run: Run, quotas: Quotas = TEMPLATES) -> Counts:
    """Split the sources of speech: what one source recorded stays together, what two sources both have, and what one
    speaker says in any of them."""
    rows = run.lake.rows("SELECT asset_id, source_id, pcm_hash, speaker FROM assets WHERE kind = 'speech'")
    others = duplicate_sources(run.lake)
    keys: dict[str, set[str]] = defaultdict(set)
    for r in rows:
        keys[r["source_id"]] |= {f"source:{r['source_id']}", f"pcm:{r['pcm_hash']}"} | others[r["asset_id"]]
        if (speaker := known_speaker(r["speaker"])) is not None:
            keys[r["source_id"]].add(speaker_key(speaker))
    members = [Member(source_id, frozenset(tied)) for source_id, tied in keys.items()]
    return extend(run, "splits", "source", members, quotas)


def split_speakers(run: Run, quotas: Quotas = TEMPLATES) -> Counts:
    """Give each speaker of speech the split of what they say, so that it is kept when their recordings are gone.

    A speaker whose sources have two splits, from before speakers were looked at, is set aside: nobody moves.
    """
    keys: dict[str, set[str]] = defaultdict(set)
    for row in run.lake.rows("SELECT DISTINCT speaker, source_id FROM assets WHERE kind = 'speech'"):
        if (speaker := known_speaker(row["speaker"])) is not None:
            keys[speaker] |= {speaker_key(speaker), f"source:{row['source_id']}"}
    members = [Member(speaker, frozenset(tied)) for speaker, tied in keys.items()]
    return extend(run, "splits", "speaker", members, quotas)


def short_strata(lake: Lake, kind: str) -> list[Short]:
    """Strata of ``kind`` that leave a split empty, to be said in reports."""
    ledger: pa.Table = lake.sql("SELECT * FROM partitions WHERE kind = ?", [kind])
    rows = from_table(ledger)
    return list(shortages(quotas_for(kind), {row.stratum for row in rows}, rows))

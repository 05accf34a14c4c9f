"""What must hold over a lake's history, as SQL over the lake's own tables: nothing that was taken is lost.

Every item that a step takes ends as done, already, quarantined or duplicate, and each batch has one row of counts,
which is never changed. A release cannot prove this: what was refused is not in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from sonolake.errors import Damaged

if TYPE_CHECKING:
    from sonolake.lake.lake import Lake

SHOWN = 5
"""Offending rows that are kept to be shown."""


@dataclass(frozen=True)
class LakeProof:
    """One proof: id, one sentence of meaning, and SQL that selects the offending rows.

    In the SQL, ``{first}`` and ``{last}`` are the oldest and the newest snapshot.
    """

    id: str
    meaning: str
    sql: str


@dataclass(frozen=True)
class LakeProven:
    """A proof and how many rows offend; ``shown`` are the first of them."""

    proof: LakeProof
    rows: int
    shown: tuple[str, ...]

    @property
    def outcome(self) -> Literal["holds", "fails"]:
        """Does no row offend?"""
        return "fails" if self.rows else "holds"


PROOFS = (
    LakeProof(
        "rows-conserved",
        "In every batch of every step, taken = done + already + quarantined + duplicates, and none is below 0.",
        "SELECT run_id, step, batch, taken, done, already, quarantined, duplicates FROM step_counts "
        "WHERE taken IS DISTINCT FROM done + already + quarantined + duplicates "
        "OR least(taken, done, already, quarantined, duplicates, made) < 0 ORDER BY run_id, batch",
    ),
    LakeProof(
        "rows-of-runs",
        "Every batch is of a run that is on record.",
        "SELECT DISTINCT run_id, step FROM step_counts ANTI JOIN runs USING (run_id) ORDER BY ALL",
    ),
    LakeProof(
        "rows-kept",
        "No count of a batch was changed or removed in any snapshot that the lake still has.",
        "SELECT snapshot_id, run_id, step, batch FROM "
        "ducklake_table_deletions('lake', 'main', 'step_counts', {first}, {last}) ORDER BY ALL",
    ),
    LakeProof(
        "quarantine-counted",
        "No step has more items in quarantine than its batches counted.",
        "SELECT step, count(DISTINCT item) AS there, coalesce(any_value(counted), 0) AS counted FROM quarantine "
        "LEFT JOIN (SELECT step, sum(quarantined) AS counted FROM step_counts GROUP BY step) USING (step) "
        "GROUP BY step HAVING there > coalesce(any_value(counted), 0) ORDER BY step",
    ),
    LakeProof(
        "duplicates-counted",
        "There are no more duplicates than the batches counted.",
        "SELECT there, counted FROM (SELECT count(*) AS there FROM duplicates), "
        "(SELECT coalesce(sum(duplicates), 0) AS counted FROM step_counts) WHERE there > counted",
    ),
    LakeProof(
        "assets-counted",
        "No kind has more ingested assets than the batches of its ingest accepted.",
        "SELECT step, there, accepted FROM "
        "(SELECT 'ingest-' || kind AS step, count(*) AS there FROM assets GROUP BY kind) JOIN "
        "(SELECT step, sum(done) AS accepted FROM step_counts GROUP BY step) USING (step) "
        "WHERE there > accepted ORDER BY step",
    ),
)


def prove_lake(lake: Lake) -> list[LakeProven]:
    """Run all proofs over ``lake`` as it is now."""
    (ends,) = lake.rows(
        "SELECT min(snapshot_id) AS first, max(snapshot_id) AS last FROM ducklake_snapshots('lake')"
    )
    return [_run(lake, proof, ends) for proof in PROOFS]


def require_conserved(lake: Lake) -> str:
    """How many batches were looked at, in a sentence.

    Raises:
        Damaged: naming the proofs that fail and their first offending rows.
    """
    failed = [one for one in prove_lake(lake) if one.outcome == "fails"]
    if failed:
        raise Damaged("; ".join(f"{one.proof.id} fails: {'; '.join(one.shown)}" for one in failed))
    (row,) = lake.rows("SELECT count(*) AS n, coalesce(sum(taken), 0) AS taken FROM step_counts")
    return f"{row['n']:,} batches account for all of {row['taken']:,} items taken"


def _run(lake: Lake, proof: LakeProof, ends: Mapping[str, int]) -> LakeProven:
    rows = lake.rows(proof.sql.format(**ends))
    return LakeProven(proof, len(rows), tuple(_told(row.items()) for row in rows[:SHOWN]))


def _told(row: Iterable[tuple[str, Any]]) -> str:
    return ", ".join(f"{name} {value}" for name, value in row)

"""Verdicts on record: refusals and duplicates of an earlier run or another writer, and how a batch adds to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from sonolake.lake.catalog import among
from sonolake.lake.step import Already, Batch, Done, Duplicate, Outcome, Quarantined
from sonolake.lake.transaction import Transaction


class Record(NamedTuple):
    """One verdict: a reason of refusal with its attempt, or the sound that an item is a duplicate of."""

    table: str
    item: str
    asset_id: str
    verdict: str
    attempt: str

    @classmethod
    def of(cls, batch: Batch, item: str, outcome: Outcome) -> Record | None:
        """What goes on record of an item of ``batch``; None when it is neither refused nor a duplicate."""
        if isinstance(outcome, Quarantined):
            attempt = outcome.attempt or batch.attempt
            return cls("quarantine", item, outcome.asset_id or "", outcome.reason, attempt)
        if isinstance(outcome, Duplicate):
            return cls("duplicates", item, outcome.asset_id, outcome.of, "")
        return None


Recorded = Callable[[Transaction, Batch], Sequence[Record]]


def on_record(tx: Transaction, batch: Batch) -> list[Record]:
    """What is on record of the batch's items: all refusals of its step, and duplicates of those that are such."""
    items = [item for item, outcome in batch.outcomes.items() if not isinstance(outcome, Already)]
    others = [item for item in items if isinstance(batch.outcomes[item], Duplicate)]
    if not items:
        return []
    query = (
        "SELECT 'quarantine' AS place, item, asset_id, reason, attempt FROM quarantine "
        f"WHERE step = ? AND item IN {among(items)}"
    )
    if others:
        query += (
            " UNION ALL SELECT 'duplicates', item, asset_id, \"of\", '' FROM duplicates "
            f"WHERE item IN {among(others)}"
        )
    columns = tx.sql(query, [batch.step]).to_pydict().values()
    return [Record(*row) for row in zip(*columns, strict=True)]


def settle_recorded(batch: Batch, records: Sequence[Record]) -> None:
    """What is on record with the same verdict is ``already``."""
    for record in records:
        if Record.of(batch, record.item, batch.outcomes[record.item]) == record:
            batch.change(record.item, Already())


def write_quarantine(tx: Transaction, batch: Batch, records: Sequence[Record]) -> None:
    """A refusal replaces earlier ones of the same bytes; an item that is taken now leaves the quarantine."""
    rows: list[dict[str, object]] = [
        {
            "item": item,
            "source": batch.source,
            "step": batch.step,
            "reason": o.reason,
            "detail": o.detail,
            "asset_id": o.asset_id or "",
            "attempt": o.attempt or batch.attempt,
        }
        for item, o in batch.outcomes.items()
        if isinstance(o, Quarantined)
    ]
    stale: list[dict[str, object]] = [
        {"step": batch.step, "item": r.item, "asset_id": r.asset_id, "attempt": r.attempt}
        for r in records
        if r.table == "quarantine" and _replaces(batch.outcomes[r.item], r)
    ]
    tx.delete("quarantine", stale)
    tx.append("quarantine", rows, new=True)


def _replaces(outcome: Outcome, refusal: Record) -> bool:
    if isinstance(outcome, Quarantined):
        return (outcome.asset_id or "") == refusal.asset_id
    return isinstance(outcome, Done | Duplicate)


def write_duplicates(tx: Transaction, batch: Batch, records: Sequence[Record]) -> None:
    """Put the batch's duplicates on record; another sound that one is a duplicate of replaces the earlier one."""
    there = {(r.item, r.asset_id) for r in records if r.table == "duplicates"}
    rows: list[dict[str, object]] = [
        {"item": item, "asset_id": o.asset_id, "of": o.of, "how": o.how, "source_id": o.source_id}
        for item, o in batch.outcomes.items()
        if isinstance(o, Duplicate)
    ]
    tx.append("duplicates", [row for row in rows if (row["item"], row["asset_id"]) not in there], new=True)
    tx.merge("duplicates", [row for row in rows if (row["item"], row["asset_id"]) in there])

"""A run: one flow or command that writes to the lake, from its start to its outcome."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime

from sonolake import __version__
from sonolake.ids import canonical_json
from sonolake.lake.catalog import among, quoted
from sonolake.lake.lake import Lake
from sonolake.lake.step import Already, Batch, Counts, Done, Duplicate, Quarantined, Settle
from sonolake.lake.transaction import Transaction


class Run:
    """Commits batches to ``lake`` in the name of the run ``run_id``, from any process; begun by :func:`running`."""

    def __init__(self, lake: Lake, flow: str, run_id: str) -> None:
        self.lake = lake
        self.flow = flow
        self.run_id = run_id

    def commit(self, batch: Batch, settle: Settle | None = None) -> Counts:
        """Write a batch's rows, quarantine, duplicates, lineage and counts in one commit.

        Args:
            batch: every item taken, with what became of it.
            settle: called first under the lock, to change outcomes that another writer decided meanwhile.
        """
        with self.lake.transaction(batch.step, run_id=self.run_id, flow=self.flow) as tx:
            if settle is not None:
                settle(tx, batch)
            _settle_recorded(tx, batch)
            counts = batch.counts()
            self._write_rows(tx, batch)
            self._write_edges(tx, batch)
            _write_quarantine(tx, batch)
            _write_duplicates(tx, batch)
            tx.append("step_counts", [self._counts_row(tx, batch.step, counts)])
        return counts

    def counts(self) -> dict[str, Counts]:
        """What each step of the run has done so far, every process included."""
        rows = self.lake.rows(
            "SELECT step, sum(taken), sum(done), sum(already), sum(quarantined), sum(duplicates), sum(made) "
            "FROM step_counts WHERE run_id = ? GROUP BY step ORDER BY min(batch), step",
            [self.run_id],
        )
        return {step: Counts(*map(int, sums)) for step, *sums in (row.values() for row in rows)}

    def _counts_row(self, tx: Transaction, step: str, counts: Counts) -> dict[str, object]:
        last = tx.sql("SELECT count(*) AS n FROM step_counts WHERE run_id = ?", [self.run_id])["n"][0].as_py()
        return {"run_id": self.run_id, "step": step, "batch": last + 1, **vars(counts)}

    def _write_rows(self, tx: Transaction, batch: Batch) -> None:
        tables: dict[str, list[dict[str, object]]] = defaultdict(list)
        for _, done in batch.done():
            for table, rows in done.rows.items():
                tables[table].extend(dict(row) for row in rows)
        for table, rows in tables.items():
            tx.append(table, rows)

    def _write_edges(self, tx: Transaction, batch: Batch) -> None:
        edges = dict.fromkeys(edge for _, done in batch.done() for edge in done.edges)
        rows: list[dict[str, object]] = [
            {"child": e.child, "parent": e.parent, "role": e.role, "run_id": self.run_id} for e in edges
        ]
        tx.merge("lineage", rows)


def _settle_recorded(tx: Transaction, batch: Batch) -> None:
    """What is on record with the same verdict, from an earlier run or another writer, is ``already``."""
    verdicts: dict[str, tuple[str, ...]] = {}
    for item, o in batch.outcomes.items():
        if isinstance(o, Quarantined):
            verdicts[item] = (o.asset_id or "", o.reason, o.attempt or batch.attempt)
        elif isinstance(o, Duplicate):
            verdicts[item] = (o.asset_id, o.of, "")
    if not verdicts:
        return
    items = among(verdicts)
    recorded = tx.sql(
        "SELECT item, asset_id, reason AS verdict, attempt FROM quarantine "
        f"WHERE step = ? AND item IN {items} "
        f"UNION SELECT item, asset_id, \"of\", '' FROM duplicates WHERE item IN {items}",
        [batch.step],
    )
    for row in recorded.to_pylist():
        if verdicts[row["item"]] == (row["asset_id"], row["verdict"], row["attempt"]):
            batch.change(row["item"], Already())


def _write_quarantine(tx: Transaction, batch: Batch) -> None:
    """A refusal replaces earlier ones of the same bytes; an item that is taken now leaves the quarantine."""
    refused = {item: o for item, o in batch.outcomes.items() if isinstance(o, Quarantined)}
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
        for item, o in refused.items()
    ]
    taken = [item for item, o in batch.outcomes.items() if isinstance(o, Done | Duplicate)]
    pairs = ", ".join(f"({quoted(item)}, {quoted(o.asset_id or '')})" for item, o in refused.items())
    stale = f"item IN {among(taken)} OR (item, asset_id) IN ({pairs or '(NULL, NULL)'})"
    known = "SELECT count(*) AS n FROM quarantine WHERE step = ?"
    if (rows or taken) and tx.sql(known, [batch.step])["n"][0].as_py():
        tx.sql(f"DELETE FROM quarantine WHERE step = ? AND ({stale})", [batch.step])
    tx.append("quarantine", rows)


def _write_duplicates(tx: Transaction, batch: Batch) -> None:
    rows: list[dict[str, object]] = [
        {"item": item, "asset_id": o.asset_id, "of": o.of, "how": o.how, "source_id": o.source_id}
        for item, o in batch.outcomes.items()
        if isinstance(o, Duplicate)
    ]
    tx.merge("duplicates", rows)


@contextmanager
def running(lake: Lake, flow: str, parameters: Mapping[str, object] | None = None) -> Iterator[Run]:
    """A run of ``flow``: its row in ``runs`` says when it started and how it ended."""
    run = Run(lake, flow, str(uuid.uuid4()))
    row: dict[str, object] = {
        "run_id": run.run_id,
        "flow": flow,
        "parameters": canonical_json(dict(parameters or {})),
        "code_version": __version__,
        "started": datetime.now(UTC),
    }
    lake.table("runs").append([row], f"start {flow}")
    try:
        yield run
    except BaseException as error:
        outcome = f"failed: {type(error).__name__}: {error}"[:500]
        lake.table("runs").merge([{**row, "ended": datetime.now(UTC), "outcome": outcome}], f"end {flow}")
        raise
    lake.table("runs").merge([{**row, "ended": datetime.now(UTC), "outcome": "done"}], f"end {flow}")

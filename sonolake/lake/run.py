"""A run: one flow or command that writes to the lake, from its start to its outcome."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime

from sonolake import __version__
from sonolake.ids import canonical_json
from sonolake.lake.lake import Lake
from sonolake.lake.openlineage import told
from sonolake.lake.recorded import Recorded, on_record, settle_recorded, write_duplicates, write_quarantine
from sonolake.lake.step import Batch, Counts, Settle
from sonolake.lake.transaction import Transaction


class Run:
    """Commits batches to ``lake`` in the name of the run ``run_id``, from any process; begun by :func:`running`."""

    def __init__(self, lake: Lake, flow: str, run_id: str) -> None:
        self.lake = lake
        self.flow = flow
        self.run_id = run_id

    def commit(self, batch: Batch, settle: Settle | None = None, recorded: Recorded = on_record) -> Counts:
        """Write a batch's rows, quarantine, duplicates, lineage and counts in one commit.

        Args:
            batch: every item taken, with what became of it.
            settle: called first under the lock, to change outcomes that another writer decided meanwhile.
            recorded: called then, for the verdicts on record of the batch's items; by default they are looked up.
        """
        with self.lake.transaction(batch.step, run_id=self.run_id, flow=self.flow) as tx:
            if settle is not None:
                settle(tx, batch)
            records = recorded(tx, batch)
            settle_recorded(batch, records)
            counts = batch.counts()
            self._write_rows(tx, batch)
            self._write_edges(tx, batch)
            write_quarantine(tx, batch, records)
            write_duplicates(tx, batch, records)
            self._write_counts(tx, batch.step, counts)
        return counts

    def counts(self) -> dict[str, Counts]:
        """What each step of the run has done so far, every process included."""
        rows = self.lake.rows(
            "SELECT step, sum(taken), sum(done), sum(already), sum(quarantined), sum(duplicates), sum(made) "
            "FROM step_counts WHERE run_id = ? GROUP BY step ORDER BY min(batch), step",
            [self.run_id],
        )
        return {step: Counts(*map(int, sums)) for step, *sums in (row.values() for row in rows)}

    def _write_counts(self, tx: Transaction, step: str, counts: Counts) -> None:
        row = {"run_id": self.run_id, "step": step, **vars(counts)}
        names = ", ".join(row)
        number = "(SELECT count(*) + 1 FROM step_counts WHERE run_id = $run_id)"
        values = ", ".join(f"${name}" for name in row)
        tx.sql(f"INSERT INTO step_counts (batch, {names}) VALUES ({number}, {values})", row)

    def _write_rows(self, tx: Transaction, batch: Batch) -> None:
        tables: dict[str, list[dict[str, object]]] = defaultdict(list)
        for _, done in batch.done():
            for table, rows in done.rows.items():
                tables[table].extend(dict(row) for row in rows)
        for table, rows in tables.items():
            tx.append(table, rows, new=table in batch.fresh)

    def _write_edges(self, tx: Transaction, batch: Batch) -> None:
        edges = dict.fromkeys(edge for _, done in batch.done() for edge in done.edges)
        rows: list[dict[str, object]] = [
            {"child": e.child, "parent": e.parent, "role": e.role, "run_id": self.run_id} for e in edges
        ]
        tx.merge("lineage", rows)


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
    with lake.transaction(f"start {flow}") as tx:
        tx.append("runs", [row], new=True)
    try:
        with told(lake, flow, run.run_id):
            yield run
    except BaseException as error:
        interrupted = isinstance(error, KeyboardInterrupt)
        outcome = "interrupted" if interrupted else f"failed: {type(error).__name__}: {error}"[:500]
        lake.table("runs").merge([{**row, "ended": datetime.now(UTC), "outcome": outcome}], f"end {flow}")
        raise
    lake.table("runs").merge([{**row, "ended": datetime.now(UTC), "outcome": "done"}], f"end {flow}")

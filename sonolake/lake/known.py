"""What a lake knows of the items of an intake: taken, a duplicate, or refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from sonolake.lake.sounds import Sound, Sounds
from sonolake.lake.step import Batch, Duplicate, Quarantined
from sonolake.lake.transaction import Transaction

_COLUMNS = {
    "assets": "asset_id, kind, item, pcm_hash, fingerprint",
    "duplicates": "item, asset_id",
    "quarantine": "step, item, asset_id, attempt",
}
_MADE = ("scene", "clip")

Query = Callable[[str], pa.Table]


@dataclass
class Known:
    """The sounds of a lake and what was refused; each refresh reads only what others added meanwhile.

    :meth:`settle` is the settlement of every intake: an item whose bytes, samples or sound are there already is
    ``already`` (the same item) or a ``duplicate`` (another item). It remembers the batch as if it were committed: when
    the commit fails, what is known has to be thrown away.
    """

    _sounds: Sounds = field(default_factory=Sounds)
    _duplicates: set[tuple[str, str]] = field(default_factory=set)
    _refused: dict[tuple[str, str, str], str] = field(default_factory=dict)
    _snapshot: int | None = None
    _last: Transaction | None = None

    def refresh(self, query: Query) -> None:
        """Read what was committed since the snapshot that is known; everything when that cannot be told."""
        if self._last is not None and self._last.snapshot == (self._snapshot or 0) + 1:
            self._snapshot = self._last.snapshot
        self._last = None
        now = int(query("SELECT id FROM lake.current_snapshot()")["id"][0].as_py())
        if self._snapshot == now:
            return
        if self._snapshot is not None and not _only_added(query, self._snapshot, now):
            self._sounds, self._duplicates, self._refused, self._snapshot = Sounds(), set(), {}, None
        for table, columns in _COLUMNS.items():
            rows = table if self._snapshot is None else _changes("insertions", table, self._snapshot, now)
            self._remember(table, query(f"SELECT {columns} FROM {rows} ORDER BY ALL").to_pylist())
        self._snapshot = now

    def has(self, item: str, asset_id: str, kind: str) -> bool:
        """Whether ``item`` with these bytes was taken as ``kind``, or is on record as a duplicate."""
        sound = self._sounds.get(asset_id)
        taken = sound is not None and (sound.item, sound.kind) == (item, kind)
        return taken or (item, asset_id) in self._duplicates

    def refused(self, step: str, item: str, asset_id: str) -> str | None:
        """The attempt with which ``step`` refused ``item`` with these bytes, None when it did not."""
        return self._refused.get((step, item, asset_id))

    def settle(self, tx: Transaction, batch: Batch) -> None:
        """Change the outcome of accepted items whose sound is there, also within the batch (the first one stays)."""
        self.refresh(tx.sql)
        for item, done in batch.done():
            (row,) = done.rows["assets"]
            sound = Sound.of(row)
            verdict = self._sounds.verdict(sound)
            if verdict is None:
                self._sounds.add(sound)
            else:
                batch.change(item, verdict)
        for item, outcome in batch.outcomes.items():
            if isinstance(outcome, Duplicate):
                self._duplicates.add((item, outcome.asset_id))
            elif isinstance(outcome, Quarantined):
                key = (batch.step, item, outcome.asset_id or "")
                self._refused[key] = outcome.attempt or batch.attempt
        self._last = tx

    def _remember(self, table: str, rows: list[dict[str, Any]]) -> None:
        for row in rows:
            if table == "duplicates":
                self._duplicates.add((row["item"], row["asset_id"]))
            elif table == "quarantine":
                self._refused[row["step"], row["item"], row["asset_id"]] = row["attempt"]
            elif row["kind"] not in _MADE:
                self._sounds.add(Sound.of(row))


def _only_added(query: Query, since: int, now: int) -> bool:
    """Whether the snapshot ``since`` is still there, and no sound that it holds was taken away after it."""
    there = query(f"SELECT snapshot_id FROM ducklake_snapshots('lake') WHERE snapshot_id IN ({since}, {now})")
    if there.num_rows < 2 or now < since:
        return False
    return not query(f"SELECT asset_id FROM {_changes('deletions', 'assets', since, now)}").num_rows


def _changes(kind: str, table: str, since: int, now: int) -> str:
    """SQL for the rows that came or went after one snapshot, up to another."""
    return f"ducklake_table_{kind}('lake', 'main', '{table}', {since + 1}, {now})"

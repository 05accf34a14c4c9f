"""What a lake knows of the items of an intake: taken, a duplicate, or refused."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sonolake.lake.declaring import Query
from sonolake.lake.recorded import Record
from sonolake.lake.sounds import Sound, Sounds, seen_again
from sonolake.lake.step import Already, Batch, Outcome, Quarantined
from sonolake.lake.tombstones import Barred
from sonolake.lake.transaction import Transaction

_COLUMNS = {
    "assets": "asset_id, kind, item, pcm_hash, fingerprint",
    "duplicates": "'' AS step, item, asset_id, \"of\" AS verdict, '' AS attempt",
    "quarantine": "step, item, asset_id, reason AS verdict, attempt",
}
_MADE = ("scene", "clip")
"""Kinds that an intake is compared with by their bytes alone, being mixes of sounds that are there."""

Verdicts = dict[str, Record]
"""The verdict on record of one item, by the bytes it had."""


def _no_verdicts() -> dict[tuple[str, str], Verdicts]:
    return defaultdict(dict)


@dataclass
class Known:
    """The sounds of a lake and the verdicts on record; each refresh reads only what others added meanwhile.

    For a commit, :meth:`settle` and then :meth:`recorded` are called under the lock. They remember the batch as if it
    were committed: when the commit fails, what is known has to be thrown away.
    """

    _sounds: Sounds = field(default_factory=Sounds)
    _verdicts: dict[tuple[str, str], Verdicts] = field(default_factory=_no_verdicts)
    _barred: Barred = field(default_factory=Barred)
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
            self._sounds, self._verdicts, self._snapshot = Sounds(), _no_verdicts(), None
        if self._snapshot is None or _taken_down_since(query, self._snapshot, now):
            self._barred = Barred.of(query)
        for table, columns in _COLUMNS.items():
            rows = table if self._snapshot is None else _changes("insertions", table, self._snapshot, now)
            self._remember(table, query(f"SELECT {columns} FROM {rows} ORDER BY ALL").to_pylist())
        self._snapshot = now

    def verdict(self, item: str, asset_id: str, kind: str) -> Outcome | None:
        """What ``item`` with these bytes is for an intake of ``kind``, None when it has to be looked at."""
        sound = self._sounds.get(asset_id)
        if sound is not None and sound.item == item:
            return seen_again(sound, kind)
        return Already() if asset_id in self._verdicts.get(("", item), {}) else None

    def refused(self, step: str, item: str, asset_id: str) -> str | None:
        """The attempt with which ``step`` refused ``item`` with these bytes, None when it did not."""
        record = self._verdicts.get((step, item), {}).get(asset_id)
        return None if record is None else record.attempt

    def barred(self, row: Mapping[str, object], asset_id: str) -> Quarantined | None:
        """The refusal of what has a name or bytes that were taken down; see :meth:`Barred.by_name`."""
        return self._barred.by_name(row, asset_id)

    def barred_sound(self, row: Mapping[str, object]) -> Quarantined | None:
        """The refusal of an asset with a sound that was taken down; see :meth:`Barred.by_sound`."""
        return self._barred.by_sound(row)

    def settle(self, tx: Transaction, batch: Batch) -> None:
        """Change the outcome of accepted items whose sound is there, also within the batch (the first one stays).

        What was taken down is refused.

        An item whose bytes, samples or sound are there is ``already`` (the same item), a ``duplicate`` (another one),
        or refused (the same item, there as another kind).
        """
        self.refresh(tx.sql)
        for item, done in batch.done():
            (row,) = done.rows["assets"]
            sound = Sound.of(row)
            verdict = self._barred.by_sound(row) or self._sounds.verdict(sound)
            if verdict is None:
                self._sounds.add(sound)
            else:
                batch.change(item, verdict)
        batch.fresh.add("assets")
        self._last = tx

    def leaves(self, tx: Transaction, step: str, item: str) -> None:
        """Take away what ``step`` refused ``item`` for: it is taken now, by other names."""
        stale = self._verdicts.pop((step, item), {}).values()
        rows: list[dict[str, object]] = [
            {"step": step, "item": item, "asset_id": r.asset_id, "attempt": r.attempt} for r in stale
        ]
        tx.delete("quarantine", rows)

    def recorded(self, tx: Transaction, batch: Batch) -> list[Record]:
        """What :func:`sonolake.lake.recorded.on_record` would look up; from then on the batch is on record, too."""
        found: list[Record] = []
        for item, outcome in batch.outcomes.items():
            if isinstance(outcome, Already):
                continue
            new = Record.of(batch, item, outcome)
            duplicate = new is not None and new.table == "duplicates"
            records = [*self._of(batch.step, item), *(self._of("", item) if duplicate else ())]
            found += records
            if new in records:
                continue
            if new is None or duplicate:
                self._verdicts.pop((batch.step, item), None)
            if new is not None:
                self._put(batch.step, new)
        return found

    def _of(self, step: str, item: str) -> Iterable[Record]:
        return self._verdicts.get((step, item), {}).values()

    def _put(self, step: str, record: Record) -> None:
        where = step if record.table == "quarantine" else ""
        self._verdicts[where, record.item][record.asset_id] = record

    def _remember(self, table: str, rows: list[dict[str, Any]]) -> None:
        for row in rows:
            if table != "assets":
                self._put(row.pop("step"), Record(table, **row))
            elif row["kind"] in _MADE:
                self._sounds.add(Sound.of({**row, "pcm_hash": None, "fingerprint": None}))
            else:
                self._sounds.add(Sound.of(row))


def _only_added(query: Query, since: int, now: int) -> bool:
    """Whether the snapshot ``since`` is still there, and nothing that it holds was taken away after it."""
    there = query(f"SELECT snapshot_id FROM ducklake_snapshots('lake') WHERE snapshot_id IN ({since}, {now})")
    if there.num_rows < 2 or now < since:
        return False
    gone = (f"SELECT asset_id FROM {_changes('deletions', table, since, now)}" for table in _COLUMNS)
    return not query(" UNION ALL ".join(gone)).num_rows


def _taken_down_since(query: Query, since: int, now: int) -> bool:
    """Whether there are tombstones that were not there before."""
    return bool(query(f"FROM {_changes('insertions', 'tombstones', since, now)} LIMIT 1").num_rows)


def _changes(kind: str, table: str, since: int, now: int) -> str:
    """SQL for the rows that came or went after one snapshot, up to another."""
    return f"ducklake_table_{kind}('lake', 'main', '{table}', {since + 1}, {now})"

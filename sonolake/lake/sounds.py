"""Which sounds a lake holds already, by bytes, by decoded samples and by ear."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sonolake.audio import fingerprint
from sonolake.lake.step import Already, Batch, Duplicate, Outcome
from sonolake.lake.transaction import Transaction

_COLUMNS = "asset_id, kind, item, pcm_hash, fingerprint"
_MADE = ("scene", "clip")


def _no_outlines() -> NDArray[np.float32]:
    return np.zeros((1024, fingerprint.OUTLINE), dtype=np.float32)


class _Sound(NamedTuple):
    asset_id: str
    source_id: str
    pcm_hash: str
    fingerprint: str


@dataclass
class KnownSounds:
    """The sounds of a lake; each call under the lock reads only what was added since the last one.

    :meth:`settle` is the settlement of every intake: an item whose bytes, samples or sound are there already is
    ``already`` (the same item) or a ``duplicate`` (another item).
    """

    _items: dict[str, str] = field(default_factory=dict)
    _by_samples: dict[str, str] = field(default_factory=dict)
    _prints: list[tuple[str, str]] = field(default_factory=list)
    _outlines: NDArray[np.float32] = field(default_factory=lambda: _no_outlines())
    _by_key: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    _snapshot: int | None = None

    def settle(self, tx: Transaction, batch: Batch) -> None:
        """Change the outcome of accepted items whose sound is there, also within the batch (the first one stays)."""
        self._refresh(tx)
        for item, done in batch.done():
            (row,) = done.rows["assets"]
            sound = _Sound(
                *(str(row[name] or "") for name in ("asset_id", "source_id", "pcm_hash", "fingerprint"))
            )
            verdict = self._verdict(item, sound)
            if verdict is None:
                self._add(item, sound)
            else:
                batch.change(item, verdict)

    def _verdict(self, item: str, sound: _Sound) -> Outcome | None:
        if sound.asset_id in self._items:
            if self._items[sound.asset_id] == item:
                return Already()
            return Duplicate(sound.asset_id, sound.asset_id, "bytes", sound.source_id)
        if sound.pcm_hash in self._by_samples:
            return Duplicate(sound.asset_id, self._by_samples[sound.pcm_hash], "samples", sound.source_id)
        near = self._near(sound.fingerprint)
        return Duplicate(sound.asset_id, near, "sound", sound.source_id) if near else None

    def _near(self, print_: str) -> str | None:
        """The most similar sound that is near, the smallest id where two are equally so."""
        if not print_:
            return None
        numbers = sorted({n for key in fingerprint.lookup_keys(print_) for n in self._by_key.get(key, ())})
        if not numbers:
            return None
        apart = np.abs(self._outlines[numbers] - fingerprint.outline(print_)).mean(axis=1)
        close = [n for n, one in zip(numbers, apart.tolist(), strict=True) if one <= fingerprint.OUTLINE_DB]
        scored = [(fingerprint.similarity(print_, self._prints[n][1]), n) for n in close]
        near = sorted((-score, self._prints[n][0]) for score, n in scored if score >= fingerprint.NEAR)
        return near[0][1] if near else None

    def _add(self, item: str, sound: _Sound) -> None:
        if sound.asset_id in self._items:
            return
        self._items[sound.asset_id] = item
        self._by_samples.setdefault(sound.pcm_hash, sound.asset_id)
        if sound.fingerprint:
            number = len(self._prints)
            self._prints.append((sound.asset_id, sound.fingerprint))
            if number == len(self._outlines):
                self._outlines = np.concatenate([self._outlines, np.zeros_like(self._outlines)])
            self._outlines[number] = fingerprint.outline(sound.fingerprint)
            for key in fingerprint.lookup_keys(sound.fingerprint):
                self._by_key[key].append(number)

    def _refresh(self, tx: Transaction) -> None:
        now = int(tx.sql("SELECT max(snapshot_id) AS n FROM ducklake_snapshots('lake')")["n"][0].as_py())
        if self._snapshot == now:
            return
        rows = self._added(tx, now)
        for row in rows.to_pylist():
            if row["kind"] not in _MADE:
                self._add(
                    row["item"], _Sound(row["asset_id"], "", row["pcm_hash"] or "", row["fingerprint"] or "")
                )
        self._snapshot = now

    def _added(self, tx: Transaction, now: int) -> pa.Table:
        if self._snapshot is None:
            return tx.sql(f"SELECT {_COLUMNS} FROM assets ORDER BY asset_id")
        since = f"ducklake_table_insertions('lake', 'main', 'assets', {self._snapshot + 1}, {now})"
        return tx.sql(f"SELECT {_COLUMNS} FROM {since} ORDER BY asset_id")

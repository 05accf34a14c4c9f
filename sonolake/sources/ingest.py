"""One batch of a source's items into the lake; a recording that is too long to be taken whole becomes several items."""

from __future__ import annotations

import mmap
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

from sonolake.audio.canonical import HEAD, declares_more, parts
from sonolake.errors import ItemRefused
from sonolake.ids import sha256_hex
from sonolake.lake.known import Known
from sonolake.lake.run import Run
from sonolake.lake.step import Already, Batch, Counts, Done, Outcome, Quarantined, attempt
from sonolake.lake.transaction import Transaction
from sonolake.models.packages import file_sha256
from sonolake.sources.intake import Intake
from sonolake.sources.parts import Cutting, OnRecord, items_of, may_be_cut, on_record, part_fields
from sonolake.sources.records import Offered, Refusal, Seen, SourceItem

MOST_BYTES = 4 << 30
"""A larger file is not read at once, nor kept: it would not fit beside others into memory."""
BATCH, BATCH_BYTES = 500, 512 << 20
"""Items and bytes of a batch: seconds of work."""


def portions(items: Iterable[Offered]) -> Iterator[list[Offered]]:
    """``items`` in batches: few where they are large, so that little is done again after a kill."""
    some: list[Offered] = []
    size = 0
    for item in items:
        some.append(item)
        size += _size(item.path) if isinstance(item, SourceItem) else 0
        if len(some) == BATCH or size >= BATCH_BYTES:
            yield some
            some, size = [], 0
    if some:
        yield some


def _size(path: Path) -> int:
    """Bytes of a file, 0 when it is not there."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


@dataclass
class Ingest:
    """Takes batches of one source's items into the lake of ``run``.

    Args:
        run: the run that the batches belong to.
        intake: how the items are taken.
        workers: threads that decode; the outcome does not depend on their number.
        known: what the lake knows of items, kept from batch to batch so that each reads only what is new.
        cutting: when recordings of files are cut, and into what.
    """

    run: Run
    intake: Intake
    workers: int = 1
    known: Known = field(default_factory=Known)
    cutting: Cutting = field(default_factory=Cutting)
    _parts: Mapping[str, OnRecord] = field(default_factory=dict, init=False)

    def take(self, items: Sequence[Offered]) -> Counts:
        """Decode, describe and commit one batch; every item is accounted for, a recording that is cut by its parts.

        Raises:
            WorldError: when the lake stayed busy; the batch can be taken again.
        """
        self.known.refresh(self.run.lake.sql)
        self._parts = self._on_record(items)
        batch = Batch(self.intake.step, self.intake.kind)
        cut: list[str] = []
        for item, outcomes in zip(items, self._outcomes(items), strict=True):
            for name, outcome in outcomes.items():
                batch.put(name, outcome)
            cut += [] if item.item in outcomes else [item.item]

        def settle(tx: Transaction, batch: Batch) -> None:
            for name in cut:
                self.known.leaves(tx, batch.step, name)
            self.known.settle(tx, batch)

        try:
            return self.run.commit(batch, settle, self.known.recorded)
        except BaseException:
            self.known = Known()
            raise

    def _on_record(self, items: Sequence[Offered]) -> Mapping[str, OnRecord]:
        """What the lake has of those items that may be there in parts."""
        names = [i.item for i in items if isinstance(i, SourceItem) and self._may_be_cut(i)]
        found = on_record(self.run.lake, self.intake, names) if names else {}
        return {name: one for name, one in found.items() if one.parts_of(name)}

    def _outcomes(self, items: Sequence[Offered]) -> list[Mapping[str, Outcome]]:
        if self.workers == 1:
            return [self._accounted(item) for item in items]
        with ThreadPoolExecutor(self.workers) as pool:
            return list(pool.map(self._accounted, items))

    def _accounted(self, item: Offered) -> Mapping[str, Outcome]:
        """What becomes of an item, or of its parts, by name."""
        found = attempt(self._named, item)
        return {item.item: found} if isinstance(found, Quarantined) else found

    def _named(self, item: Offered) -> Mapping[str, Outcome]:
        if not isinstance(item, SourceItem) or not self._may_be_cut(item):
            return {item.item: self._outcome(item)}
        if (there := self._there(item)) is not None:
            return dict.fromkeys(there, Already())
        whole: Outcome | None = None
        if not self._is_long(item):
            whole = attempt(self._outcome, item)
            if not isinstance(whole, Quarantined) or whole.reason != "too_long":
                return {item.item: whole}
        return self._in_parts(item) or {item.item: self._outcome(item) if whole is None else whole}

    def _may_be_cut(self, item: SourceItem) -> bool:
        return may_be_cut(self.intake.kind, item, self.intake.licence)

    def _is_long(self, item: SourceItem) -> bool:
        size = _size(item.path)
        return size > MOST_BYTES or (size > HEAD and declares_more(item.path, self.cutting.whole_s))

    def _there(self, item: SourceItem) -> list[str] | None:
        """The parts of these very bytes that the lake has; None where they have to be looked at."""
        found = self._parts.get(item.item)
        if found is None:
            return None
        asset_id = _sha256(item.path)
        tried = self.intake.attempt_of(part_fields(_with_source(item, asset_id)))
        return found.parts_of(item.item) if found.is_of(asset_id) and found.settled([tried]) else None

    def _in_parts(self, item: SourceItem) -> Mapping[str, Outcome]:
        """What becomes of the parts of a recording, or of all of it by its own name; nothing where it is one part."""
        asset_id = _sha256(item.path)
        barred = self.known.barred({**item.fields, "item": item.item}, asset_id)
        if barred is not None:
            return {item.item: barred}
        kept = asset_id if _size(item.path) <= MOST_BYTES else ""
        tried = self.intake.attempt_of(item.fields if kept else {**item.fields, "sha256": asset_id})
        if self.known.refused(self.intake.step, item.item, kept) == tried:
            return {item.item: Already()}
        try:
            tags = {**item.tags, "file_sha256": asset_id}
            return self._cut(replace(item, fields=_with_source(item, asset_id), tags=tags))
        except ItemRefused as refusal:
            if kept:
                self._keep(item.path, kept)
            detail = f"{item.item}: {refusal.detail}"
            return {item.item: Quarantined(refusal.reason, detail, kept or None, tried)}

    def _cut(self, item: SourceItem) -> Mapping[str, Outcome]:
        found: dict[str, Outcome] = {}
        with TemporaryDirectory(prefix="sonolake-") as folder:
            pieces = parts(item.path, Path(folder), self.cutting.part_s)
            for part in items_of(item, pieces, "file"):
                if part.item == item.item:
                    return {}
                found[part.item] = attempt(self._outcome, part)
                part.path.unlink()
        refused = [outcome for outcome in found.values() if isinstance(outcome, Quarantined)]
        if len(refused) == len(found) and len({outcome.reason for outcome in refused}) == 1:
            raise ItemRefused(refused[0].reason, f"all {len(found)} parts, as {refused[0].detail}")
        return found

    def _keep(self, path: Path, asset_id: str) -> None:
        """Keep the bytes of a file without having them all in memory."""
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            self.run.lake.media.put(cast("bytes", data), asset_id)

    def _outcome(self, item: Offered) -> Outcome:
        if isinstance(item, Refusal):
            return Quarantined(item.reason, item.detail)
        if isinstance(item, Seen):
            return Already()
        try:
            if (size := item.path.stat().st_size) > MOST_BYTES:
                raise ItemRefused("too_long", f"{size:,} bytes; at most {MOST_BYTES:,} are taken")
            data = item.path.read_bytes()
        except OSError as error:
            raise _unreadable(error) from None
        asset_id = sha256_hex(data)
        barred = self.known.barred({**item.fields, "item": item.item}, asset_id)
        if barred is not None:
            return barred
        verdict = self.known.verdict(item.item, asset_id, self.intake.kind)
        if verdict is not None:
            return verdict
        refused = self.known.refused(self.intake.step, item.item, asset_id)
        if refused is not None and refused == self.intake.attempt_of(item.fields):
            return Already()
        outcome = self.intake.take(item, data, asset_id, self.run.lake.media, self.cutting.whole_s)
        return self._unless_barred(outcome)

    def _unless_barred(self, outcome: Outcome) -> Outcome:
        """``outcome``, unless the sound was taken down: it is refused then, and its bytes are not kept."""
        if not isinstance(outcome, Done):
            return outcome
        (row,) = outcome.rows["assets"]
        barred = self.known.barred_sound(row)
        if barred is None:
            return outcome
        self.run.lake.media.discard(str(row["asset_id"]), time.time() + 1.0)
        return barred


def _with_source(item: SourceItem, asset_id: str) -> dict[str, str]:
    """What is said of a recording, with a source that its parts share."""
    return {"source_id": f"file:{item.item}#{asset_id[:12]}", **item.fields}


def _sha256(path: Path) -> str:
    try:
        return file_sha256(path)
    except OSError as error:
        raise _unreadable(error) from None


def _unreadable(error: OSError) -> ItemRefused:
    return ItemRefused("unreadable", f"the file cannot be read: {error.strerror}")

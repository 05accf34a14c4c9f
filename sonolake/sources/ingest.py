"""One batch of a source's items into the lake."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from sonolake.errors import ItemRefused
from sonolake.ids import sha256_hex
from sonolake.lake.catalog import among
from sonolake.lake.lake import Lake
from sonolake.lake.run import Run
from sonolake.lake.sounds import KnownSounds
from sonolake.lake.step import Already, Batch, Counts, Outcome, Quarantined, attempt
from sonolake.sources.intake import Intake
from sonolake.sources.records import Refusal, SourceItem

_Seen = set[tuple[str, str, str]]


@dataclass
class Ingest:
    """Takes batches of one source's items into the lake of ``run``.

    Args:
        run: the run that the batches belong to.
        intake: how the items are taken.
        workers: threads that decode; the outcome does not depend on their number.
        known: the sounds of the lake, kept from batch to batch so that each reads only what is new.
    """

    run: Run
    intake: Intake
    workers: int = 1
    known: KnownSounds = field(default_factory=KnownSounds)

    def take(self, items: Sequence[SourceItem | Refusal]) -> Counts:
        """Decode, describe and commit one batch; every item is accounted for.

        Raises:
            WorldError: when the lake stayed busy; the batch can be taken again.
        """
        seen = self._seen(self.run.lake, [i.item for i in items])
        batch = Batch(self.intake.step, self.intake.kind)
        for item, outcome in zip(items, self._outcomes(items, seen), strict=True):
            batch.put(item.item, outcome)
        try:
            return self.run.commit(batch, self.known.settle)
        except BaseException:
            self.known = KnownSounds()
            raise

    def _outcomes(self, items: Sequence[SourceItem | Refusal], seen: _Seen) -> list[Outcome]:
        def outcome(item: SourceItem | Refusal) -> Outcome:
            return attempt(lambda one: self._outcome(one, seen), item)

        if self.workers == 1:
            return [outcome(item) for item in items]
        with ThreadPoolExecutor(self.workers) as pool:
            return list(pool.map(outcome, items))

    def _outcome(self, item: SourceItem | Refusal, seen: _Seen) -> Outcome:
        if isinstance(item, Refusal):
            return Quarantined(item.reason, item.detail)
        try:
            data = item.path.read_bytes()
        except OSError as error:
            raise ItemRefused("unreadable", f"the file cannot be read: {error.strerror}") from None
        asset_id = sha256_hex(data)
        if {(item.item, asset_id, ""), (item.item, asset_id, self.intake.attempt_of(item.fields))} & seen:
            return Already()
        return self.intake.take(item, data, asset_id, self.run.lake.media)

    def _seen(self, lake: Lake, items: list[str]) -> _Seen:
        """What is on record of ``items``: taken or a duplicate whatever it is tried with, refused with one attempt."""
        among_items = f"item IN {among(items)}"
        rows = lake.rows(
            f"SELECT item, asset_id, '' AS attempt FROM assets WHERE {among_items} AND kind = $kind "
            f"UNION SELECT item, asset_id, '' FROM duplicates WHERE {among_items} "
            f"UNION SELECT item, asset_id, attempt FROM quarantine WHERE {among_items} AND step = $step",
            {"kind": self.intake.kind, "step": self.intake.step},
        )
        return {(row["item"], row["asset_id"], row["attempt"]) for row in rows}

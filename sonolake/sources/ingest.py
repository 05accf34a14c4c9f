"""One batch of a source's items into the lake."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial

from sonolake.errors import ItemRefused
from sonolake.ids import sha256_hex
from sonolake.lake.known import Known
from sonolake.lake.run import Run
from sonolake.lake.step import Already, Batch, Counts, Done, Outcome, Quarantined, attempt
from sonolake.sources.intake import Intake
from sonolake.sources.records import Offered, Refusal, Seen

MOST_BYTES = 4 << 30
"""A larger file is not read: it would not fit beside others into memory."""


@dataclass
class Ingest:
    """Takes batches of one source's items into the lake of ``run``.

    Args:
        run: the run that the batches belong to.
        intake: how the items are taken.
        workers: threads that decode; the outcome does not depend on their number.
        known: what the lake knows of items, kept from batch to batch so that each reads only what is new.
    """

    run: Run
    intake: Intake
    workers: int = 1
    known: Known = field(default_factory=Known)

    def take(self, items: Sequence[Offered]) -> Counts:
        """Decode, describe and commit one batch; every item is accounted for.

        Raises:
            WorldError: when the lake stayed busy; the batch can be taken again.
        """
        self.known.refresh(self.run.lake.sql)
        batch = Batch(self.intake.step, self.intake.kind)
        for item, outcome in zip(items, self._outcomes(items), strict=True):
            batch.put(item.item, outcome)
        try:
            return self.run.commit(batch, self.known.settle, self.known.recorded)
        except BaseException:
            self.known = Known()
            raise

    def _outcomes(self, items: Sequence[Offered]) -> list[Outcome]:
        outcome = partial(attempt, self._outcome)
        if self.workers == 1:
            return [outcome(item) for item in items]
        with ThreadPoolExecutor(self.workers) as pool:
            return list(pool.map(outcome, items))

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
            raise ItemRefused("unreadable", f"the file cannot be read: {error.strerror}") from None
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
        return self._unless_barred(self.intake.take(item, data, asset_id, self.run.lake.media))

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

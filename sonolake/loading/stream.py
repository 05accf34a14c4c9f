"""Records that go on where they stopped: one reader of several, by shards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sonolake.errors import InvalidInput
from sonolake.loading.order import Order
from sonolake.loading.records import Record, Records

STATE_VERSION = 1


class Stream:
    """Reader ``index`` of ``of`` readers of ``records``; together they give each record once an epoch.

    Each iteration is an epoch, or what is left of one. :meth:`state_dict` is taken at any time, also within an
    iteration, and :meth:`load_state_dict` has the next iteration go on with the record after.

    Args:
        records: what is read.
        shuffle: a seed; in the order of the release when None.
        index: which reader this is, from 0; it reads every ``of``-th shard.
        of: how many readers there are.

    Raises:
        InvalidInput: unless ``0 <= index < of``.
    """

    def __init__(self, records: Records, shuffle: int | None = None, index: int = 0, of: int = 1) -> None:
        if not 0 <= index < of:
            raise InvalidInput("index of a reader", f"0 to {of - 1}", index)
        self.records = records
        self.shuffle, self.index, self.of = shuffle, index, of
        self.epoch = 0
        self._given = 0

    def __iter__(self) -> Iterator[Record]:
        order = Order(self.shuffle, self.epoch)
        mine = order.shards(range(len(self.records.shards)))[self.index :: self.of]
        for record in self.records.read(mine, order, self._given):
            self._given += 1
            yield record
        self.epoch += 1
        self._given = 0

    def set_epoch(self, epoch: int) -> None:
        """Begin at the start of an epoch, counted from 0."""
        self.epoch, self._given = epoch, 0

    def state_dict(self) -> dict[str, Any]:
        """Where it is, as JSON can hold it."""
        return {"version": STATE_VERSION, **self._which(), "epoch": self.epoch, "given": self._given}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Go on from there.

        Raises:
            InvalidInput: when the state is of other records, another order or another reader.
        """
        mine = {"version": STATE_VERSION, **self._which()}
        other = {key: state.get(key) for key in mine if state.get(key) != mine[key]}
        if other:
            raise InvalidInput("state of a stream", f"{ {key: mine[key] for key in other} }", other)
        self.epoch, self._given = int(state["epoch"]), int(state["given"])

    def _which(self) -> dict[str, Any]:
        return {
            "records": self.records.fingerprint,
            "shuffle": self.shuffle,
            "index": self.index,
            "of": self.of,
        }

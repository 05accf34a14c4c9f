"""The index of a large vector space: built by maintenance, measured against exact search, used only when it passes.

IVF with RaBitQ codes of four bits (Gao et al., SIGMOD 2025) and a second look at the whole vectors of the best
candidates, so that distances are exact. (Codes of eight bits where the dimension is no multiple of eight, which
RaBitQ asks for.) What was measured is kept in the metadata of the column ``vector``, beside the
index it was measured on; rows that came later are searched exactly by Lance and need no measurement.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from typing import Any

from sonolake.errors import InvalidInput
from sonolake.lake.vector_query import Plan, dim_of, metric_of
from sonolake.lake.vector_rows import FILTERS
from sonolake.lake.vector_trial import Trial

INDEXED_FROM = 50_000
"""Rows from which on a space gets an index; fewer are searched exactly in a few milliseconds."""
LEAST_RECALL = 0.95
"""Recall@10 that an index must have shown, with and without a filter, to be used."""
PARTITION = 4096
"""Rows a partition of the index."""

_BITS, _WHOLE = 4, 8
_KEY = "sonolake.index"
_SCALARS = {
    "vector_id": "BTree",
    "asset_id": "BTree",
    **dict.fromkeys(FILTERS, "Bitmap"),
    "event": "BTree",
    "speaker": "BTree",
}


@dataclass(frozen=True)
class Index:
    """The index of a space.

    Attributes:
        version: of the index; another one after each building.
        rows: how many it holds.
        unindexed: how many rows came later; they are searched exactly.
        partitions: how many parts the vectors are in.
        recall: recall@10 against exact search over 100 of the vectors, None before it was measured.
        filtered_recall: the same under a filter that keeps one row in a hundred.
        measured_rows: how many rows it held when it was measured.
    """

    version: str
    rows: int
    unindexed: int
    partitions: int
    recall: float | None = None
    filtered_recall: float | None = None
    measured_rows: int | None = None

    @property
    def usable(self) -> bool:
        """Whether it was measured and finds enough."""
        return min(self.recall or 0.0, self.filtered_recall or 0.0) >= LEAST_RECALL

    def plan(self, filtered: bool) -> Plan:
        """How to ask it: under a filter every partition is looked into, so that always k rows are found."""
        return Plan(self.partitions, PARTITION, filtered)


@dataclass(frozen=True)
class Searched:
    """How a space is searched now.

    Attributes:
        space: its name.
        rows: how many vectors it holds.
        index: its index, used or not; None where there is none.
    """

    space: str
    rows: int
    index: Index | None

    @property
    def exact(self) -> bool:
        """Whether every vector that passes the filters is compared."""
        return self.index is None or not self.index.usable

    @property
    def said(self) -> str:
        """The same as one line."""
        index, every = self.index, f"{self.space}: exact over {self.rows:,} vectors"
        if index is None:
            return every if self.rows < INDEXED_FROM else f"{every}; python -m flows maintain makes an index"
        name = f"index {index.version[:8]}"
        if index.recall is None or index.filtered_recall is None:
            return f"{every}; {name} was not measured and is not used"
        recall = f"recall@10 {index.recall:.3f}, {index.filtered_recall:.3f} under a filter of 1 %"
        if not index.usable:
            return f"{every}; {name} finds too little ({recall}) and is not used"
        later = f", {index.unindexed:,} later ones compared exactly" if index.unindexed else ""
        return f"{self.space}: {name} over {index.rows:,} vectors{later}; {recall}"


def index_of(table: Any) -> Index | None:
    """The index of a Lance table, with what was measured of this very version."""
    found = next((one for one in table.list_indices() if list(one.columns) == ["vector"]), None)
    if found is None:
        return None
    measured = _measured(table)
    if measured.get("version") != found.index_uuid:
        measured = {"partitions": max(1, found.num_indexed_rows // PARTITION)}
    return Index(
        found.index_uuid,
        found.num_indexed_rows,
        found.num_unindexed_rows,
        measured["partitions"],
        measured.get("recall"),
        measured.get("filtered_recall"),
        measured.get("measured_rows"),
    )


def keep_indexed(table: Any) -> Index | None:
    """Build, extend or rebuild the index of a Lance table as its size asks, and measure what changed.

    The caller holds the lake's writer lock.

    Returns:
        The index, None for a table of fewer than :data:`INDEXED_FROM` rows.
    """
    rows = table.count_rows()
    if rows < INDEXED_FROM:
        return None
    there = index_of(table)
    if there is None or rows > 2 * there.partitions * PARTITION:
        _build(table, rows)
    elif there.unindexed:
        table.optimize()
    elif there.measured_rows == there.rows:
        return there
    return measure(table)


def measure(table: Any) -> Index:
    """Compare the index with exact search, put the recall on record, and return the index as it then is.

    Raises:
        InvalidInput: a table without an index.
    """
    there = index_of(table)
    if there is None:
        raise InvalidInput("index", "a space with one", None, "it is too small, or maintenance has not run")
    trial = Trial(table)
    measured = replace(
        there,
        recall=trial.recall(there.plan(filtered=False), filtered=False),
        filtered_recall=trial.recall(there.plan(filtered=True), filtered=True),
        measured_rows=there.rows,
    )
    table.update_field_metadata({"path": "vector", "metadata": {_KEY: json.dumps(asdict(measured))}})
    return measured


def _measured(table: Any) -> dict[str, Any]:
    said = (table.schema.field("vector").metadata or {}).get(_KEY.encode())
    found: dict[str, Any] = {} if said is None else json.loads(said)
    return found


def _build(table: Any, rows: int) -> None:
    import lancedb.index as kinds

    there = {column for one in table.list_indices() for column in one.columns}
    for column, kind in _SCALARS.items():
        if column not in there:
            table.create_index(column, config=getattr(kinds, kind)())
    parts = max(1, rows // PARTITION)
    metric: Any = metric_of(table)
    config: kinds.IvfRq | kinds.IvfSq = (
        kinds.IvfSq(distance_type=metric, num_partitions=parts)
        if dim_of(table) % _WHOLE
        else kinds.IvfRq(distance_type=metric, num_partitions=parts, num_bits=_BITS)
    )
    table.create_index("vector", config=config, replace=True)

"""Questions to a Lance table: filters as clauses, and the exact nearest rows."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from sonolake.errors import InvalidInput
from sonolake.lake.vector_rows import FILTERS, NEEDED, WINDOW

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

COLUMNS = (*NEEDED, *WINDOW, *FILTERS)
"""Every column of a space but ``vector``."""

_CHUNK = 10_000
"""How many ids one filter carries: parsing 20,000 takes Lance about a third of a second."""


@dataclass(frozen=True)
class Plan:
    """How to ask an index.

    Args:
        partitions: how many parts its vectors are in.
        partition_rows: about how many rows are in each.
        every: whether to look into all of them.
    """

    partitions: int
    partition_rows: int
    every: bool

    def probes(self, limit: int) -> int:
        """How many partitions are looked into for ``limit`` rows."""
        if self.every:
            return self.partitions
        wide = math.ceil(_SPARE * limit * self.refine(limit) / self.partition_rows)
        return min(self.partitions, max(_PROBES, wide))

    def refine(self, limit: int) -> int:
        """How many times ``limit`` candidates are compared by their whole vectors."""
        return _REFINE if limit <= _SHORT_LIST else _REFINE_LONG


_PROBES, _SPARE = 20, 4
_REFINE, _REFINE_LONG, _SHORT_LIST = 5, 2, 200


def metric_of(table: Any) -> str:
    """The table's metric, ``cosine`` or ``dot``."""
    return str(table.schema.metadata[b"metric"].decode())


def dim_of(table: Any) -> int:
    """How many numbers a vector of the table has."""
    return int(table.schema.field("vector").type.list_size)


def checked_query(vector: Any, space: str, dim: int) -> npt.NDArray[np.float32]:
    """``vector`` as float32 ``(dim,)``.

    Raises:
        InvalidInput: another shape, or numbers that are not finite.
    """
    import numpy as np

    query: npt.NDArray[np.float32] = np.asarray(vector, dtype=np.float32)
    if query.shape != (dim,):
        cause = "the vector of another model"
        raise InvalidInput("query vector", f"shape ({dim},), as in {space!r}", query.shape, cause)
    if not np.isfinite(query).all():
        raise InvalidInput("query vector", "finite numbers", "NaN or infinity")
    return query


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def made_by(weights_sha256: str | None) -> str | None:
    """The clause that keeps vectors of the model with these weights; None for any."""
    return None if weights_sha256 is None else f"weights_sha256 = {_quoted(weights_sha256)}"


def clauses(where: str | None, ids: Collection[str] | None, column: str = "asset_id") -> Iterator[str | None]:
    """The filter as one clause, or as several that share out the ids."""
    if ids is None:
        yield where
        return
    ordered = sorted(set(ids))
    for start in range(0, len(ordered), _CHUNK):
        among = ", ".join(map(_quoted, ordered[start : start + _CHUNK]))
        yield f"{column} IN ({among})" + (f" AND ({where})" if where else "")


def nearest(
    table: Any, query: npt.NDArray[np.float32], k: int, where: str | None, plan: Plan | None = None
) -> pa.Table:
    """At least the ``k`` nearest; one more than asked, and more while the last ones are equally near.

    Without a plan for the index every row is compared.
    """
    limit = k + 1
    while True:
        found = _ask(table, query, limit, where, plan)
        distances = found["_distance"]
        if found.num_rows < limit or distances[k - 1] != distances[limit - 1]:
            return found.rename_columns([*found.column_names[:-1], "distance"])
        limit *= 2


def read_batches(table: Any, columns: tuple[str, ...], where: str | None) -> Iterator[pa.RecordBatch]:
    """The ``columns`` of the rows that pass ``where``, in batches.

    Raises:
        InvalidInput: a ``where`` that Lance refuses.
    """
    query = table.search().select(list(columns)).limit(None)
    try:
        yield from (query if where is None else query.where(where)).to_batches()
    except ValueError as error:
        raise _bad_where(where, error) from None


def _ask(
    table: Any, query: npt.NDArray[np.float32], limit: int, where: str | None, plan: Plan | None
) -> pa.Table:
    search = table.search(query, vector_column_name="vector").distance_type(metric_of(table))
    if plan is None:
        search = search.bypass_vector_index()
    else:
        search = search.nprobes(plan.probes(limit)).refine_factor(plan.refine(limit))
    search = search.select([*COLUMNS, "_distance"]).limit(limit)
    if where is not None:
        search = search.where(where, prefilter=True)
    try:
        return search.to_arrow()
    except ValueError as error:
        raise _bad_where(where, error) from None


def _bad_where(where: str | None, error: ValueError) -> InvalidInput:
    return InvalidInput("where", f"SQL over the columns {', '.join(COLUMNS)}", where, str(error))

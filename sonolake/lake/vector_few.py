"""Filters that are asked again: the few rows that pass one, kept in memory and compared exactly.

Under a filter Lance asks of every code in the partitions whether its row passes. Over a million rows that is most of
the time of a search, and to look into fewer partitions loses recall: what is nearest among one row in a hundred may
lie in any of them (of 244, a look into 120 finds 93 %). To read the rows that pass takes several times as long, but
is needed once. So the first search under a filter goes through the index, the second reads the rows, if they are few,
and from then on they are compared in memory, in a tenth of the time.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from sonolake.lake.vector_query import COLUMNS, dim_of, metric_of, read_batches

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

FEW_ROWS = 20_000
"""So many rows may be kept for one filter."""
FEW_BYTES = 128 * 1024 * 1024
"""So many bytes of vectors for all filters together."""
PATIENCE = 100
"""What was not asked for in so many searches makes room for others; what was, stays."""
_REMEMBERED = 1_000
"""Filters that are known to have been asked."""
_NEAR = 1e-4
"""Distances that differ by less are worked out anew, each row by itself: products of matrices round by place."""


@dataclass(frozen=True)
class Few:
    """The rows that pass a filter: their columns, and their vectors ``(rows, dim)``, of length one under cosine."""

    rows: pa.Table
    vectors: npt.NDArray[np.float32]
    metric: str

    def nearest(self, query: npt.NDArray[np.float32], k: int) -> pa.Table:
        """The ``k`` nearest, and all that are as near as the last of them, with their ``distance``."""
        import numpy as np

        direction = query / np.linalg.norm(query) if self.metric == "cosine" else query
        distances = 1 - self.vectors @ direction
        limit = np.partition(distances, k - 1)[k - 1] if k < len(distances) else np.inf
        near = np.flatnonzero(distances <= limit + _NEAR * max(1.0, abs(limit)))
        products = np.einsum("ij,j->i", self.vectors[near].astype(np.float64), direction.astype(np.float64))
        exact = (1 - products).astype(np.float32)
        order = np.argsort(exact, kind="stable")
        last = exact[order[min(k, len(order)) - 1]] if len(order) else 0.0
        kept = order[exact[order] <= last]
        return self.rows.take(pa.array(near[kept])).append_column("distance", pa.array(exact[kept]))


@dataclass
class _Asked:
    """A filter that was asked of a version: when last, how many rows pass, and the rows, once they were read."""

    version: int
    last: int
    count: int | None = None
    few: Few | None = None


class Filters:
    """The filters that were asked of the spaces of a store."""

    def __init__(self) -> None:
        self._asked: OrderedDict[tuple[str, bytes], _Asked] = OrderedDict()
        self._searches = 0

    def few(self, space: str, table: Any, where: str) -> Few | None:
        """The rows of a Lance table that pass ``where``.

        None the first time that this version is asked, for many rows, and where others are kept that are in use.

        Raises:
            InvalidInput: a ``where`` that Lance refuses.
        """
        self._searches += 1
        key, version = (space, hashlib.sha256(where.encode()).digest()), int(table.version)
        asked = self._asked.pop(key, None)
        if asked is None or asked.version != version:
            asked = _Asked(version, self._searches)
        elif asked.few is None:
            asked.count = _count(table, where) if asked.count is None else asked.count
            if asked.count <= FEW_ROWS and self._has_room(asked.count * dim_of(table) * 4):
                asked.few = _read(table, where)
        asked.last = self._searches
        self._asked[key] = asked
        if len(self._asked) > _REMEMBERED:
            self._asked.popitem(last=False)
        return asked.few

    def _has_room(self, size: int) -> bool:
        """Whether so many bytes fit beside what is in use; what is not goes."""
        kept = [one for one in self._asked.values() if one.few is not None]
        used = [one for one in kept if self._searches - one.last <= PATIENCE]
        if size + sum(one.few.vectors.nbytes for one in used if one.few) > FEW_BYTES:
            return False
        for one in kept:
            one.few = one.few if one in used else None
        return True


def _count(table: Any, where: str) -> int:
    """How many rows pass, as far as it matters."""
    count = 0
    for batch in read_batches(table, ("vector_id",), where):
        count += len(batch)
        if count > FEW_ROWS:
            break
    return count


def _read(table: Any, where: str) -> Few:
    import numpy as np

    rows = pa.Table.from_batches(
        read_batches(table, (*COLUMNS, "vector"), where),
        pa.schema([table.schema.field(name) for name in (*COLUMNS, "vector")]),
    )
    flat = rows["vector"].combine_chunks().flatten()
    vectors = np.asarray(flat, dtype=np.float32).reshape(len(rows), dim_of(table))
    rows = rows.drop_columns(["vector"])
    if metric_of(table) == "cosine":
        lengths = np.linalg.norm(vectors, axis=1)
        rows, vectors, lengths = (
            rows.filter(pa.array(lengths > 0)),
            vectors[lengths > 0],
            lengths[lengths > 0],
        )
        vectors = vectors / lengths[:, None]
    return Few(rows, vectors, metric_of(table))

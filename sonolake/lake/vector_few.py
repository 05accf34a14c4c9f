"""Filters that are asked again: the few rows that pass one, kept in memory and compared exactly.

Under a filter Lance asks of every code in the partitions whether its row passes. Over a million rows that is most of
the time of a search, and to look into fewer partitions loses recall: what is nearest among one row in a hundred may
lie in any of them (of 244, a look into 120 finds 93 %). To read the rows that pass takes several times as long, but
is needed once. So the first search under a filter goes through the index, the second reads the rows, if they are few,
and from then on they are compared in memory, in a tenth of the time.
"""

from __future__ import annotations

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
"""So many bytes of vectors for all filters together; what was asked longest ago goes first."""
_REMEMBERED = 256
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


@dataclass(frozen=True)
class _Asked:
    """That a filter was asked of a version; the rows that pass, once they were read, unless they are too many."""

    version: int
    few: Few | None = None
    many: bool = False


class Filters:
    """The filters that were asked of the spaces of a store."""

    def __init__(self) -> None:
        self._asked: OrderedDict[tuple[str, str], _Asked] = OrderedDict()

    def few(self, space: str, table: Any, where: str) -> Few | None:
        """The rows of a Lance table that pass ``where``; None the first time that this version is asked, and for many.

        Raises:
            InvalidInput: a ``where`` that Lance refuses.
        """
        key, version = (space, where), int(table.version)
        known = self._asked.pop(key, None)
        if known is None or known.version != version:
            found = _Asked(version)
        elif known.few is None and not known.many:
            few = _read(table, where)
            found = _Asked(version, few, few is None)
        else:
            found = known
        self._remember(key, found)
        return found.few

    def _remember(self, key: tuple[str, str], asked: _Asked) -> None:
        self._asked[key] = asked
        sizes = [one.few.vectors.nbytes if one.few else 0 for one in self._asked.values()]
        while sum(sizes) > FEW_BYTES or len(sizes) > _REMEMBERED:
            self._asked.popitem(last=False)
            sizes.pop(0)


def _read(table: Any, where: str) -> Few | None:
    import numpy as np

    count = 0
    for batch in read_batches(table, ("vector_id",), where):
        count += len(batch)
        if count > FEW_ROWS or count * dim_of(table) * 4 > FEW_BYTES:
            return None
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

"""A trial of an index: queries and a filter drawn from a table itself, and what exact search answers to them."""

from __future__ import annotations

import heapq
import zlib
from typing import TYPE_CHECKING, Any

from sonolake.lake.vector_query import Plan, clauses, dim_of, metric_of, nearest, read_batches

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

K = 10
QUERIES, FILTERED_QUERIES = 100, 25
FILTER_SHARE, MOST_FILTERED = 0.01, 10_000
_TIED = 1e-5
"""Distances that differ by less are equally near: Lance and numpy add in another order."""


class Trial:
    """Stored vectors as queries, and one row in a hundred as what a filter keeps; both chosen by the rows' ids.

    Args:
        table: a Lance table of a vector space.
    """

    def __init__(self, table: Any) -> None:
        import numpy as np

        self._table = table
        kept = min(MOST_FILTERED, 1 + int(table.count_rows() * FILTER_SHARE))
        self._kept = set(_chosen(table, "kept", kept))
        queries = _read(table, _chosen(table, "asking", QUERIES))
        self._queries = queries[np.linalg.norm(queries, axis=1) > 0]
        self._limits = self._exact()

    def recall(self, plan: Plan, filtered: bool) -> float:
        """The share of the ten nearest that a search by ``plan`` finds, 0 to 1, with the filter or without."""
        (clause,) = clauses(None, self._kept if filtered else None, "vector_id")
        queries = self._queries[:FILTERED_QUERIES] if filtered else self._queries
        found = 0
        for query, limit in zip(queries, self._limits[filtered], strict=False):
            distances = nearest(self._table, query, K, clause, plan)["distance"].to_numpy()[:K]
            found += int((distances <= limit + _TIED * max(1.0, abs(limit))).sum())
        return found / (K * len(queries)) if len(queries) else 1.0

    def _exact(self) -> dict[bool, list[float]]:
        """The distance of each query's tenth nearest row, of all and of those the filter keeps."""
        import numpy as np

        cosine = metric_of(self._table) == "cosine"
        queries = _directions(self._queries) if cosine else self._queries
        best = {filtered: np.full((len(queries), K), np.inf, np.float32) for filtered in (False, True)}
        for batch in read_batches(self._table, ("vector_id", "vector"), None):
            vectors = np.asarray(batch["vector"].flatten()).reshape(len(batch), -1)
            distances = 1 - queries @ (_directions(vectors) if cosine else vectors).T
            kept = [one in self._kept for one in batch["vector_id"].to_pylist()]
            for filtered, columns in ((False, distances), (True, distances[:, kept])):
                near = np.concatenate([best[filtered], columns], axis=1)
                best[filtered] = np.partition(near, K - 1, axis=1)[:, :K]
        return {filtered: near.max(axis=1).tolist() for filtered, near in best.items()}


def _directions(vectors: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Unit vectors; of zeros, NaN, which is nearer than nothing."""
    import numpy as np

    with np.errstate(invalid="ignore"):
        units: npt.NDArray[np.float32] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return units


def _read(table: Any, ids: list[str]) -> npt.NDArray[np.float32]:
    import numpy as np

    (clause,) = clauses(None, ids, "vector_id")
    batches = [batch["vector"].flatten() for batch in read_batches(table, ("vector",), clause)]
    return np.concatenate([np.asarray(batch) for batch in batches]).reshape(-1, dim_of(table))


def _chosen(table: Any, salt: str, count: int) -> list[str]:
    """The ids with the smallest checksums: a choice that does not depend on the order of the rows."""
    ids = (
        one for batch in read_batches(table, ("vector_id",), None) for one in batch["vector_id"].to_pylist()
    )
    return heapq.nsmallest(count, ids, key=lambda one: (zlib.crc32(f"{salt}:{one}".encode()), one))

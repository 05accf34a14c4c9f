"""One query's ranked list of assets.

A query of one vector, such as a sentence's, ranks assets by their nearest window. A query of several, the windows
of a sound, ranks them by the mean, over the query's windows, of the distance to the asset's window that is nearest
to each: the sum of maximal similarities of Khattab and Zaharia (ColBERT, SIGIR 2020). So a sound is at distance
zero from itself. Both are exact where the space has no index; with one, the second compares the assets that the first
finds for any of its windows.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from sonolake.lake.vectors import VectorStore
from sonolake.search.fusion import Window

Matrix = npt.NDArray[np.float32]

_WINDOWS_AN_ASSET = 4
"""First guess of how many windows of one asset crowd the top of a list."""


@dataclass(frozen=True)
class Scope:
    """Which vectors may be found.

    Args:
        space: the space.
        allowed: ids of assets, or what says which of some ids are allowed; vectors without an asset are never found.
        prefilter: whether to hand ``allowed`` to the vector search, which pays when it is ids of few of all assets.
        weights_sha256: only vectors made by the model with these weights; any when None.
    """

    space: str
    allowed: Collection[str] | Callable[[Collection[str]], set[str]]
    prefilter: bool
    weights_sha256: str | None = None

    @property
    def where(self) -> str | None:
        """The condition on the space's columns."""
        return None if self.weights_sha256 is None else f"weights_sha256 = '{self.weights_sha256}'"

    @property
    def ids(self) -> Collection[str] | None:
        """The assets to hand to the vector search."""
        return self.allowed if self.prefilter and not callable(self.allowed) else None

    def among(self, ids: Collection[str]) -> set[str]:
        """Those of ``ids`` that may be found."""
        return self.allowed(ids) if callable(self.allowed) else set(ids).intersection(self.allowed)


def rank_assets(vectors: VectorStore, scope: Scope, queries: Matrix, depth: int) -> list[Window]:
    """The ``depth`` nearest assets, nearest first, equals by id.

    Args:
        vectors: the lake's spaces.
        scope: which vectors may be found.
        queries: the query, ``(n, dim)``.
        depth: at most how many assets.

    Returns:
        Each asset's window that is nearest to any of the queries, with the asset's distance.
    """
    if len(queries) == 1:
        return _by_nearest_window(vectors, scope, queries[0], depth)
    return _by_every_window(vectors, _narrowed(vectors, scope, queries, depth), queries)[:depth]


def _narrowed(vectors: VectorStore, scope: Scope, queries: Matrix, depth: int) -> Scope:
    """Where an index is used, only assets that are among the nearest of some query are compared window by window."""
    if vectors.searched(scope.space).exact:
        return scope
    near = {
        window.asset_id
        for query in (_directions(queries) if vectors.metric(scope.space) == "cosine" else queries)
        for window in _by_nearest_window(vectors, scope, query, depth)
    }
    return replace(scope, allowed=near, prefilter=True)


def _by_nearest_window(vectors: VectorStore, scope: Scope, query: Matrix, depth: int) -> list[Window]:
    limit = depth * _WINDOWS_AN_ASSET
    while True:
        rows = vectors.search(scope.space, query, limit, where=scope.where, ids=scope.ids)
        allowed = scope.among(rows["asset_id"].to_pylist())
        best: dict[str, Window] = {}
        for row in rows.to_pylist():
            if row["asset_id"] in allowed and row["asset_id"] not in best:
                best[row["asset_id"]] = _window(row, row["distance"])
        if len(best) >= depth or rows.num_rows < limit:
            return list(best.values())[:depth]
        limit *= 4


def _by_every_window(vectors: VectorStore, scope: Scope, queries: Matrix) -> list[Window]:
    metric = vectors.metric(scope.space)
    queries = _directions(queries) if metric == "cosine" else queries
    if not len(queries):
        return []
    allowed = scope.among(vectors.ids(scope.space, scope.weights_sha256))
    nearest: dict[str, _Nearest] = {}
    columns = ("asset_id", "start_s", "end_s", "vector")
    for batch in vectors.scan(scope.space, columns, scope.where, scope.ids):
        there = np.asarray(batch["vector"].flatten()).reshape(len(batch), -1)
        distances = _distances(queries, there, metric)
        rows = batch.select(columns[:3]).to_pylist()
        for asset_id, places in _places(batch["asset_id"].to_pylist()).items():
            if asset_id in allowed:
                known = nearest.setdefault(asset_id, _Nearest(len(queries)))
                known.add(distances[:, places], [rows[place] for place in places])
    ranked = sorted((round(one.mean, 6), asset_id) for asset_id, one in nearest.items() if one.mean < np.inf)
    return [_window(nearest[asset_id].row, distance) for distance, asset_id in ranked]


class _Nearest:
    """What is known of one asset: the least distance to each query vector, and the row of the least of all."""

    def __init__(self, queries: int) -> None:
        self._least = np.full(queries, np.inf)
        self._best = (np.inf, np.inf)
        self.row: dict[str, Any] = {}

    @property
    def mean(self) -> float:
        return float(self._least.mean())

    def add(self, distances: npt.NDArray[np.float64], rows: list[dict[str, Any]]) -> None:
        """Take in ``distances`` (queries, rows); of equally near rows the earliest is kept."""
        self._least = np.minimum(self._least, distances.min(axis=1))
        for distance, row in zip(distances.min(axis=0), rows, strict=True):
            place = (round(float(distance), 6), row["start_s"] or 0.0)
            if place < self._best:
                self._best, self.row = place, row


def _directions(vectors: Matrix) -> Matrix:
    """Unit vectors; those without a direction are left out."""
    lengths = np.linalg.norm(vectors, axis=1)
    return np.asarray(vectors[lengths > 0] / lengths[lengths > 0, None], dtype=np.float32)


def _distances(queries: Matrix, there: Matrix, metric: str) -> npt.NDArray[np.float64]:
    """Distances ``(queries, rows)``; infinite to a row that has no direction."""
    products = (queries @ there.T).astype(np.float64)
    if metric == "dot":
        return 1.0 - products
    lengths = np.linalg.norm(there, axis=1)
    return np.where(lengths > 0, 1.0 - products / np.where(lengths > 0, lengths, 1.0), np.inf)


def _places(asset_ids: list[str]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for place, asset_id in enumerate(asset_ids):
        places.setdefault(asset_id, []).append(place)
    return places


def _window(row: dict[str, Any], distance: float) -> Window:
    return Window(row["asset_id"], distance, row["start_s"], row["end_s"])

"""Vectors beside the tables: one Lance table a space, searched exactly.

A space holds the vectors of one model, such as ``yamnet`` (sound), ``labels`` (log class probabilities for the
label bridge) or ``text`` (sentences); its dimension and its metric are fixed when it is first written. Search
compares the query with every vector that passes the filters, so that its answers are exact; a space of more than
50,000 rows has an index once maintenance has run, which is used while its measured recall is good enough.

Who writes holds the lake's file lock (``lake.writing()``): two concurrent merges could both insert one id. Reads
need no lock. Nothing stored knows where the lake is.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from sonolake.errors import InvalidInput, NotFound
from sonolake.lake.storage import Storage
from sonolake.lake.storages import storage_at
from sonolake.lake.vector_damage import readable
from sonolake.lake.vector_few import Few, Filters
from sonolake.lake.vector_index import Index, Searched, index_of, keep_indexed
from sonolake.lake.vector_query import (
    checked_query,
    clauses,
    dim_of,
    made_by,
    metric_of,
    nearest,
    read_batches,
)
from sonolake.lake.vector_rows import changed_rows, checked_rows, matrix_of, schema_of
from sonolake.lake.vector_versions import clean, erase, holds, pin

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

METRICS = ("cosine", "dot")
"""Cosine distance ``1 - cos`` for directions; ``1 - dot`` for weights against scores. Smaller is nearer."""

_DOT_SPACES = ("labels",)
_NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")


class VectorStore:
    """The vector spaces of a lake.

    Args:
        storage: the lake's room ``vectors``, or its folder; made by the first write.
    """

    def __init__(self, storage: Storage | Path) -> None:
        self.storage = storage_at(storage) if isinstance(storage, Path) else storage
        self._opened: dict[str, Any] = {}
        self._options: dict[str, str] = {}
        self._filters = Filters()

    def spaces(self) -> list[str]:
        """Names of the spaces that were written, sorted; a folder that a killed writer left without one is none."""
        there = (name.removesuffix(".lance") for name in self.storage.folders() if name.endswith(".lance"))
        return [space for space in there if self._is_written(space)]

    def _is_written(self, space: str) -> bool:
        versions = self.storage.entries(f"{space}.lance/_versions")
        return any(entry.path.endswith(".manifest") for entry in versions)

    def metric(self, space: str) -> str:
        """``cosine`` or ``dot``.

        Raises:
            NotFound: no such space.
        """
        return metric_of(self._table(space))

    def dim(self, space: str) -> int:
        """How many numbers a vector of the space has.

        Raises:
            NotFound: no such space.
        """
        return dim_of(self._table(space))

    def write(self, space: str, rows: pa.Table, metric: str | None = None) -> int:
        """Writes ``rows``, one a ``vector_id``: new ones are added, changed ones replaced, equal ones left alone.

        The caller holds the lake's file lock.

        Args:
            space: the space's name; letters, digits, ``_``, ``-`` and ``.``.
            rows: ``vector_id``, ``asset_id``, ``model``, ``weights_sha256`` and ``vector``; optional ``window``,
                ``start_s``, ``end_s`` and the filter columns of :data:`sonolake.lake.vector_rows.FILTERS`.
            metric: of a space that is not there yet; ``dot`` for ``labels`` and ``cosine`` else when left out.

        Returns:
            How many rows were added or replaced.

        Raises:
            InvalidInput: rows as :func:`sonolake.lake.vector_rows.checked_rows` refuses them, a bad name, or a
                metric other than the space has.
        """
        if not rows.num_rows:
            return 0
        if self._is_written(space):
            table = self._table(space)
            if metric not in (None, metric_of(table)):
                raise InvalidInput(
                    f"metric of {space!r}", metric_of(table), metric, "it is fixed by the first write"
                )
            checked = checked_rows(rows, space, table.schema)
        else:
            chosen = metric or ("dot" if space in _DOT_SPACES else "cosine")
            schema = schema_of(matrix_of(rows).shape[1], _checked_metric(chosen))
            checked = checked_rows(rows, space, schema)
            table = self._create(space, schema)
        changed = changed_rows(checked, self.read(space, checked["vector_id"].to_pylist(), by="vector_id"))
        if changed.num_rows:
            merge = table.merge_insert("vector_id").when_matched_update_all().when_not_matched_insert_all()
            merge.execute(changed)
        return int(changed.num_rows)

    def search(
        self,
        space: str,
        vector: Sequence[float] | npt.NDArray[np.floating[Any]],
        k: int,
        where: str | None = None,
        ids: Collection[str] | None = None,
        exact: bool = False,
    ) -> pa.Table:
        """The ``k`` nearest rows among those that pass the filters, nearest first, equals by ``vector_id``.

        Vectors of zeros have no direction: under cosine they are never found.

        Args:
            space: the space's name.
            vector: the query, as many numbers as the space has.
            k: at most how many rows.
            where: SQL over the space's columns, applied before the search.
            ids: asset ids to search among, applied before the search; all when None.
            exact: compare every row, although there is an index that could be used.

        Returns:
            The space's columns without ``vector``, and ``distance`` (float32; see :data:`METRICS`).

        Raises:
            NotFound: no such space.
            InvalidInput: a query of another dimension or with NaN, ``k`` below 1, or a ``where`` that Lance refuses.
        """
        table = self._table(space)
        query = checked_query(vector, space, dim_of(table))
        if k < 1:
            raise InvalidInput("k", "a whole number from 1", k)
        index = None if exact else index_of(table)
        filtered = where is not None or ids is not None
        plan = index.plan(filtered) if index is not None and index.usable else None
        with readable(self._uri(space)):
            asked = list(clauses(where, ids))
            few = self._few(space, table, asked) if plan is not None and query.any() else None
            found = [few.nearest(query, k)] if few else [nearest(table, query, k, one, plan) for one in asked]
            merged = pa.concat_tables(found) if found else nearest(table, query, 1, "false")
        return merged.sort_by([("distance", "ascending"), ("vector_id", "ascending")]).slice(0, k)

    def _few(self, space: str, table: Any, asked: Sequence[str | None]) -> Few | None:
        """The rows that pass, where one filter is asked again and they are few."""
        (where, *more) = asked or (None,)
        return None if where is None or more else self._filters.few(space, table, where)

    def read(self, space: str, ids: Collection[str], by: str = "asset_id") -> pa.Table:
        """The rows, vectors included, whose column ``by`` (``asset_id`` or ``vector_id``) is among ``ids``."""
        table = self._table(space)
        with readable(self._uri(space)):
            parts = [table.search().where(clause).limit(None).to_arrow() for clause in clauses(None, ids, by)]
        return pa.concat_tables([table.schema.empty_table(), *parts]).sort_by("vector_id")

    def scan(
        self,
        space: str,
        columns: Sequence[str],
        where: str | None = None,
        ids: Collection[str] | None = None,
    ) -> Iterator[pa.RecordBatch]:
        """The named ``columns`` of the rows that pass the filters of :meth:`search`, in batches of a few MB.

        Raises:
            NotFound: no such space.
            InvalidInput: a ``where`` that Lance refuses.
        """
        table = self._table(space)
        with readable(self._uri(space)):
            for clause in clauses(where, ids):
                yield from read_batches(table, tuple(columns), clause)

    def count(self, space: str, weights_sha256: str | None = None) -> int:
        """How many rows the space has, made by the model with these weights when given; 0 without a space."""
        if not self._is_written(space):
            return 0
        with readable(self._uri(space)):
            return int(self._table(space).count_rows(made_by(weights_sha256)))

    def ids(self, space: str, weights_sha256: str | None = None) -> set[str]:
        """The assets that have a vector, made by the model with these weights when given; empty without a space."""
        if not self._is_written(space):
            return set()
        batches = self.scan(space, ["asset_id"], made_by(weights_sha256))
        return {one for batch in batches for one in batch["asset_id"].to_pylist()}

    def delete(self, space: str, asset_ids: Collection[str]) -> int:
        """Deletes every row of these assets and says how many there were. The caller holds the lake's file lock."""
        before = self.count(space)
        if before:
            table = self._table(space)
            for clause in clauses(None, asset_ids):
                table.delete(clause)
        return before - self.count(space)

    def drop_orphans(self, space: str, keep_ids: Collection[str]) -> int:
        """Deletes the rows of assets that are not among ``keep_ids``; the caller holds the lake's file lock.

        Returns:
            How many rows were deleted.
        """
        return self.delete(space, sorted(self.ids(space) - set(keep_ids)))

    def erase(self, space: str, asset_ids: Collection[str]) -> int:
        """Write the space anew without the rows of these assets, and delete every earlier version, pinned or not.

        A space none of whose versions has such a row is left as it is. The caller holds the lake's writer lock.

        Returns:
            How many rows went.
        """
        if not self.holds(space, asset_ids):
            return 0
        table = self._table(space)
        self._opened.pop(space, None)
        with readable(self._uri(space)):
            return erase(self._connect(), table, space, [*filter(None, clauses(None, asset_ids))])

    def holds(self, space: str, asset_ids: Collection[str]) -> bool:
        """Whether any version of the space that is kept has a row of these assets."""
        with readable(self._uri(space)):
            return holds(self._table(space), [*filter(None, clauses(None, asset_ids))])

    def index(self, space: str) -> Index | None:
        """The index of a space and what was measured of it; None without one.

        Raises:
            NotFound: no such space.
        """
        return index_of(self._table(space))

    def searched(self, space: str) -> Searched:
        """How the space is searched now: exactly, or by which index with what recall.

        Raises:
            NotFound: no such space.
        """
        table = self._table(space)
        return Searched(space, int(table.count_rows()), index_of(table))

    def keep_indexed(self, space: str) -> Index | None:
        """Build, extend or measure the index as the space's size asks; the caller holds the lake's writer lock."""
        return keep_indexed(self._table(space))

    def versions(self, space: str) -> int:
        """How many versions of the space are kept."""
        return len(self._table(space).list_versions())

    def pin(self, space: str, pins: Mapping[str, datetime]) -> None:
        """Keep the versions that were the newest ones at these times; see :func:`sonolake.lake.vector_versions.pin`."""
        pin(self._table(space), pins)

    def clean(self, space: str, older_than: timedelta) -> bool:
        """Delete old versions that nothing pins; see :func:`sonolake.lake.vector_versions.clean`."""
        return clean(self._table(space), self._uri(space), older_than, self.storage.lance_options())

    def compact(self, space: str) -> tuple[int, int]:
        """Joins the fragments that many small writes leave, and says how many there were before and after."""
        table = self._table(space)
        before = _fragments(table)
        table.optimize()
        return before, _fragments(table)

    def _connect(self) -> Any:
        os.environ.setdefault("LANCE_LOG", "error")
        import lancedb

        self._keep_keys()
        return lancedb.connect(self.storage.uri, storage_options=self._options or None)

    def _keep_keys(self) -> None:
        """What was opened with other keys than those of now is opened again."""
        options = self.storage.lance_options()
        if options != self._options:
            self._opened.clear()
            self._options = options

    def _uri(self, space: str) -> str:
        return f"{self.storage.uri}/{space}.lance"

    def _table(self, space: str) -> Any:
        """The Lance table as it is now; kept open, because what Lance has read of an index goes with the handle."""
        if not self._is_written(space):
            there = self.spaces()
            known = f"the lake has {', '.join(there)}" if there else "the lake has none yet"
            raise NotFound(f"no vector space {space!r}: {known} (python -m flows embed fills them)")
        self._keep_keys()
        if space in self._opened:
            with suppress(OSError, RuntimeError, ValueError):
                self._opened[space].checkout_latest()
                return self._opened[space]
        connection = self._connect()
        with readable(self._uri(space)):
            self._opened[space] = connection.open_table(space)
        return self._opened[space]

    def _create(self, space: str, schema: pa.Schema) -> Any:
        if not space or not set(space.replace("_", "").replace("-", "").replace(".", "")).issubset(_NAME):
            raise InvalidInput("space", "letters, digits, '_', '-' and '.'", space)
        connection = self._connect()
        self._opened[space] = connection.create_table(space, schema=schema)
        return self._opened[space]


def _fragments(table: Any) -> int:
    return int(table.stats()["fragment_stats"]["num_fragments"])


def _checked_metric(metric: str) -> str:
    if metric not in METRICS:
        raise InvalidInput("metric", " or ".join(METRICS), metric)
    return metric

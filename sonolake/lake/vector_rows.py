"""Rows of a vector space: their columns, and the checks before they are written.

A row is a window of an asset's sound, or a whole asset's text. Times are seconds from the asset's first sample.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

from sonolake.errors import InvalidInput

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

NEEDED = {
    "vector_id": pa.string(),
    "asset_id": pa.string(),
    "model": pa.string(),
    "weights_sha256": pa.string(),
}
"""Never null: the row's own name, the asset it is of, and the exact model that made it."""

WINDOW = {"window": pa.int32(), "start_s": pa.float64(), "end_s": pa.float64()}
"""Which window, and its start and end in seconds; null for a text."""

FILTERS = {
    name: pa.string() for name in ("kind", "licence", "event", "location", "language", "speaker", "split")
}
"""Copies of columns of ``assets``, as they were when the vector was written, for filters inside Lance."""

_TYPES = {**NEEDED, **WINDOW, **FILTERS}


def vector_id(asset_id: str, window: int | None = None) -> str:
    """The name of a row: the asset's id, with the window's number behind a colon when it is of a window."""
    return asset_id if window is None else f"{asset_id}:{window:05}"


def schema_of(dim: int, metric: str) -> pa.Schema:
    """The Arrow schema of a space of ``dim``-dimensional vectors, with its metric in the metadata."""
    fields = [pa.field(name, kind, nullable=name not in NEEDED) for name, kind in _TYPES.items()]
    fields.append(pa.field("vector", pa.list_(pa.float32(), dim), nullable=False))
    return pa.schema(fields, metadata={"metric": metric})


def matrix_of(rows: pa.Table) -> npt.NDArray[np.float32]:
    """The ``vector`` column as ``(rows, dim)`` float32.

    Raises:
        InvalidInput: no such column, no row, or vectors that are null or of unequal length.
    """
    import numpy as np
    import pyarrow.compute as pc

    if "vector" not in rows.column_names or not rows.num_rows:
        raise InvalidInput("rows", "at least one row with a column 'vector'", rows.column_names)
    vectors = rows["vector"].combine_chunks()
    lengths = sorted(length or 0 for length in pc.list_value_length(vectors).unique().to_pylist())
    if len(lengths) > 1 or not lengths[0]:
        cause = "vectors of two models in one batch, or a null"
        raise InvalidInput("vector", "vectors of one length", lengths, cause)
    flat = vectors.flatten().to_numpy(zero_copy_only=False)
    return np.asarray(flat, dtype=np.float32).reshape(rows.num_rows, lengths[0])


def checked_rows(rows: pa.Table, space: str, schema: pa.Schema) -> pa.Table:
    """``rows`` in the columns and types of ``schema``; what may be null and is missing becomes null.

    Raises:
        InvalidInput: unknown or missing columns, a null where none may be, one ``vector_id`` twice, vectors of
            another dimension, or with a NaN or an infinity.
    """
    _check_columns(rows)
    matrix = matrix_of(rows)
    _check_vectors(matrix, rows, space, schema.field("vector").type.list_size)
    columns = []
    for field in schema:
        if field.name == "vector":
            columns.append(pa.FixedSizeListArray.from_arrays(pa.array(matrix.ravel()), matrix.shape[1]))
        elif field.name in rows.column_names:
            columns.append(_column(rows, field))
        else:
            columns.append(pa.nulls(rows.num_rows, field.type))
    return pa.Table.from_arrays(columns, schema=schema)


def _check_columns(rows: pa.Table) -> None:
    if unknown := sorted(set(rows.column_names) - set(_TYPES) - {"vector"}):
        raise InvalidInput("columns of a vector space", f"among {', '.join([*_TYPES, 'vector'])}", unknown)
    if missing := sorted(set(NEEDED) - set(rows.column_names)):
        raise InvalidInput(
            "columns of a vector space", f"with {', '.join(NEEDED)}", rows.column_names, f"no {missing}"
        )
    for name in NEEDED:
        if rows[name].null_count:
            raise InvalidInput(name, "a text in every row", None)
    ids = rows["vector_id"].to_pylist()
    if len(set(ids)) < len(ids):
        twice = sorted({one for one in ids if ids.count(one) > 1})[:3]
        raise InvalidInput(
            "vector_id", "each once in a batch", twice, "windows numbered from 0 for two assets"
        )


def _check_vectors(matrix: npt.NDArray[np.float32], rows: pa.Table, space: str, dim: int) -> None:
    import numpy as np

    if matrix.shape[1] != dim:
        cause = f"another model than the one that fills the space {space!r}"
        raise InvalidInput("vector", f"{dim} numbers, as in {space!r}", matrix.shape[1], cause)
    bad = np.flatnonzero(~np.isfinite(matrix).all(axis=1))
    if bad.size:
        first = rows["vector_id"][int(bad[0])].as_py()
        cause = "a model fed with NaN, or a logarithm of zero"
        raise InvalidInput(f"vector of {first}", "finite numbers", "NaN or infinity", cause)


def _column(rows: pa.Table, field: pa.Field) -> pa.Array:
    try:
        return rows[field.name].combine_chunks().cast(field.type)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise InvalidInput(
            f"column {field.name}", str(field.type), str(rows[field.name].type), str(error)
        ) from None


def changed_rows(rows: pa.Table, there: pa.Table) -> pa.Table:
    """Of ``rows``, those that are new or differ from the row of the same ``vector_id`` that is ``there``."""
    known = dict(zip(there["vector_id"].to_pylist(), _contents(there), strict=True))
    ids = rows["vector_id"].to_pylist()
    fresh = [known.get(one) != content for one, content in zip(ids, _contents(rows), strict=True)]
    return rows.filter(pa.array(fresh))


def _contents(rows: pa.Table) -> list[tuple[dict[str, Any], bytes]]:
    if not rows.num_rows:
        return []
    others = rows.drop_columns(["vector"]).to_pylist()
    return [(other, vector.tobytes()) for other, vector in zip(others, matrix_of(rows), strict=True)]

"""The schema metadata by which Hugging Face's ``datasets`` knows what a column is, written without the library.

The key ``huggingface`` holds JSON ``{"info": {"features": {column: feature}}}``; a plain column is
``{"dtype": ..., "_type": "Value"}``, audio ``{"sampling_rate": ..., "_type": "Audio"}`` over
``struct<bytes: binary, path: string>``, a list is a JSON array of one feature, a struct an object of features.
"""

from __future__ import annotations

import json
from typing import Any

import pyarrow as pa

from sonolake.errors import InvalidInput

AUDIO_TYPE = pa.struct([pa.field("bytes", pa.binary()), pa.field("path", pa.string())])
_NAMES = {
    pa.string(): "string",
    pa.bool_(): "bool",
    pa.int8(): "int8",
    pa.int16(): "int16",
    pa.int32(): "int32",
    pa.int64(): "int64",
    pa.float32(): "float32",
    pa.float64(): "float64",
    pa.binary(): "binary",
}


def feature_of(kind: pa.DataType, name: str) -> Any:
    """The feature of an Arrow type.

    Raises:
        InvalidInput: for a type that has no feature, naming the column.
    """
    if pa.types.is_struct(kind):
        return {f.name: feature_of(f.type, f"{name}.{f.name}") for f in kind}
    if pa.types.is_list(kind):
        return [feature_of(kind.value_type, name)]
    if kind in _NAMES:
        return {"dtype": _NAMES[kind], "_type": "Value"}
    raise InvalidInput(f"type of column {name}", ", ".join(sorted(_NAMES.values())), str(kind))


def with_features(schema: pa.Schema, audio: str | None, sample_rate: int | None) -> pa.Schema:
    """``schema`` with the metadata; ``audio`` names the audio column, ``sample_rate`` (Hz) is None when it varies."""
    features = {f.name: feature_of(f.type, f.name) for f in schema if f.name != audio}
    if audio is not None:
        features[audio] = {"sampling_rate": sample_rate, "_type": "Audio"}
    ordered = {f.name: features[f.name] for f in schema}
    return schema.with_metadata({"huggingface": json.dumps({"info": {"features": ordered}})})

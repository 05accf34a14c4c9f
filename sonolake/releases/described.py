"""What of a release's content is in no table of it: kept in the schema's metadata of ``items.parquet``, as JSON.

With it a release without some of its items can be made of the release alone, whatever became of the lake. Nothing of
a single item is there: the table stays when items are withheld.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import pyarrow as pa

from sonolake.releases.records import Content, OwnProof
from sonolake.releases.samples import Chart

KEY = b"sonolake"
_TEXTS = ("title", "summary", "notes", "languages", "tags", "creator", "url", "profile")
_OF_CONFIG = ("name", "title", "description", "meanings", "task_categories", "rows_per_shard")


def with_description(items: pa.Table, content: Content) -> pa.Table:
    """``items`` with what describes ``content``; equal bytes for equal content."""
    said = {
        **{name: getattr(content, name) for name in _TEXTS},
        "configs": [{name: getattr(config, name) for name in _OF_CONFIG} for config in content.configs],
        "charts": [asdict(chart) for chart in content.charts],
        "proofs": [asdict(proof) for proof in content.proofs],
    }
    text = json.dumps(said, ensure_ascii=False, sort_keys=True, default=dict)
    return items.replace_schema_metadata({KEY: text.encode()})


def description_in(schema: pa.Schema) -> dict[str, Any] | None:
    """What ``items.parquet`` says of the release; None for one of an earlier version of sonolake."""
    text = (schema.metadata or {}).get(KEY)
    return None if text is None else dict(json.loads(text))


def texts_in(said: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of ``Content`` that are texts, and the charts and proofs."""
    tuples = ("notes", "languages", "tags")
    texts = {name: tuple(said[name]) if name in tuples else said[name] for name in _TEXTS}
    charts = tuple(Chart(**{**chart, "labels": tuple(chart["labels"])}) for chart in said["charts"])
    return {**texts, "charts": charts, "proofs": tuple(OwnProof(**proof) for proof in said["proofs"])}

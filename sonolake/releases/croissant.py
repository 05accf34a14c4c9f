"""``croissant.json``: the release in the words of MLCommons Croissant 1.1.

Every file is a FileObject with its SHA-256; each table is a FileSet over its shards and a RecordSet over that;
splits are a RecordSet of their own, as the specification asks.
"""

from __future__ import annotations

import json
from typing import Any

import pyarrow as pa

from sonolake.releases.croissant_context import CONTEXT
from sonolake.releases.figures.prose import without_marks
from sonolake.releases.layout import SPLITS
from sonolake.releases.licences import licence_urls
from sonolake.releases.records import AUDIO_COLUMN, Config, Content
from sonolake.releases.tables import FileRow

_TYPES = {
    pa.string(): "sc:Text",
    pa.bool_(): "sc:Boolean",
    pa.int32(): "sc:Integer",
    pa.int64(): "sc:Integer",
    pa.float32(): "sc:Float",
    pa.float64(): "sc:Float",
}
_SPLIT_URLS = {
    "train": "cr:TrainingSplit",
    "validation": "cr:ValidationSplit",
    "test": "cr:TestSplit",
}
MADE_WITH = ("code", "voice", "writer", "banks", "tagger", "vad", "aligner", "model", "recogniser")
"""Roles of the lineage whose parents are programs, models or voices, not sounds."""
_FORMATS = {"parquet": "application/x-parquet", "csv": "text/csv", "md": "text/markdown"}


def croissant_json(content: Content, files: list[FileRow]) -> str:
    """The description of ``content`` over ``files`` (with their hashes), as JSON-LD."""
    about: dict[str, Any] = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": ["http://mlcommons.org/croissant/1.1", "http://mlcommons.org/croissant/RAI/1.0"],
        "name": content.name,
        "alternateName": content.title,
        "description": without_marks(content.summary),
        "license": _one_or_all(licence_urls(content.licence)),
        "url": content.url or f"urn:sonolake:{content.name}:{content.version}",
        "creator": {"@type": "sc:Organization", "name": content.creator},
        "publisher": {"@type": "sc:Organization", "name": content.creator},
        "datePublished": content.date,
        "dateModified": content.date,
        "version": content.version,
        "sdVersion": content.version,
        "inLanguage": list(content.languages) or ["zxx"],
        "citeAs": _citation(content),
        "keywords": list(content.tags),
        "isLiveDataset": False,
        **_responsible(content),
        **_provenance(content),
        "distribution": [*(_file_object(f) for f in files), *(_file_set(c) for c in content.configs)],
        "recordSet": [_splits_set(), *(_record_set(c) for c in content.configs)],
    }
    return json.dumps(about, indent=2, ensure_ascii=False) + "\n"


def _one_or_all(values: list[str]) -> str | list[str]:
    return values[0] if len(values) == 1 else values


def _citation(content: Content) -> str:
    key = "".join(c if c.isalnum() else "_" for c in f"{content.name}_{content.version}")
    return (
        f"@misc{{{key}, title = {{{content.title}}}, author = {{{content.creator}}}, "
        f"year = {{{content.date[:4]}}}, version = {{{content.version}}}}}"
    )


def _responsible(content: Content) -> dict[str, Any]:
    return {
        "rai:dataCollection": "Sources are listed with author and licence in ATTRIBUTION.csv; "
        "lineage.parquet says what each item is made from.",
        "rai:dataLimitations": list(content.notes) or ["See the card."],
        "rai:dataReleaseMaintenancePlan": "Versions are immutable; CHANGELOG.md says what each brings.",
    }


def _provenance(content: Content) -> dict[str, Any]:
    derived = sorted({u for u in content.sources["source_url"].to_pylist() if u})
    return {
        "prov:wasDerivedFrom": [{"@id": url} for url in derived],
        "prov:wasGeneratedBy": _generation(content),
        "prov:wasAttributedTo": {"@type": "prov:Organization", "prov:label": content.creator},
    }


def _generation(content: Content) -> dict[str, Any]:
    """How it was made: by what, with which programs, models and voices of the lineage."""
    edges = content.lineage.select(["parent", "role"]).group_by(["parent", "role"]).aggregate([])
    used = sorted(row["parent"] for row in edges.to_pylist() if row["role"] in MADE_WITH)
    return {
        "@type": "prov:Activity",
        "prov:label": f"Making of {content.name} {content.version}",
        "prov:used": [{"@type": "prov:Entity", "prov:label": name} for name in used],
        "prov:wasAssociatedWith": {"@type": "prov:SoftwareAgent", "prov:label": "sonolake"},
    }


def _file_object(file: FileRow) -> dict[str, Any]:
    suffix = file.path.rsplit(".", 1)[-1]
    return {
        "@type": "cr:FileObject",
        "@id": file.path,
        "name": file.path,
        "contentUrl": file.path,
        "contentSize": f"{file.bytes} B",
        "encodingFormat": _FORMATS.get(suffix, "text/plain"),
        "sha256": file.sha256,
    }


def _file_set(config: Config) -> dict[str, Any]:
    return {
        "@type": "cr:FileSet",
        "@id": f"{config.name}-shards",
        "name": f"{config.name}-shards",
        "description": f"The shards of {config.name}.",
        "encodingFormat": _FORMATS["parquet"],
        "includes": f"data/{config.name}/*.parquet",
    }


def _splits_set() -> dict[str, Any]:
    fields = [("splits/name", "name", "sc:Text"), ("splits/url", "url", "sc:URL")]
    return {
        "@type": "cr:RecordSet",
        "@id": "splits",
        "name": "splits",
        "dataType": "cr:Split",
        "key": {"@id": "splits/name"},
        "field": [{"@type": "cr:Field", "@id": i, "name": n, "dataType": t} for i, n, t in fields],
        "data": [{"splits/name": s, "splits/url": _SPLIT_URLS[s]} for s in SPLITS],
    }


def _record_set(config: Config) -> dict[str, Any]:
    described = [f for f in config.schema if f.name == AUDIO_COLUMN or f.type in _TYPES]
    return {
        "@type": "cr:RecordSet",
        "@id": config.name,
        "name": config.name,
        "description": without_marks(config.description),
        "key": {"@id": f"{config.name}/item_id"},
        "field": [_split_field(config), *(_field(config, f) for f in described)],
    }


def _field(config: Config, field: pa.Field) -> dict[str, Any]:
    sound = field.name == AUDIO_COLUMN
    column = "audio" if sound else field.name
    source: dict[str, Any] = {"fileSet": {"@id": f"{config.name}-shards"}, "extract": {"column": column}}
    if sound:
        source["transform"] = {"jsonPath": "bytes"}
    return {
        "@type": "cr:Field",
        "@id": f"{config.name}/{column}",
        "name": column,
        "description": "The sound as a file's bytes." if sound else config.meanings[column],
        "dataType": "sc:AudioObject" if sound else _TYPES[field.type],
        "source": source,
    }


def _split_field(config: Config) -> dict[str, Any]:
    # readers may apply it twice, so it also matches what it gives
    pattern = f"^(?:data/{config.name}/)?({'|'.join(SPLITS)})(?:-.+\\.parquet)?$"
    return {
        "@type": "cr:Field",
        "@id": f"{config.name}/split",
        "name": "split",
        "description": "train, validation or test, from the shard's name.",
        "dataType": "sc:Text",
        "references": {"field": {"@id": "splits/name"}},
        "source": {
            "fileSet": {"@id": f"{config.name}-shards"},
            "extract": {"fileProperty": "fullpath"},
            "transform": {"regex": pattern},
        },
    }

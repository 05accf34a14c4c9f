"""Which proofs a release carries. Each is one SQL file that says what it means, its policy and its answer.

A proof selects the offending rows. A *must* expects none; a *report* states how many there are.
"""

from __future__ import annotations

from importlib.resources import files
from string import Template

from sonolake.releases.layout import ITEMS, MANIFEST
from sonolake.releases.licences import LICENCE_URLS
from sonolake.releases.paths import holds_path
from sonolake.releases.records import Config, Content

SPLIT_ROLES = ("template", "room", "take", "ambience", "response", "speech", "foa", "vocal")
"""Roles of lineage whose parents never straddle splits."""
ALWAYS = (
    "split-source",
    "counts-card",
    "counts-shards",
    "files",
    "licences",
    "licences-follow",
    "attributed",
)

_SHARDS = """-- A web server cannot be asked what there is: there it is the shards that the manifest lists.
SET VARIABLE web = regexp_matches(getvariable('root'), '^https?://');
SET VARIABLE listing = getvariable('root') || CASE WHEN getvariable('web') THEN '/{manifest}' ELSE '/{items}' END;
SET VARIABLE shards = (
  SELECT CASE WHEN getvariable('web') THEN list(getvariable('root') || '/' || path)
    ELSE [getvariable('root') || '/data/{config}/*.parquet'] END
  FROM (
    SELECT NULL::VARCHAR AS path, NULL::VARCHAR AS config UNION ALL BY NAME FROM read_parquet(getvariable('listing'))
  )
  WHERE path IS NOT NULL AND {which});
"""


def proof_texts(content: Content) -> dict[str, str]:
    """SQL by file name; ``${rows}`` of a report is left open for :func:`answered`."""
    roles = set(content.lineage["role"].to_pylist())
    licences = ", ".join(f"('{spdx}')" for spdx in LICENCE_URLS)
    every = _shards("*", "config IS NOT NULL")
    texts = {f"{name}.sql": _fill(name, licences=licences, shards=every) for name in ALWAYS}
    for role in SPLIT_ROLES:
        if role in roles or role in ("template", "room", "take"):
            texts[f"split-{role}.sql"] = _fill("split-role", role=role)
    if "voice" in roles:
        texts["voices.sql"] = _fill("voices")
    for config in content.configs:
        texts |= _of_config(config)
    return dict(sorted(texts.items()))


def answered(text: str, rows: int) -> str:
    """``text`` with the number of rows that a report expects."""
    return text.replace("${rows}", str(rows))


def _of_config(config: Config) -> dict[str, str]:
    texts = {}
    shards = _shards(config.name, f"config = '{config.name}'")
    for column in config.schema.names:
        if holds_path(config.schema, f"{column}.violates"):
            texts[f"rules-{config.name}.sql"] = _fill(
                "rules", config=config.name, column=column, shards=shards
            )
        if column == "turns" and holds_path(config.schema, "turns.text"):
            texts[f"sentences-{config.name}.sql"] = _fill(
                "sentences", config=config.name, column=column, shards=shards
            )
    return texts


def _shards(config: str, which: str) -> str:
    return _SHARDS.format(manifest=MANIFEST, items=ITEMS, config=config, which=which)


def _fill(name: str, **values: str) -> str:
    text = files("sonolake.releases").joinpath("proof_files", f"{name}.sql").read_text(encoding="utf-8")
    return Template(text).safe_substitute(values)

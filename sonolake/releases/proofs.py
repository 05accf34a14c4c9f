"""Which proofs a release carries. Each is one SQL file that says what it means, its policy and its answer.

A proof selects the offending rows: a *must* expects none, a *report* says how many there are. Where a proof states
figures, it selects these, and its head has every row of them; card and report show no other figures.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files
from string import Template

import pyarrow as pa
import pyarrow.compute as pc

from sonolake.releases.answers import Answer
from sonolake.releases.attribution import READ_ATTRIBUTION
from sonolake.releases.layout import ITEMS, MANIFEST
from sonolake.releases.licences import LICENCE_URLS, allowed_licences
from sonolake.releases.paths import holds_path
from sonolake.releases.records import AUDIO_COLUMN, SPEAKER_COLUMN, Config, Content, OwnProof
from sonolake.releases.samples import Chart
from sonolake.sources.licences import family_of, mixes, version_of
from sonolake.splits import NAMELESS

SPLIT_ROLES = ("template", "room", "take", "ambience", "response", "speech", "foa", "vocal")
"""Roles of lineage whose parents never straddle splits."""
ALWAYS = (
    "split-source",
    "split-sound",
    "counts-card",
    "counts-shards",
    "files",
    "licences",
    "licences-follow",
    "attributed",
    "changelog",
    "counts-items",
    "counts-files",
    "counts-formats",
    "counts-licences",
    "counts-lineage",
    "counts-since",
    "counts-sources",
    "sources-used",
)
UNSHOWN = ("audio", "record")
"""Columns of an item that are not repeated where it is shown: its sound, and the recipe that renders it."""

_SHARDS = """-- A web server cannot be asked what there is: there it is the shards that the manifest lists.
SET VARIABLE web = regexp_matches(getvariable('root'), '^https?://');
SET VARIABLE listing = getvariable('root') || CASE WHEN getvariable('web') THEN '/{manifest}' ELSE '/{items}' END;
SET VARIABLE shards = (
  SELECT CASE WHEN getvariable('web') THEN list(getvariable('root') || '/' || path)
    ELSE [{folders}] END
  FROM (
    SELECT NULL::VARCHAR AS path, NULL::VARCHAR AS config UNION ALL BY NAME FROM read_parquet(getvariable('listing'))
  )
  WHERE path IS NOT NULL AND ({which}));
"""


def proof_texts(content: Content) -> dict[str, str]:
    """SQL by file name; what the answer of a report fills in is left open for :func:`answered`."""
    roles = set(pc.unique(content.lineage["role"]).to_pylist())
    licences = ", ".join(f"('{spdx}')" for spdx in allowed_licences(content.profile))
    every = _shards(["*"], "config IS NOT NULL")
    filled = {"licences": licences, "shards": every, "version": content.version, **_TABLE}
    texts = {f"{name}.sql": _fill(name, **filled) for name in ALWAYS}
    for role in SPLIT_ROLES:
        if role in roles or role in ("template", "room", "take"):
            texts[f"split-{role}.sql"] = _fill("split-role", role=role)
    texts |= {f"{name}.sql": _fill(name) for role, name in _OF_ROLES.items() if role in roles}
    for config in content.configs:
        texts |= _of_config(config)
        texts |= _values(config, [c for c in content.charts if c.config == config.name])
        texts |= _shown(config, [s.item_id for s in content.samples if s.config == config.name])
    texts |= _of_speakers([c.name for c in content.configs if _has_speakers(c)])
    texts |= {f"{own.id}.sql": _own(own) for own in content.proofs}
    return dict(sorted(texts.items()))


def _values_of(rows: Iterable[tuple[str | None, ...]]) -> str:
    """Rows of SQL, a line each."""
    told = (", ".join("NULL" if cell is None else quoted(cell) for cell in row) for row in rows)
    return ",\n    ".join(f"({row})" for row in told)


_OF_ROLES = {"voice": "voices", "writer": "counts-writers"}


def answered(text: str, rows: int, answer: Answer | None = None) -> str:
    """``text`` with the number of rows that a report expects, and with those rows where it states them."""
    told = text.replace("${rows}", str(rows), 1)
    return told.replace("${answer}", (answer or Answer((), ())).head(), 1)


def _of_config(config: Config) -> dict[str, str]:
    texts = {}
    shards = _shards_of(config.name)
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


def _has_speakers(config: Config) -> bool:
    found = config.schema.field(SPEAKER_COLUMN).type if SPEAKER_COLUMN in config.schema.names else None
    return found is not None and pa.types.is_string(found)


def _of_speakers(configs: list[str]) -> dict[str, str]:
    """What is proven of speakers over all tables that name them; nothing where none does."""
    said = {
        "reads": ", ".join(configs),
        "shards": _shards_of(*configs),
        "speaker": f"trim({SPEAKER_COLUMN})",
        "nameless": ", ".join(map(quoted, NAMELESS)),
    }
    return {f"{name}.sql": _fill(name, **said) for name in ("split-speaker", "speakers")} if configs else {}


def _values(config: Config, charts: list[Chart]) -> dict[str, str]:
    """What the charts of a table are drawn from."""
    there = [c for c in charts if holds_path(config.schema, c.column)]
    if not there:
        return {}
    named = [
        f"({quoted(c.title)}, {quoted(label)}, {place})"
        for c in there
        for place, label in enumerate(c.labels)
    ] or ["(NULL::VARCHAR, NULL::VARCHAR, NULL::INTEGER)"]
    found = "\n    UNION ALL\n".join(f"    {_labels(config.schema, c)}" for c in there)
    text = _fill(
        "values", config=config.name, shards=_shards_of(config.name), named=", ".join(named), found=found
    )
    return {f"values-{config.name}.sql": text}


def _labels(schema: pa.Schema, chart: Chart) -> str:
    """A query for the values at the path of a chart, lists unnested."""
    first, *rest = chart.column.split(".")
    kind, query = schema.field(first).type, f'SELECT "its split", {_name(first)} AS v FROM entries'
    for name in (None, *rest):
        if name is not None:
            kind, query = kind.field(name).type, f'SELECT "its split", v.{_name(name)} AS v FROM ({query})'
        if pa.types.is_list(kind):
            kind, query = kind.value_type, f'SELECT "its split", unnest(v) AS v FROM ({query})'
    return f'SELECT {quoted(chart.title)} AS chart, "its split", v::VARCHAR AS label FROM ({query})'


def _shown(config: Config, items: list[str]) -> dict[str, str]:
    """The items that the report plays."""
    if not items:
        return {}
    names = ["audio" if name == AUDIO_COLUMN else name for name in config.schema.names]
    columns = ", ".join(_name(name) for name in names if name not in UNSHOWN)
    wanted = ", ".join(map(quoted, sorted(set(items))))
    shards = _shards_of(config.name)
    text = _fill("shown", config=config.name, shards=shards, columns=columns, items=wanted)
    return {f"shown-{config.name}.sql": text}


def _own(own: OwnProof) -> str:
    expected = "0 rows" if own.policy == "must" else "${rows} rows, as follows\n${answer}"
    reads, shards = ("", "")
    if own.config:
        reads, shards = f"\n-- reads: {own.config}", _shards_of(own.config)
    return _fill(
        "own",
        id=own.id, policy=own.policy, meaning=own.meaning, expected=expected, reads=reads, shards=shards, sql=own.sql,
    )  # fmt: skip


def quoted(text: str) -> str:
    """A string of SQL."""
    return "'" + text.replace("'", "''") + "'"


_TABLE = {
    "terms": _values_of((spdx, family_of(spdx), version_of(spdx)) for spdx in LICENCE_URLS),
    "mixes": _values_of(mixes()),
}
"""The table of licences of mixes, as a proof has it."""


def _name(column: str) -> str:
    return '"' + column.replace('"', '""') + '"'


def _shards_of(*configs: str) -> str:
    """The variable ``shards``: the files of these tables."""
    return _shards(configs, " OR ".join(f"config = '{config}'" for config in configs))


def _shards(folders: Iterable[str], which: str) -> str:
    there = ", ".join(f"getvariable('root') || '/data/{folder}/*.parquet'" for folder in folders)
    return _SHARDS.format(manifest=MANIFEST, items=ITEMS, folders=there, which=which)


def _fill(name: str, **values: str) -> str:
    text = files("sonolake.releases").joinpath("proof_files", f"{name}.sql").read_text(encoding="utf-8")
    return Template(text).safe_substitute(values, attribution=READ_ATTRIBUTION)

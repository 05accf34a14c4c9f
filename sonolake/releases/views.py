"""``views.sql``: a release as tables in DuckDB, over a folder, HTTP or S3, by one variable that says where it lies."""

from __future__ import annotations

from sonolake.releases.attribution import READ_ATTRIBUTION
from sonolake.releases.figures.prose import without_marks
from sonolake.releases.layout import ITEMS, LINEAGE, MANIFEST
from sonolake.releases.records import Config, Content

_HEAD = """-- {title} {version}: views over its files, for DuckDB 1.2 or later. Nothing has to be pulled for them.
-- Where it lies: a folder, https://... or s3://... Set it before this file is read, or change the line;
-- without either it is the folder that DuckDB was started in (duckdb -init views.sql).
SET VARIABLE root = rtrim(coalesce(getvariable('root'), '.'), '/');

"""
_FILES = {"manifest": MANIFEST, "items": ITEMS, "lineage": LINEAGE}
_LISTING = f"""
-- The shards that are there. A web server cannot be asked, so there it is those of the manifest.
SET VARIABLE listing = getvariable('root') || CASE
  WHEN regexp_matches(getvariable('root'), '^https?://') THEN '/{MANIFEST}' ELSE '/data/*/*.parquet' END;
"""
_CONFIG = """
-- {about}
SET VARIABLE "{name} shards" = (
  SELECT coalesce(list(shard ORDER BY shard), [getvariable('root') || '/{manifest}'])
  FROM (SELECT getvariable('root') || '/' || path AS shard FROM manifest WHERE config = '{name}')
  WHERE shard IN (SELECT file FROM glob(getvariable('listing'))) OR getvariable('listing') LIKE '%/{manifest}');
CREATE OR REPLACE VIEW "{name}" AS
  SELECT regexp_extract(filename, '([a-z]+)-[0-9]+-of-[0-9]+[.]parquet$', 1) AS split, * EXCLUDE (filename)
  FROM read_parquet(getvariable('{name} shards'), filename = true, union_by_name = true, hive_partitioning = false)
  WHERE filename NOT LIKE '%/{manifest}';
"""


def views_sql(content: Content) -> str:
    """A view for each index table, for the attribution, and for each config (with its ``split``)."""
    text = _HEAD.format(title=" ".join(content.title.split()), version=content.version)
    for name, path in _FILES.items():
        text += f"CREATE OR REPLACE VIEW {name} AS FROM read_parquet(getvariable('root') || '/{path}');\n"
    text += f"CREATE OR REPLACE VIEW attribution AS\n  FROM {READ_ATTRIBUTION};\n"
    return text + _LISTING + "".join(map(_config, content.configs))


def _config(config: Config) -> str:
    about = " ".join(without_marks(config.description).split())
    return _CONFIG.format(about=about, name=config.name, manifest=MANIFEST)

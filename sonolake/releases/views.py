"""``views.sql``: a release as tables in DuckDB, with one line to change when the folder is elsewhere."""

from __future__ import annotations

from sonolake.releases.layout import ATTRIBUTION_CSV, ITEMS, LINEAGE, MANIFEST
from sonolake.releases.records import Content

_HEAD = """-- {title} {version}: views over its files, for DuckDB 1.2 or later.
-- Run in the release's folder (duckdb -init views.sql), or set root to where it is and read this file.
SET VARIABLE root = '.';

"""
_FILES = {"manifest": MANIFEST, "items": ITEMS, "lineage": LINEAGE}


def views_sql(content: Content) -> str:
    """A view for each index table, for the attribution, and for each config (with its ``split``)."""
    text = _HEAD.format(title=" ".join(content.title.split()), version=content.version)
    for name, path in _FILES.items():
        text += f"CREATE OR REPLACE VIEW {name} AS FROM read_parquet(getvariable('root') || '/{path}');\n"
    text += (
        "CREATE OR REPLACE VIEW attribution AS\n"
        f"  FROM read_csv(getvariable('root') || '/{ATTRIBUTION_CSV}', header = true, all_varchar = true);\n"
    )
    for config in content.configs:
        text += (
            f"\n-- {' '.join(config.description.split())}\n"
            f'CREATE OR REPLACE VIEW "{config.name}" AS\n'
            "  SELECT regexp_extract(filename, '([a-z]+)-[0-9]+-of-[0-9]+[.]parquet$', 1) AS split,\n"
            "    * EXCLUDE (filename)\n"
            f"  FROM read_parquet(getvariable('root') || '/data/{config.name}/*.parquet',\n"
            "    filename = true, union_by_name = true, hive_partitioning = false);\n"
        )
    return text

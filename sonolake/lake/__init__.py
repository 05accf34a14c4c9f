"""The lake: root, catalog, the lake's own tables, media, vectors, steps, splits."""

from sonolake.lake.lake import Lake, Table
from sonolake.lake.spec import Column, TableSpec

__all__ = ["Column", "Lake", "Table", "TableSpec"]

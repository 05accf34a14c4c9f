"""All of a release that is read by people or other tools, beside its data."""

from __future__ import annotations

from pathlib import Path

from sonolake.releases.attribution import attribution_csv, attribution_md, attribution_rows
from sonolake.releases.changelog import changelog_md
from sonolake.releases.disk import write_new
from sonolake.releases.layout import ATTRIBUTION_CSV, ATTRIBUTION_MD, CHANGELOG, VIEWS
from sonolake.releases.records import Content
from sonolake.releases.tables import FileRow, ItemRow
from sonolake.releases.views import views_sql


def write_documents(content: Content, items: list[ItemRow], data: list[FileRow], folder: Path) -> None:
    """Write them into ``folder``; the same text for the same content."""
    sources = attribution_rows(content, items)
    texts = {
        ATTRIBUTION_CSV: attribution_csv(sources),
        ATTRIBUTION_MD: attribution_md(content, sources),
        CHANGELOG: changelog_md(content),
        VIEWS: views_sql(content),
    }
    for path, text in texts.items():
        write_new(folder / path, text.encode())

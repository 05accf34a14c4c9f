"""The whole page, put together from its template, style, script and parts."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from string import Template

import pyarrow as pa

from sonolake.releases.proof import Proof
from sonolake.releases.records import Content
from sonolake.releases.report.answers import proofs_section
from sonolake.releases.report.cards import samples_section
from sonolake.releases.report.changes import changes_section
from sonolake.releases.report.charts import charts_section, split_legend
from sonolake.releases.report.facts import (
    checks_section,
    headline,
    limits_section,
    sources_section,
    tables_section,
)
from sonolake.releases.report.licences import licences_section
from sonolake.releases.report.lineage import lineage_section
from sonolake.releases.report.markup import Html, el, escaped, joined
from sonolake.releases.report.proven import answers_of, prose
from sonolake.releases.report.strip import items_strip


def report_html(content: Content, items: pa.Table, proofs: Sequence[Proof]) -> str:
    """One HTML document with everything inside: style, script, sounds and pictures; the same for the same content.

    ``items`` are the rows of ``items.parquet``. Its figures are the answers that ``proofs`` state.
    """
    answers = answers_of(proofs)
    sections = [
        ("listen", "Listen", samples_section(content, answers)),
        ("counts", "Counts", charts_section(content, answers)),
        ("tables", "Tables", tables_section(content, answers)),
        ("checks", "Checks", checks_section(content, answers)),
        ("lineage", "Made from", lineage_section(content, items, answers)),
        ("licences", "Licences", licences_section(content, answers)),
        ("sources", "Sources", sources_section(answers)),
        ("changes", "Changes", changes_section(answers)),
        ("limits", "Limits", limits_section(content) if content.notes else Html("")),
        ("proofs", "Proofs", proofs_section(proofs)),
    ]
    there = [s for s in sections if s[2]]
    return Template(_part("page.html")).substitute(
        language=escaped(content.languages[0] if content.languages else "en"),
        title=escaped(f"{content.title} {content.version}"),
        style=_part("style.css"),
        script=_part("script.js"),
        kicker=escaped(f"{content.name} {content.version} · {content.date}"),
        heading=escaped(content.title),
        summary=prose(content.summary),
        strip=items_strip(items),
        splits=split_legend(answers),
        headline=headline(content, answers),
        links=joined([el("a", {"href": f"#{anchor}"}, name) for anchor, name, _ in there]),
        sections=joined([_section(*s) for s in there]),
    )


def _section(anchor: str, name: str, inside: Html) -> Html:
    return el("section", {"id": anchor, "class": "chapter"}, el("h2", None, name), inside)


def _part(name: str) -> str:
    return files("sonolake.releases").joinpath("report_files", name).read_text(encoding="utf-8")

"""All of a release that is read by people or other tools, beside its data."""

from __future__ import annotations

from pathlib import Path

from sonolake.releases.attribution import attribution_csv, attribution_md, attribution_rows
from sonolake.releases.card import card_md
from sonolake.releases.changelog import changelog_md
from sonolake.releases.croissant import croissant_json
from sonolake.releases.disk import sha256_of, write_new
from sonolake.releases.layout import (
    ATTRIBUTION_CSV,
    ATTRIBUTION_MD,
    CARD,
    CHANGELOG,
    CROISSANT,
    ITEMS,
    LINEAGE,
    PROOFS,
    REPORT,
    VIEWS,
)
from sonolake.releases.proofs import answered, proof_texts
from sonolake.releases.proving import Proof, parse_proof, run_proof
from sonolake.releases.records import Content
from sonolake.releases.report import report_html
from sonolake.releases.tables import FileRow, ItemRow
from sonolake.releases.views import views_sql


def write_documents(content: Content, items: list[ItemRow], data: list[FileRow], folder: Path) -> None:
    """Write them into ``folder``, where data and index tables are; the same text for the same content."""
    sources = attribution_rows(content, items)
    texts = {
        ATTRIBUTION_CSV: attribution_csv(sources),
        ATTRIBUTION_MD: attribution_md(content, sources),
        CARD: card_md(content, items, sources),
        CHANGELOG: changelog_md(content),
        VIEWS: views_sql(content),
    }
    for path, text in texts.items():
        write_new(folder / path, text.encode())
    described = [*data, *(file_row(folder, p) for p in (ITEMS, LINEAGE, ATTRIBUTION_CSV))]
    write_new(folder / CROISSANT, croissant_json(content, described).encode())
    proofs = _write_proofs(content, folder)
    write_new(folder / REPORT, report_html(content, items, data, sources, proofs).encode())


def file_row(folder: Path, path: str) -> FileRow:
    """A file of ``folder`` as the manifest lists it."""
    return FileRow(path, sha256_of(folder / path), (folder / path).stat().st_size)


def _write_proofs(content: Content, folder: Path) -> list[Proof]:
    """The proofs, each report with the answer that it has now."""
    proofs = []
    for name, text in proof_texts(content).items():
        draft = parse_proof(answered(text, 0), name)
        rows = run_proof(folder, draft).rows if draft.policy == "report" else 0
        final = answered(text, rows or 0)
        write_new(folder / PROOFS / name, final.encode())
        proofs.append(parse_proof(final, name))
    return proofs

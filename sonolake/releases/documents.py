"""All of a release that is read by people or other tools, beside its data."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from sonolake.releases.attribution import attribution_md, attribution_table, write_attribution_csv
from sonolake.releases.card import card_md
from sonolake.releases.croissant import croissant_json
from sonolake.releases.disk import sha256_of, write_new
from sonolake.releases.layout import (
    ATTRIBUTION_CSV,
    ATTRIBUTION_MD,
    CARD,
    CROISSANT,
    ITEMS,
    LINEAGE,
    PROOFS,
    REPORT,
    VIEWS,
)
from sonolake.releases.proof import Proof, parse_proof
from sonolake.releases.proofs import answered, proof_texts
from sonolake.releases.proving import opened_at, run_in
from sonolake.releases.records import Content
from sonolake.releases.report import report_html
from sonolake.releases.tables import FileRow, write_manifest
from sonolake.releases.views import views_sql


def write_documents(content: Content, items: pa.Table, data: list[FileRow], folder: Path) -> None:
    """Write them into ``folder``, where data and index tables are; the same text for the same content.

    The manifest is written here with the data alone, for the proofs to read; whoever seals the folder lists all in it.
    """
    sources = attribution_table(content, items)
    write_attribution_csv(sources, folder / ATTRIBUTION_CSV)
    write_manifest(data, folder)
    proofs = _write_proofs(content, folder)
    texts = {
        ATTRIBUTION_MD: attribution_md(content, sources),
        CARD: card_md(content, sources, proofs),
        VIEWS: views_sql(content),
        REPORT: report_html(content, items, proofs),
    }
    for path, text in texts.items():
        write_new(folder / path, text.encode())
    described = [*data, *(file_row(folder, p) for p in (ITEMS, LINEAGE, ATTRIBUTION_CSV))]
    write_new(folder / CROISSANT, croissant_json(content, described).encode())


def file_row(folder: Path, path: str) -> FileRow:
    """A file of ``folder`` as the manifest lists it."""
    return FileRow(path, sha256_of(folder / path), (folder / path).stat().st_size)


def _write_proofs(content: Content, folder: Path) -> list[Proof]:
    """The proofs, each report with the answer that it has now."""
    proofs = []
    with opened_at(folder) as session:
        for name, text in proof_texts(content).items():
            draft = parse_proof(answered(text, 0), name)
            if draft.policy == "report":
                result = run_in(session, draft)
                text = answered(text, result.rows or 0, result.answer)
            write_new(folder / PROOFS / name, text.encode())
            proofs.append(parse_proof(text, name))
    return proofs

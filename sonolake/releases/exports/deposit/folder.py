"""The documents of a deposit in a folder; the release's files are put beside them by whoever deposits them."""

from __future__ import annotations

import json
from pathlib import Path

from sonolake.errors import Refused
from sonolake.releases.exports.deposit.citation import citation_cff
from sonolake.releases.exports.deposit.datasheet import datasheet_md
from sonolake.releases.exports.deposit.facts import facts_of
from sonolake.releases.exports.deposit.zenodo import metadata_of
from sonolake.releases.exports.source import Source
from sonolake.releases.exports.writer import Made


def write_deposit(source: Source, folder: Path) -> Made:
    """Write ``deposit.json`` (for the deposit API), ``.zenodo.json``, ``CITATION.cff`` and ``DATASHEET.md``.

    Raises:
        Refused: for a retracted version: what is described is whole.
    """
    if (notice := source.table.release.notice) is not None:
        raise Refused(f"not described for a deposit: {notice.told()}")
    facts = facts_of(source, source.doi)
    metadata = metadata_of(facts)
    texts = {
        "deposit.json": _json({"metadata": metadata}),
        ".zenodo.json": _json({name: value for name, value in metadata.items() if name != "prereserve_doi"}),
        "CITATION.cff": citation_cff(facts),
        "DATASHEET.md": datasheet_md(facts),
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return sum(part.items for part in facts.parts), []


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"

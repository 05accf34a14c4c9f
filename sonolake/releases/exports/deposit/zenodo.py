"""The metadata of a Zenodo deposit: what its deposit API takes, and the same for ``.zenodo.json``.

One licence is all that Zenodo has a field for, one of its vocabulary: SPDX ids in small letters. Where items are under
several, or under one that SPDX does not know, the deposit names none and its notes say which; whoever deposits it
chooses there. Without a DOI of its own the deposit asks for one to be reserved.
"""

from __future__ import annotations

from html import escape
from typing import Any

from sonolake.plural import counted
from sonolake.releases.exports.deposit.facts import Facts, in_order

_LANGUAGES = {
    "de": "deu", "en": "eng", "es": "spa", "fr": "fra", "it": "ita", "ja": "jpn", "ko": "kor", "nl": "nld",
    "pl": "pol", "pt": "por", "ru": "rus", "tr": "tur", "zh": "zho",
}  # fmt: skip
"""ISO 639-1 to 639-3, which Zenodo asks for."""
MOST_PLACES = 200
"""Addresses of sources that are named; ``ATTRIBUTION.csv`` has all."""


def metadata_of(facts: Facts) -> dict[str, Any]:
    """The object ``metadata`` of a deposit."""
    made: dict[str, Any] = {
        "title": f"{facts.title} {facts.about.version}",
        "upload_type": "dataset",
        "description": _description(facts),
        "creators": [{"name": facts.creator}],
        "publication_date": facts.about.date,
        "version": facts.about.version,
        "access_right": "open",
        "keywords": list(facts.keywords),
        "notes": _notes(facts),
        "related_identifiers": _related(facts),
    }
    if facts.spdx:
        made["license"] = facts.spdx.lower()
    if len(facts.languages) == 1 and facts.languages[0] in _LANGUAGES:
        made["language"] = _LANGUAGES[facts.languages[0]]
    return made | ({"doi": facts.doi} if facts.doi else {"prereserve_doi": True})


def _description(facts: Facts) -> str:
    counts = "".join(
        f"<li>{escape(p.config)}, {p.split}: {counted(p.items, 'item')}, {p.hours:.2f} hours</li>"
        for p in in_order(facts.parts)
    )
    limits = "".join(f"<li>{escape(note)}</li>" for note in facts.notes)
    limits = f"<p>Limitations:</p><ul>{limits}</ul>" if limits else ""
    return f"<p>{escape(facts.summary)}</p><ul>{counts}</ul>{limits}"


def _notes(facts: Facts) -> str:
    several = ", ".join(f"{name} ({counted(count, 'item')})" for name, count in facts.licences.items())
    return (
        f"Release {facts.about.release}; SHA-256 of its manifest: {facts.about.manifest_sha256}. "
        f"Licences of the items: {several}. Every source is credited in ATTRIBUTION.csv."
    )


def _related(facts: Facts) -> list[dict[str, str]]:
    found = [
        {"identifier": place, "relation": "isDerivedFrom", "resource_type": "dataset"}
        for place in facts.places[:MOST_PLACES]
    ]
    if facts.url:
        found.append({"identifier": facts.url, "relation": "isIdenticalTo", "resource_type": "dataset"})
    return found
